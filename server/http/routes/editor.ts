import { EDITOR_SCRIPT, EDITOR_STYLE, editorPage } from "../editor-page.ts";
import { pageFile } from "../page-file.ts";

/** The editor page of shops' customers. */
export const editorRoutes = [
  pageFile("Shops", "/editor", "text/html", editorPage),
  pageFile("Shops", "/editor/editor.js", "text/javascript", () => EDITOR_SCRIPT),
  pageFile("Shops", "/editor/editor.css", "text/css", () => EDITOR_STYLE),
];

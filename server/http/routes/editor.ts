import { EDITOR_PAGE, EDITOR_POLICY, EDITOR_SCRIPT, EDITOR_STYLE } from "../editor-page.ts";
import { route } from "../route.ts";

function file(path: string, mediaType: string, text: string) {
  return route({
    method: "GET",
    path,
    tag: "Shops",
    summary: path,
    hidden: true,
    auth: "none",
    responses: { 200: { description: "The file.", mediaTypes: [mediaType] } },
    cost: 0,
    async handler() {
      const headers = {
        "Content-Type": `${mediaType}; charset=utf-8`,
        "Content-Security-Policy": EDITOR_POLICY,
        // The address holds the shop's token.
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-cache",
      };
      return { status: 200, headers, bytes: Buffer.from(text) };
    },
  });
}

/** The page that customers of shops are sent to. */
export const editorRoutes = [
  file("/editor", "text/html", EDITOR_PAGE),
  file("/editor/editor.js", "text/javascript", EDITOR_SCRIPT),
  file("/editor/editor.css", "text/css", EDITOR_STYLE),
];

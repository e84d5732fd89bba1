import Type from "typebox";
import { type EditorFile, editorBundle } from "../../../editor/bundle.ts";
import { strict } from "../../actions/fields.ts";
import { PRESET_NAMES, presetPicture } from "../../actions/preset-pictures.ts";
import { basePathOf } from "../base-path.ts";
import { EDITOR_FILES, PAGE_HEADERS } from "../bundle-page.ts";
import { EDITOR_POLICY, editorPage } from "../editor-page.ts";
import { PathNotFound } from "../errors.ts";
import { route } from "../route.ts";

const tag = "Shops";

const headers = { ...PAGE_HEADERS, "Content-Security-Policy": EDITOR_POLICY };

/** The editor: its page, and the files of its bundle. */
export const editorRoutes = [
  route({
    method: "GET",
    path: "/editor",
    tag,
    operationId: "getEditor",
    summary: "The editor",
    hidden: true,
    auth: "none",
    responses: { 200: { description: "The page.", mediaTypes: ["text/html"] } },
    cost: 0,
    async handler({ services }) {
      const page = editorPage(basePathOf(services.publicUrl), await editorBundle());
      return {
        status: 200,
        headers: { ...headers, "Content-Type": "text/html; charset=utf-8" },
        bytes: Buffer.from(page),
      };
    },
  }),
  route({
    method: "GET",
    path: "/editor/presets/{preset}",
    tag,
    operationId: "getPresetPicture",
    summary: "A picture of a preset",
    hidden: true,
    auth: "none",
    params: Type.Object({ preset: Type.Enum(PRESET_NAMES) }, strict),
    responses: { 200: { description: "The picture.", mediaTypes: ["image/png"] } },
    cost: 0,
    async handler({ services, params: { preset } }) {
      const bytes = await presetPicture(services.engine, preset);
      const cached = { "Cache-Control": "public, max-age=86400", "Content-Type": "image/png" };
      return { status: 200, headers: { ...headers, ...cached }, bytes };
    },
  }),
  route({
    method: "GET",
    path: `${EDITOR_FILES}/{name}`,
    tag,
    operationId: "getEditorFile",
    summary: "A file of the editor",
    hidden: true,
    auth: "none",
    params: Type.Object({ name: Type.String({ maxLength: 100 }) }, strict),
    responses: { 200: { description: "The file.", mediaTypes: ["text/*"] } },
    cost: 0,
    async handler({ params: { name }, header }) {
      const file = (await editorBundle()).files.get(name);
      if (!file) throw new PathNotFound(`${EDITOR_FILES}/${name}`);
      const { encoding, bytes } = encodedFor(file, header("accept-encoding"));
      return {
        status: 200,
        headers: {
          ...headers,
          "Content-Type": `${file.mediaType}; charset=utf-8`,
          // The name changes with the content.
          "Cache-Control": "public, max-age=31536000, immutable",
          Vary: "Accept-Encoding",
          ...(encoding && { "Content-Encoding": encoding }),
        },
        bytes,
      };
    },
  }),
];

/** Returns the smallest encoding of a file that the client accepts. */
function encodedFor({ brotli, gzip, bytes }: EditorFile, accepted: string) {
  // Browsers list what they accept without weights.
  const names = accepted.split(",").map((name) => name.trim());
  if (names.includes("br")) return { encoding: "br", bytes: brotli };
  if (names.includes("gzip")) return { encoding: "gzip", bytes: gzip };
  return { encoding: null, bytes };
}

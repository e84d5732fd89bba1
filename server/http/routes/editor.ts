import Type from "typebox";
import { type EditorFile, editorBundle } from "../../../editor/bundle.ts";
import { strict } from "../../actions/fields.ts";
import { handoffOfToken } from "../../actions/handoffs.ts";
import { mapVersion } from "../../actions/mockup-maps.ts";
import { PRESET_NAMES, presetPicture } from "../../actions/preset-pictures.ts";
import { basePathOf } from "../base-path.ts";
import { EDITOR_FILES, PAGE_HEADERS } from "../bundle-page.ts";
import { editorPage, editorPolicy } from "../editor-page.ts";
import { PathNotFound } from "../errors.ts";
import { type RouteResponse, route } from "../route.ts";

const tag = "Shops";

const headers = { ...PAGE_HEADERS, "Content-Security-Policy": editorPolicy(null) };

/** The editor: its page, the files of its bundle, and the script for pages of shops. */
export const editorRoutes = [
  route({
    method: "GET",
    path: "/editor",
    tag,
    operationId: "getEditor",
    summary: "The editor",
    hidden: true,
    auth: "none",
    // Unknown links are looked up, too.
    addressLimit: { policy: "editor", quota: 600, windowSeconds: 60 },
    query: Type.Object({ handoff: Type.Optional(Type.String()) }),
    responses: { 200: { description: "The page.", mediaTypes: ["text/html"] } },
    cost: 0,
    async handler({ services, query }) {
      const handoff =
        query.handoff === undefined ? null : await handoffOfToken(services, query.handoff);
      const basePath = basePathOf(services.publicUrl);
      const page = editorPage(basePath, await editorBundle(), await mapVersion(), handoff);
      // Also of a link that was used: the frame may be loaded again, and says so where it does not open.
      const policy = editorPolicy(handoff && new URL(handoff.return_url).origin);
      return {
        status: 200,
        headers: {
          ...headers,
          "Content-Security-Policy": policy,
          "Content-Type": "text/html; charset=utf-8",
        },
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
    responses: { 200: { description: "The file.", mediaTypes: ["text/*", "application/json"] } },
    cost: 0,
    async handler({ params: { name }, header }) {
      const file = (await editorBundle()).files.get(name);
      if (!file) throw new PathNotFound(`${EDITOR_FILES}/${name}`);
      // The name changes with the content.
      return fileResponse(file, "public, max-age=31536000, immutable", header);
    },
  }),
  route({
    method: "GET",
    path: "/embed.js",
    tag,
    operationId: "getEmbedScript",
    summary: "The script for pages of shops",
    hidden: true,
    auth: "none",
    corsAccess: "any-origin",
    responses: { 200: { description: "The script.", mediaTypes: ["text/javascript"] } },
    cost: 0,
    async handler({ header }) {
      const { embed } = await editorBundle();
      return fileResponse(embed, "public, max-age=3600", header);
    },
  }),
];

function fileResponse(
  file: EditorFile,
  cacheControl: string,
  header: (name: string) => string,
): RouteResponse {
  const { encoding, bytes } = encodedFor(file, header("accept-encoding"));
  return {
    status: 200,
    headers: {
      ...headers,
      "Content-Type": `${file.mediaType}; charset=utf-8`,
      "Cache-Control": cacheControl,
      Vary: "Accept-Encoding",
      ...(encoding && { "Content-Encoding": encoding }),
    },
    bytes,
  };
}

/** Returns the smallest encoding of a file that the client accepts. */
function encodedFor({ brotli, gzip, bytes }: EditorFile, accepted: string) {
  // Browsers list what they accept without weights.
  const names = accepted.split(",").map((name) => name.trim());
  if (names.includes("br")) return { encoding: "br", bytes: brotli };
  if (names.includes("gzip")) return { encoding: "gzip", bytes: gzip };
  return { encoding: null, bytes };
}

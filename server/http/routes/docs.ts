import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import Type from "typebox";
import { DOCS_PAGE, DOCS_POLICY, DOCS_SCRIPT, PROBLEMS_PAGE } from "../docs-page.ts";
import { type Route, route } from "../route.ts";

const tag = "Documentation";

const HTML = "text/html; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";

/** Files of Swagger UI that the page uses, with their media types. */
const ASSETS = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": SCRIPT,
  "favicon-32x32.png": "image/png",
};

function documentRoute(
  path: string,
  mediaType: string,
  summary: string | null,
  read: () => Promise<Uint8Array>,
): Route {
  return route({
    method: "GET",
    path,
    tag,
    summary: summary ?? path,
    hidden: summary === null,
    auth: "none",
    responses: { 200: { description: "The document.", mediaTypes: [mediaType] } },
    cost: 0,
    async handler() {
      const headers = {
        "Content-Type": mediaType,
        "Content-Security-Policy": DOCS_POLICY,
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-cache",
      };
      return { status: 200, headers, bytes: await read() };
    },
  });
}

const textRoute = (path: string, mediaType: string, summary: string | null, text: string) =>
  documentRoute(path, mediaType, summary, async () => Buffer.from(text));

/** The pages to read and try the API, and the files that they are made of. */
export const docsRoutes = [
  textRoute("/docs", HTML, "This page", DOCS_PAGE),
  textRoute("/docs/start.js", SCRIPT, null, DOCS_SCRIPT),
  textRoute("/docs/problems", HTML, "What the codes of problems mean", PROBLEMS_PAGE),
  ...Object.entries(ASSETS).map(([name, mediaType]) => {
    const file = fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`));
    return documentRoute(`/docs/${name}`, mediaType, null, () => readFile(file));
  }),
];

/** The OpenAPI document, which describes itself too. */
export function openApiRoute(document: () => object): Route {
  return route({
    method: "GET",
    path: "/api/v1/openapi.json",
    tag,
    summary: "This API as OpenAPI 3.1",
    auth: "none",
    responses: {
      200: {
        description: "The document.",
        schema: Type.Object({
          openapi: Type.String({ examples: ["3.1.0"] }),
          paths: Type.Object({}),
        }),
      },
    },
    cost: 0,
    async handler() {
      return { status: 200, headers: { "Cache-Control": "no-cache" }, json: document() };
    },
  });
}

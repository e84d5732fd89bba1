import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import Type from "typebox";
import type { Services } from "../../actions/services.ts";
import { basePathOf } from "../base-path.ts";
import { DOCS_POLICY, DOCS_SCRIPT, DOCS_STYLE, docsPage, problemsPage } from "../docs-page.ts";
import { type Route, route } from "../route.ts";

const tag = "Documentation";

const HTML = "text/html; charset=utf-8";
const CSS = "text/css; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";

/** Files of Swagger UI that the page uses, with their media types. */
const ASSETS = {
  "swagger-ui.css": CSS,
  "swagger-ui-bundle.js": SCRIPT,
  "favicon-32x32.png": "image/png",
};

interface Page {
  readonly path: string;
  readonly mediaType: string;
  read(basePath: string): string | Promise<Uint8Array>;
}

const page = ({ path, mediaType, read }: Page) =>
  ({
    method: "GET",
    path,
    tag,
    auth: "none",
    responses: { 200: { description: "The document.", mediaTypes: [mediaType] } },
    cost: 0,
    async handler({ services }: { readonly services: Pick<Services, "publicUrl"> }) {
      const headers = {
        "Content-Type": mediaType,
        "Content-Security-Policy": DOCS_POLICY,
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-cache",
      };
      const content = await read(basePathOf(services.publicUrl));
      return { status: 200, headers, bytes: Buffer.from(content) };
    },
  }) as const;

/** A file of a page; the documentation does not list it. */
const assetRoute = (path: string, mediaType: string, read: Page["read"]) =>
  route({
    ...page({ path, mediaType, read }),
    operationId: path,
    summary: path,
    hidden: true,
  });

/** The documentation pages and their files. */
export const docsRoutes = [
  route({
    ...page({ path: "/docs", mediaType: HTML, read: docsPage }),
    operationId: "getDocs",
    summary: "Documentation page",
  }),
  assetRoute("/docs/start.js", SCRIPT, () => DOCS_SCRIPT),
  route({
    ...page({ path: "/docs/problems", mediaType: HTML, read: problemsPage }),
    operationId: "getProblems",
    summary: "List of problem codes",
  }),
  assetRoute("/docs/docs.css", CSS, () => DOCS_STYLE),
  ...Object.entries(ASSETS).map(([name, mediaType]) => {
    const file = fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`));
    return assetRoute(`/docs/${name}`, mediaType, () => readFile(file));
  }),
];

/** The OpenAPI document, which describes itself too. */
export function openApiRoute(document: (publicUrl: string) => object): Route {
  return route({
    method: "GET",
    path: "/api/v1/openapi.json",
    tag,
    operationId: "getOpenApi",
    summary: "OpenAPI document",
    auth: "none",
    corsAccess: "any-origin",
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
    async handler({ services }) {
      const headers = { "Cache-Control": "no-cache" };
      return { status: 200, headers, json: document(services.publicUrl) };
    },
  });
}

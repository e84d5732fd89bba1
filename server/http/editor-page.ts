/** The page of the editor and its content security policy. It loads nothing from other hosts. */
import type { EditorBundle } from "../../editor/bundle.ts";

/** Where the files of the bundle are served. */
export const EDITOR_FILES = "/editor/files";

/**
 * The page, with links that start with `basePath`.
 * @param returnUrl of the handoff in the page's address; null without one
 */
export const editorPage = (
  basePath: string,
  { script, styles }: Pick<EditorBundle, "script" | "styles">,
  returnUrl: string | null,
) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>orbifold editor</title>${returnUrl === null ? "" : shopMeta(returnUrl)}
<link rel="icon" type="image/png" href="${basePath}/docs/favicon-32x32.png">
<link rel="stylesheet" href="${basePath}${EDITOR_FILES}/${styles}">
<script type="module" src="${basePath}${EDITOR_FILES}/${script}"></script>
</head>
<body>
<noscript>The editor needs JavaScript.</noscript>
</body>
</html>
`;

const shopMeta = (returnUrl: string) =>
  `\n<meta name="shop-return-url" content="${returnUrl.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}">`;

/**
 * Policy of the page and its worker: everything from the same origin. WebAssembly is compiled, but no
 * script is made of text, and a Trusted Types policy names the worker's URL.
 * @param framedBy the only origin whose pages may frame this one; null: none
 */
export const editorPolicy = (framedBy: string | null) =>
  [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${framedBy ?? "'none'"}`,
    "require-trusted-types-for 'script'",
    "trusted-types orbifold",
  ].join("; ");

/**
 * The pages under /docs. They load nothing from other hosts and run no inline script. Their links
 * start with the base path of the service, see `basePathOf`.
 */
import { FAILURES } from "../actions/failures.ts";

const page = (basePath: string, title: string, head: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" type="image/png" href="${basePath}/docs/favicon-32x32.png">
${head}
</head>
<body>
${body}
</body>
</html>
`;

/** The page that lists every operation. */
export const docsPage = (basePath: string) =>
  page(
    basePath,
    "orbifold API",
    `<link rel="stylesheet" href="${basePath}/docs/swagger-ui.css">
<link rel="stylesheet" href="${basePath}/docs/docs.css">`,
    `<div id="swagger-ui"></div>
<script src="${basePath}/docs/swagger-ui-bundle.js"></script>
<script src="${basePath}/docs/start.js"></script>`,
  );

/**
 * Starts the page above. Requests go to the address that the page was loaded from, which may be
 * another name of the service than PUBLIC_URL. A key that was entered is kept by the browser.
 */
export const DOCS_SCRIPT = `const base = new URL("..", document.currentScript.src).href;
const ownServer = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (update) => (spec) =>
          update({ ...spec, servers: [{ url: base.replace(/[/]$/, "") }] }),
      },
    },
  },
});
window.ui = SwaggerUIBundle({
  url: base + "api/v1/openapi.json",
  plugins: [ownServer],
  dom_id: "#swagger-ui",
  deepLinking: true,
  displayRequestDuration: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

const problemRows = Object.entries(FAILURES).map(
  ([code, { status, title }]) =>
    `<tr id="${code}"><td><code>${code.replaceAll("_", "_<wbr>")}</code></td><td>${status}</td><td>${title}</td></tr>`,
);

/** The page that the `type` of a problem links to. */
export const problemsPage = (basePath: string) =>
  page(
    basePath,
    "orbifold API: problems",
    `<link rel="stylesheet" href="${basePath}/docs/docs.css">`,
    `<main class="problems">
<h1>Problems</h1>
<p>Every error response is problem details (RFC 9457). Its <code>code</code> is one of these;
<a href="${basePath}/docs">each operation</a> lists those that it can answer with.</p>
<table>
<thead><tr><th>Code</th><th>Status</th><th>Title</th></tr></thead>
<tbody>
${problemRows.join("\n")}
</tbody>
</table>
</main>`,
  );

/**
 * Styles of both pages. No operation has links, whose column makes narrow pages scroll sideways.
 */
export const DOCS_STYLE = `.swagger-ui .response-col_links { display: none; }
.problems { font: 1rem/1.5 system-ui, sans-serif; color: #1b1b1f; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; }
.problems table { border-collapse: collapse; width: 100%; }
.problems :is(th, td) { text-align: left; padding: 0.4rem 0.8rem 0.4rem 0; border-bottom: 1px solid #ddd; }
.problems tr:target { background: #fff3c4; }
`;

/** Content security policy: scripts, styles and requests of the same origin only. */
export const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

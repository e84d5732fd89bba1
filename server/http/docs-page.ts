/** The pages under /docs. They ask no other host for anything and run no inline script. */
import { PROBLEMS } from "./problem.ts";

const page = (title: string, head: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
${head}
</head>
<body>
${body}
</body>
</html>
`;

/** The page with every route to try out. */
export const DOCS_PAGE = page(
  "orbifold API",
  '<link rel="stylesheet" href="/docs/swagger-ui.css">',
  `<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>`,
);

/** Starts the page above. A key that was entered is kept by the browser. */
export const DOCS_SCRIPT = `window.ui = SwaggerUIBundle({
  url: "/api/v1/openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  displayRequestDuration: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

const problemRows = Object.entries(PROBLEMS).map(
  ([code, { status, title }]) =>
    `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${title}</td></tr>`,
);

/** The page that the \`type\` of a problem leads to. */
export const PROBLEMS_PAGE = page(
  "orbifold API: problems",
  "",
  `<h1>Problems</h1>
<p>Every error is problem details (RFC 9457); its <code>code</code> is one of these.</p>
<table>
<tr><th>code</th><th>status</th><th>meaning</th></tr>
${problemRows.join("\n")}
</table>`,
);

/** What the pages may do: run and show what comes from here, ask this service. */
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

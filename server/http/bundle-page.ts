/** Pages whose content a script of the bundle makes. They load nothing from other hosts. */
import type { PageFiles } from "../../editor/bundle.ts";

/** Where the files of the bundle are served. */
export const EDITOR_FILES = "/editor/files";

/** Headers of pages: their URLs contain tokens. */
export const PAGE_HEADERS = { "Referrer-Policy": "no-referrer", "Cache-Control": "no-cache" };

interface BundlePage {
  /** Links start with it. */
  readonly basePath: string;
  readonly title: string;
  readonly files: PageFiles;
  /** What the script has to know of the service, as attributes of the body; default: nothing. */
  readonly facts?: Readonly<Record<string, string>>;
}

export const bundlePage = ({ basePath, title, files, facts = {} }: BundlePage) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" type="image/png" href="${basePath}/docs/favicon-32x32.png">
<link rel="stylesheet" href="${basePath}${EDITOR_FILES}/${files.styles}">
<script type="module" src="${basePath}${EDITOR_FILES}/${files.script}"></script>
</head>
<body${attributesOf(facts)}>
<noscript>This page needs JavaScript. The <a href="${basePath}/docs">documentation</a> of the API has examples for programs.</noscript>
</body>
</html>
`;

const attributesOf = (facts: Readonly<Record<string, string>>) =>
  Object.entries(facts)
    .map(([name, value]) => ` data-${name}="${escaped(value)}"`)
    .join("");

const escaped = (value: string) => value.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

/**
 * Bundles packages of many files in place, in `node_modules`: Node takes a third of a millisecond to
 * load a file, again in each process and each thread. `npm ci` runs it; without it everything starts
 * more slowly, and nothing else changes.
 */
import { createRequire, findPackageJSON } from "node:module";
import { dirname, extname } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";

/** All specifiers of each package that the program or another package imports. */
const MODULES = [
  ["typebox", "typebox/value", "typebox/compile", "typebox/error", "typebox/system"],
  ["zod", "zod/v3", "zod/v4", "zod/v4-mini"],
  ["zod-to-json-schema"],
  ["@opentelemetry/api"],
  ["slonik"],
  ["@slonik/sql-tag"],
  ["pg-boss"],
  ["jose"],
];

/** Packages of CommonJS modules. */
const COMMON_JS = ["gpu.js"];

const common: BuildOptions = {
  allowOverwrite: true,
  bundle: true,
  packages: "external",
  platform: "node",
  target: "node24",
  logLevel: "warning",
};

for (const specifiers of MODULES) {
  const entryPoints = specifiers.map((name) => fileURLToPath(import.meta.resolve(name)));
  const folder = dirname(findPackageJSON(specifiers[0], import.meta.url) ?? "");
  await build({
    ...common,
    entryPoints,
    outdir: folder,
    outbase: folder,
    outExtension: { ".js": extname(entryPoints[0]) },
    format: "esm",
    splitting: true,
  });
}

const require = createRequire(import.meta.url);
for (const name of COMMON_JS) {
  const file = require.resolve(name);
  // Node finds the names that a CommonJS module exports in its text.
  const names = Object.keys(require(name)).join(", ");
  await build({
    ...common,
    entryPoints: [file],
    outfile: file,
    format: "cjs",
    footer: { js: `0 && (module.exports = { ${names} });` },
  });
}

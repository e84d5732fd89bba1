/**
 * Bundles packages of many files in place, in `node_modules`: Node takes a third of a millisecond to
 * load a file, again in each process and each thread. `npm ci` runs it; without it everything starts
 * more slowly, and nothing else changes.
 */
import { readFile, writeFile } from "node:fs/promises";
import { createRequire, findPackageJSON } from "node:module";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";

/** All specifiers of each package that the program or another package imports. */
const MODULES = [
  ["zod", "zod/v3", "zod/v4", "zod/v4-mini"],
  ["zod-to-json-schema"],
  ["@opentelemetry/api"],
  ["slonik"],
  ["@slonik/sql-tag"],
  ["pg-boss"],
  ["jose"],
];

/** What is imported of typebox. */
const TYPEBOX = [".", "./value", "./compile", "./error", "./system"];

const common: BuildOptions = {
  allowOverwrite: true,
  bundle: true,
  packages: "external",
  platform: "node",
  target: "node24",
  logLevel: "warning",
  // V8 keeps the source, comments and all, in each thread.
  minifyWhitespace: true,
};

/** Returns the path of a package's description. Throws if it is not installed. */
function packageFile(name: string): string {
  const file = findPackageJSON(name, import.meta.url);
  if (file === undefined) throw new Error(`${name} is not installed`);
  return file;
}

/** Bundles modules into files of the same paths in `outdir`, and what they share into further files. */
const bundleModules = (entryPoints: string[], outbase: string, outdir: string) =>
  build({
    ...common,
    entryPoints,
    outbase,
    outdir,
    outExtension: { ".js": extname(entryPoints[0]) },
    format: "esm",
    splitting: true,
  });

/** Rewrites the `package.json` of an installed package. */
async function changeDescription(
  name: string,
  // biome-ignore lint/suspicious/noExplicitAny: each package has other fields
  change: (description: any, folder: string) => Promise<void>,
): Promise<void> {
  const file = packageFile(name);
  const description = JSON.parse(await readFile(file, "utf8"));
  await change(description, dirname(file));
  await writeFile(file, JSON.stringify(description, null, 2));
}

for (const specifiers of MODULES) {
  const folder = dirname(packageFile(specifiers[0]));
  const files = specifiers.map((name) => fileURLToPath(import.meta.resolve(name)));
  await bundleModules(files, folder, folder);
}

// Pages import these as well, and are bundled from their own files, which stay.

await changeDescription("gpu.js", async (description, folder) => {
  const require = createRequire(import.meta.url);
  // Node finds the names that a CommonJS module exports in its text.
  const names = Object.keys(require("gpu.js")).join(", ");
  description.main = "./bundled.js";
  await build({
    ...common,
    entryPoints: [join(folder, "src/index.js")],
    outfile: join(folder, "bundled.js"),
    format: "cjs",
    footer: { js: `0 && (module.exports = { ${names} });` },
  });
});

await changeDescription("typebox", async ({ exports }, folder) => {
  const files: string[] = TYPEBOX.map((path) => exports[path].import);
  await bundleModules(
    files.map((file) => join(folder, file)),
    join(folder, "build"),
    join(folder, "bundled"),
  );
  for (const [at, path] of TYPEBOX.entries()) {
    const types = files[at].replace(".mjs", ".d.mts");
    const bundle = files[at].replace("/build/", "/bundled/");
    exports[path] = { node: { types, default: bundle }, ...exports[path] };
  }
});

/**
 * Bundles the editor and the console for browsers: a script and styles for each, messages in other languages than
 * English, the engine's workers, and the script for shops. Runs in a thread of its own, because kernels are rewritten
 * meanwhile, and posts the bundle.
 */
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parentPort } from "node:worker_threads";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type BuildOptions, build, type Plugin, stop } from "esbuild";
import type { EditorBundle, EditorFile } from "./bundle.ts";
import { keptBundle } from "./bundle-cache.ts";
import { kernelTextModule } from "./kernel-texts.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

const SHARED = {
  absWorkingDir: ROOT,
  bundle: true,
  entryNames: "[name]-[hash]",
  format: "esm",
  legalComments: "none",
  logLevel: "silent",
  outdir: "editor",
  platform: "browser",
  target: "es2024",
  write: false,
} as const satisfies BuildOptions;

/** Folders of messages: of all pages, and of one. */
const MESSAGE_FOLDERS = ["shared", "app", "console"];

/** English messages are in the scripts. */
const TRANSLATIONS = readdirSync(new URL("messages/shared", import.meta.url))
  .map((name) => basename(name, ".json"))
  .filter((language) => language !== "en");

/** Returns what `make` returns for each of the names, by them. */
const byName = <Value>(names: readonly string[], make: (name: string) => Value) =>
  Object.fromEntries(names.map((name) => [name, make(name)]));

async function makeBundle(): Promise<EditorBundle> {
  try {
    const workers = await bundled({
      entryPoints: { worker: "editor/engine/worker.ts", mockups: "editor/engine/mockup-worker.ts" },
      // What both are made of is a file of its own, which is loaded once.
      splitting: true,
      minify: true,
      // By which kernels are told apart.
      keepNames: true,
      plugins: [workerPackages],
    });
    const messages = await bundled({
      entryPoints: Object.fromEntries(
        MESSAGE_FOLDERS.flatMap((folder) =>
          TRANSLATIONS.map((one) => [`${folder}-${one}`, `editor/messages/${folder}/${one}.json`]),
        ),
      ),
      loader: { ".json": "copy" },
    });
    const pages = await bundled({
      entryPoints: { editor: "editor/app/main.tsx", console: "editor/console/main.tsx" },
      minify: true,
      jsx: "automatic",
      jsxImportSource: "preact",
      define: {
        WORKER_FILE: JSON.stringify(nameIn(workers, "worker", ".js")),
        MOCKUP_WORKER_FILE: JSON.stringify(nameIn(workers, "mockups", ".js")),
        MESSAGE_FILES: JSON.stringify(
          byName(MESSAGE_FOLDERS, (folder) =>
            byName(TRANSLATIONS, (one) => nameIn(messages, `${folder}-${one}`, ".json")),
          ),
        ),
      },
    });
    const shop = await bundled({
      entryPoints: ["editor/embed/embed.ts"],
      minify: true,
      format: "iife",
    });
    const [embed] = shop.values();
    if (embed === undefined) throw new Error("the script for shops is missing");
    const filesOf = (page: string) => ({
      script: nameIn(pages, page, ".js"),
      styles: nameIn(pages, page, ".css"),
    });
    const files = new Map([...workers, ...messages, ...pages]);
    return { files, editor: filesOf("editor"), console: filesOf("console"), embed };
  } finally {
    await stop();
  }
}

const MEDIA_TYPES = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
} as const;
type Extension = keyof typeof MEDIA_TYPES;

async function bundled(options: BuildOptions): Promise<ReadonlyMap<string, EditorFile>> {
  const { outputFiles = [] } = await build({ ...SHARED, ...options });
  return new Map(
    await Promise.all(
      outputFiles.map(async ({ path, contents }) => {
        const mediaType = MEDIA_TYPES[path.slice(path.lastIndexOf(".")) as Extension];
        return [basename(path), { mediaType, ...(await compressed(contents)) }] as const;
      }),
    ),
  );
}

/** Of 11. The best one takes seconds for a few percent. */
const BROTLI_QUALITY = 9;

async function compressed(bytes: Uint8Array) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const [brotli, zipped] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  return { bytes, brotli, gzip: zipped };
}

function nameIn(
  files: ReadonlyMap<string, EditorFile>,
  entry: string,
  extension: Extension,
): string {
  const name = [...files.keys()].find(
    (one) => one.startsWith(`${entry}-`) && one.endsWith(extension),
  );
  if (name === undefined) throw new Error(`the bundle has no ${entry}-*${extension}`);
  return name;
}

const { resolve } = createRequire(import.meta.url);

/** Backends of gpu.js that the editor does not use, a quarter of it, and a plugin for their shaders. */
const UNUSED_BACKENDS = /\/gpu\.js\/src\/(backend\/(gl|headless-gl|web-gl|web-gl2)|plugins)\//;

/**
 * Makes the worker smaller. gpu.js's own bundle for browsers has every backend, so its modules are
 * bundled here.
 */
const workerPackages: Plugin = {
  name: "worker packages",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^acorn$/ }, ({ path }) => ({ path: resolve(path) }));
    onResolve({ filter: /^gpu\.js$/ }, () => ({ path: resolve("gpu.js/src/index.js") }));
    // gpu.js looks for them, and does without.
    onResolve({ filter: /^(gl|os|worker_threads)$/ }, ({ path }) => ({ path, external: true }));
    // Only the server draws presets: what nobody uses of the catalogues is left out.
    onResolve({ filter: /\/presets\/[\w-]+\.ts$/ }, ({ path, resolveDir }) => ({
      path: fileURLToPath(new URL(path, `file://${resolveDir}/`)),
      sideEffects: false,
    }));
    onLoad({ filter: UNUSED_BACKENDS }, () => ({ contents: "", loader: "js" }));
    // The engine runs kernels one by one, each in the thread that calls it.
    onLoad({ filter: /\/gpu\.js\/src\/pipeline\.js$/ }, () => ({
      contents: "exports.getActiveTrace = () => null;",
      loader: "js",
    }));
    onLoad({ filter: /\/gpu\.js\/src\/backend\/web-assembly\/worker-pool\.js$/ }, () => ({
      contents: "exports.WebAssemblyWorkerPool = class {};",
      loader: "js",
    }));
    // gpu.js's fallback where a kernel does not run; it has logged the reason.
    onLoad({ filter: /\/gpu\.js\/src\/backend\/cpu\/kernel\.js$/ }, () => ({
      contents:
        'exports.CPUKernel = class { constructor() { throw new Error("a kernel does not run in this browser; the console says why"); } };',
      loader: "js",
    }));
    // A mode to debug kernels, and what that needs.
    onLoad({ filter: /\/gpu-mock\.js\/index\.js$|\/cpu\/function-node\.js$/ }, () => ({
      contents: "",
      loader: "js",
    }));
    // No schema of the engine has a format to check.
    onLoad({ filter: /\/typebox\/build\/format\/index\.mjs$/ }, () => ({
      contents: "export const Format = { Has: () => false };",
      loader: "js",
    }));
    onLoad({ filter: /\/kernel-text\.ts$/ }, async () => ({
      contents: await kernelTextModule(),
      loader: "js",
    }));
    // A namespace that is imported whole is bundled whole, used or not.
    onLoad({ filter: /\/(engine|shaders)\/.*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8"))
        .replace(
          /^import Type, (\{.*\}) from "typebox";/m,
          'import Type from "typebox"; import $1 from "typebox";',
        )
        .replace('import Type from "typebox";', 'import * as Type from "typebox";')
        .replace(
          'import { Value } from "typebox/value";',
          'import * as Value from "typebox/value";',
        ),
      loader: "ts",
    }));
  },
};

parentPort?.postMessage(await keptBundle(makeBundle));

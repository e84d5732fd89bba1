/** Keeps the bundle beside the packages, so that only the first process after a change makes it. */
import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { deserialize, serialize } from "node:v8";
import type { EditorBundle } from "./bundle.ts";

const ROOT = new URL("..", import.meta.url);
const FOLDER = new URL("node_modules/.cache/editor/", ROOT);

/** All that a bundle is made of or by. */
const INPUTS = [
  "{editor,engine,shaders}/**/*.{ts,tsx,css,json}",
  "package.json",
  "package-lock.json",
];

/** Resolves with the bundle of the present files, which is made unless it is kept. */
export async function keptBundle(make: () => Promise<EditorBundle>): Promise<EditorBundle> {
  const name = await hashOfInputs();
  const file = new URL(name, FOLDER);
  try {
    return deserialize(await readFile(file));
  } catch {
    const bundle = await make();
    // Packages may be read-only: then every process makes its own.
    await keep(file, bundle).catch(() => undefined);
    return bundle;
  }
}

async function hashOfInputs(): Promise<string> {
  const hash = createHash("sha256").update(process.version);
  for (const path of globSync(INPUTS, { cwd: fileURLToPath(ROOT) }).sort()) {
    hash.update(`${path}\0`).update(await readFile(new URL(path, ROOT)));
  }
  return hash.digest("hex");
}

async function keep(file: URL, bundle: EditorBundle): Promise<void> {
  // One is enough: nobody goes back to older code as often as code changes.
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  // Another process that reads it meanwhile finds all of it or nothing.
  const part = new URL(`${file.href}.${process.pid}`);
  await writeFile(part, serialize(bundle));
  await rename(part, file);
}

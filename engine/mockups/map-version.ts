/** The version of the maps, by which their files and URLs are named. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";

let version: Promise<string> | undefined;

/** Resolves with a hash of the code that determines the maps. */
export function mapVersion(): Promise<string> {
  version ??= hashOfCode();
  return version;
}

async function hashOfCode(): Promise<string> {
  const hash = createHash("sha256");
  for (const folder of ["../../scenes/", "./"]) {
    const url = new URL(folder, import.meta.url);
    const names = await readdir(url, { recursive: true });
    for (const name of names.filter((name) => name.endsWith(".ts")).sort()) {
      hash.update(`${name}\n`).update(await readFile(new URL(name, url)));
    }
  }
  return hash.digest("hex").slice(0, 16);
}

/** Files with the maps of the products' scenes, computed on first use. */
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, open, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HEADER_BYTES, readHeader, sectionsOf } from "./map.ts";

export interface MapFiles {
  /**
   * Returns the path of a product's map. If it does not exist, `make` creates it at the given path;
   * concurrent callers share that.
   */
  pathOf(product: string, make: (path: string) => Promise<unknown>): Promise<string>;
  close(): Promise<void>;
}

/** @param folder of the maps; default: a temporary one, which `close` deletes */
export function createMapFiles(folder?: string): MapFiles {
  const inFlight = new Map<string, Promise<string>>();
  let opened: Promise<{ readonly path: string; readonly version: string }> | undefined;

  const find = async (product: string, make: (path: string) => Promise<unknown>) => {
    opened ??= openFolder(folder);
    const { path, version } = await opened;
    const file = join(path, `${product}-${version}.map`);
    if (await isWhole(file)) return file;
    await make(file);
    await removeOthers(path, product, version);
    return file;
  };

  return {
    pathOf(product, make) {
      const pending = inFlight.get(product);
      if (pending !== undefined) return pending;
      const found = find(product, make).finally(() => inFlight.delete(product));
      inFlight.set(product, found);
      return found;
    },
    async close() {
      if (folder !== undefined || opened === undefined) return;
      const { path } = await opened;
      await rm(path, { recursive: true, force: true });
    },
  };
}

async function openFolder(folder: string | undefined) {
  if (folder !== undefined) await mkdir(folder, { recursive: true });
  const path = folder ?? (await mkdtemp(join(tmpdir(), "orbifold-maps-")));
  return { path, version: await versionOfScenes() };
}

/** Returns a hash of the code that determines the maps. */
async function versionOfScenes(): Promise<string> {
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

/** Whether a complete map exists: a power failure may leave a truncated one. */
async function isWhole(file: string): Promise<boolean> {
  try {
    await using handle = await open(file);
    const { buffer } = await handle.read(Buffer.alloc(HEADER_BYTES));
    const header = readHeader(buffer);
    return (await handle.stat()).size === sectionsOf(header).under + 3 * header.parts;
  } catch {
    return false;
  }
}

/** Deletes the maps of other versions of a product. */
async function removeOthers(folder: string, product: string, version: string): Promise<void> {
  const names = await readdir(folder);
  const others = names.filter(
    (name) => name.startsWith(`${product}-`) && name.endsWith(".map") && !name.includes(version),
  );
  await Promise.all(others.map((name) => rm(join(folder, name), { force: true })));
}

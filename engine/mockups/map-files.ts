/** The maps of the products' scenes as files, made when they are first needed. */
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, open, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HEAD_BYTES, readHead, sectionsOf } from "./map.ts";

export interface MapFiles {
  /**
   * Resolves with the path of a product's map. Where there is none yet, `make` has to make one at the
   * path that it is given; callers at the same time wait for the same.
   */
  pathOf(product: string, make: (path: string) => Promise<unknown>): Promise<string>;
  close(): Promise<void>;
}

/** @param folder where maps are kept; left out: a temporary one, which is removed at the end */
export function createMapFiles(folder?: string): MapFiles {
  const underWay = new Map<string, Promise<string>>();
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
      const pending = underWay.get(product);
      if (pending !== undefined) return pending;
      const found = find(product, make).finally(() => underWay.delete(product));
      underWay.set(product, found);
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

/** A hash of the code that decides what is in a map. */
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

/** Whether there is a map as long as its head says: a power failure may leave less. */
async function isWhole(file: string): Promise<boolean> {
  try {
    await using handle = await open(file);
    const { buffer } = await handle.read(Buffer.alloc(HEAD_BYTES));
    const head = readHead(buffer);
    return (await handle.stat()).size === sectionsOf(head).under + 3 * head.parts;
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

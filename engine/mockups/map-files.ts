/** Files with the maps of the products' scenes, computed on first use. */
import { mkdir, mkdtemp, open, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HEADER_BYTES, readHeader } from "./map.ts";
import { mapVersion } from "./map-version.ts";
import { fileLength } from "./packed-map.ts";

/** The making of a file. */
export interface MapJob {
  readonly product: string;
  /** Pixels of the side of a packed map, for screens; null for the map of mockups. */
  readonly side: number | null;
  /** Where the file is written. */
  readonly path: string;
}

export interface MapFiles {
  /**
   * Returns the path of a map, which is called by its product or, if it is packed, by product and side. If it
   * does not exist, `make` creates it at the given path; concurrent callers share that.
   */
  pathOf(name: string, make: (path: string) => Promise<unknown>): Promise<string>;
  close(): Promise<void>;
}

/** @param folder of the maps; default: a temporary one, which `close` deletes */
export function createMapFiles(folder?: string): MapFiles {
  const inFlight = new Map<string, Promise<string>>();
  let opened: Promise<{ readonly path: string; readonly version: string }> | undefined;

  const find = async (name: string, make: (path: string) => Promise<unknown>) => {
    opened ??= openFolder(folder);
    const { path, version } = await opened;
    const file = join(path, `${name}-${version}.map`);
    if (await isWhole(file)) return file;
    await make(file);
    await removeOthers(path, name, version);
    return file;
  };

  return {
    pathOf(name, make) {
      const pending = inFlight.get(name);
      if (pending !== undefined) return pending;
      const found = find(name, make).finally(() => inFlight.delete(name));
      inFlight.set(name, found);
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
  return { path, version: await mapVersion() };
}

/** Whether a complete map exists: a power failure may leave a truncated one. */
async function isWhole(file: string): Promise<boolean> {
  try {
    await using handle = await open(file);
    const { buffer } = await handle.read(Buffer.alloc(HEADER_BYTES));
    const header = readHeader(buffer);
    return (await handle.stat()).size === fileLength(header);
  } catch {
    return false;
  }
}

/** Deletes other versions of a map. */
async function removeOthers(folder: string, map: string, version: string): Promise<void> {
  const names = await readdir(folder);
  const others = names.filter(
    (name) => name.startsWith(`${map}-`) && name.endsWith(".map") && !name.includes(version),
  );
  await Promise.all(others.map((name) => rm(join(folder, name), { force: true })));
}

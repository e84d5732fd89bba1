/** The folder of what the benchmark keeps between runs: pictures and profiles. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./git.ts";

/** Creates a folder of the cache, which `npm ci` empties, and returns its path. */
export async function cacheFolder(name: string): Promise<string> {
  const folder = join(ROOT, "node_modules", ".cache", "bench", name);
  await mkdir(folder, { recursive: true });
  return folder;
}

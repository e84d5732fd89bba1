/** Writes the map of a product to a file. Imported on demand, because it loads the scenes. */
import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { scenes } from "../../scenes/index.ts";
import { MOCKUP_SIZE } from "../../scenes/scene.ts";
import { makeMap } from "./make-map.ts";

/**
 * Computes a product's map and writes it to `path` atomically.
 * @param checkpoint called every few rows; may throw
 */
export async function makeMapFile(
  product: string,
  path: string,
  checkpoint: () => Promise<void>,
): Promise<void> {
  await checkpoint();
  const map = await makeMap(scenes[product](), MOCKUP_SIZE, checkpoint);
  const written = `${path}.${randomUUID()}`;
  try {
    await using file = await open(written, "wx");
    await file.writev([...map]);
    await file.sync();
    await rename(written, path);
  } catch (error) {
    await rm(written, { force: true });
    throw error;
  }
}

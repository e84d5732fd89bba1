/** Writes the map of a product to a file. Imported on demand, because it loads the scenes. */
import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { scenes } from "../../scenes/index.ts";
import { MOCKUP_SIZE } from "../../scenes/scene.ts";
import { makeMap } from "./make-map.ts";
import type { MapJob } from "./map-files.ts";
import { packMap } from "./packed-map.ts";

/**
 * Computes a product's map and writes it to a file atomically.
 * @param checkpoint called every few rows; may throw
 */
export async function makeMapFile(
  { product, side, path }: MapJob,
  checkpoint: () => Promise<void>,
): Promise<void> {
  await checkpoint();
  const made = await makeMap(scenes[product](), side ?? MOCKUP_SIZE, checkpoint);
  const map = side === null ? made : [await packMap(joined(made))];
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

/** Returns the pieces in one buffer of their own, in which the planes are aligned. */
const joined = (pieces: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(pieces));

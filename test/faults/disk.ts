/** A disk that can be full. */
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Test } from "tap";
import { smallDisk } from "../helpers/small-disk.ts";

export interface FaultyDisk {
  readonly folder: string;
  /** Takes all space that is left, also what is freed meanwhile, for some time. */
  fill(milliseconds: number): Promise<void>;
}

const MEBIBYTES = 64;

/** How often what others have freed is taken, too. */
const STEP_MS = 100;

const BLOCK = Buffer.alloc(2 ** 16);

/** Mounts it until the test ends. Resolves with null, after skipping the test, if this user may not mount. */
export async function mountFaultyDisk(t: Test): Promise<FaultyDisk | null> {
  const folder = await smallDisk(t, MEBIBYTES);
  if (folder === null) return null;
  return {
    folder,
    async fill(milliseconds) {
      const path = join(folder, "filling");
      const file = await open(path, "w");
      const end = performance.now() + milliseconds;
      try {
        while (performance.now() < end) {
          const hasRoom = await file.write(BLOCK).then(
            () => true,
            () => false,
          );
          if (!hasRoom) await delay(STEP_MS);
        }
      } finally {
        await file.close();
        await rm(path);
      }
    },
  };
}

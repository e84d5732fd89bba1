/** The memory of pictures, which pages return once they have shown them. */
import type { Size } from "../../engine/core.ts";

/** Pictures of as many sizes follow each other: drafts and whole ones of a pattern, and previews. */
const MOST_KEPT = 4;

export interface PictureMemory {
  /** Returns bytes for a picture's red, green, blue and alpha; those of an earlier one, if there are any of that size. */
  take(size: Size): ArrayBuffer;
  /** Keeps memory that is no longer needed. */
  give(memory: ArrayBuffer): void;
}

export function createPictureMemory(): PictureMemory {
  /** Oldest first. */
  const kept: ArrayBuffer[] = [];
  return {
    take({ width, height }) {
      const bytes = 4 * width * height;
      const at = kept.findIndex(({ byteLength }) => byteLength === bytes);
      return at < 0 ? new ArrayBuffer(bytes) : kept.splice(at, 1)[0];
    },
    give(memory) {
      kept.push(memory);
      if (kept.length > MOST_KEPT) kept.shift();
    },
  };
}

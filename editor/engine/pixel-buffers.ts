/** Buffers of pictures, which pages return once they have shown them: to get a large one takes longer than to fill it. */
import type { Size } from "../../engine/core.ts";
import type { Pixels } from "./protocol.ts";

/** Fewest bytes of a buffer that is kept: browsers have smaller ones at hand. */
const LEAST_BYTES = 1 << 17;
/** A pattern and its drafts have a few sizes. */
const MOST_KEPT = 4;

export interface PixelBuffers {
  /** Returns a picture to be filled, in the buffer of an earlier one of as many pixels if there is one. */
  take(size: Size): Pixels;
  /** Keeps a buffer that is no longer needed; the oldest ones are let go. */
  giveBack(buffer: ArrayBuffer): void;
}

export function createPixelBuffers(): PixelBuffers {
  /** Oldest first. */
  const kept: ArrayBuffer[] = [];
  return {
    take({ width, height }) {
      const bytes = 4 * width * height;
      const at = kept.findIndex(({ byteLength }) => byteLength === bytes);
      const buffer = at < 0 ? new ArrayBuffer(bytes) : kept.splice(at, 1)[0];
      return { width, height, buffer };
    },
    giveBack(buffer) {
      if (buffer.byteLength < LEAST_BYTES) return;
      kept.push(buffer);
      if (kept.length > MOST_KEPT) kept.shift();
    },
  };
}

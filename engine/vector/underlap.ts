/**
 * The areas of inks that are painted one over the other. An ink extends a little below those that are painted after
 * it: where programs smooth the edges of areas that only touch, they show a hairline between them.
 */
import type { Size } from "../size.ts";
import type { Bitmap } from "./trace.ts";

/** The place of each pixel's ink in the order of painting, from 1, row by row; 0 for none. */
export interface InkMap extends Size {
  readonly inks: Uint8Array;
}

/** Most inks of a map: one bit each. */
export const MOST_INKS = 30;

/** Pixels by which an ink extends below the others. */
const UNDERLAP = 2;

/** Returns the areas of the inks 1 … `count` in the order of painting, one at a time. */
export function* areasWithUnderlap(map: InkMap, count: number): Generator<Bitmap> {
  const { width, height, inks } = map;
  const near = inksWithin(map, UNDERLAP);
  const beside = inksWithin(map, 1);
  for (let ink = 1; ink <= count; ink++) {
    const bit = 1 << ink;
    const pixels = new Uint8Array(width * height);
    for (let at = 0; at < pixels.length; at++) {
      // Not beside an ink further below, where its own edge would show.
      const isBelow = inks[at] > ink && (near[at] & bit) !== 0 && (beside[at] & (bit - 1)) === 0;
      pixels[at] = inks[at] === ink || isBelow ? 1 : 0;
    }
    yield { width, height, pixels };
  }
}

/** Returns for each pixel which inks are within so many rows and columns: bit n is set for ink n. */
function inksWithin({ width, height, inks }: InkMap, distance: number): Int32Array {
  const across = new Int32Array(inks.length);
  const within = new Int32Array(inks.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const last = Math.min(width - 1, x + distance);
      for (let n = Math.max(0, x - distance); n <= last; n++) {
        across[y * width + x] |= 1 << inks[y * width + n];
      }
    }
  }
  for (let y = 0; y < height; y++) {
    const last = Math.min(height - 1, y + distance);
    for (let n = Math.max(0, y - distance); n <= last; n++) {
      for (let x = 0; x < width; x++) within[y * width + x] |= across[n * width + x];
    }
  }
  return within;
}

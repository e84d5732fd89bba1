/** Removes regions of a few pixels from a tile. */
import { type InkMap, MOST_INKS } from "./underlap.ts";

/**
 * Returns a tile without connected regions of fewer than `least` pixels: each has the ink that most of the pixels
 * around it have, until none is left. The tile repeats: its first row follows its last.
 */
export function withoutSpecks({ width, height, inks }: InkMap, least: number): InkMap {
  const cleared = inks.slice();
  /** 1 for pixels whose region is known to be large enough. */
  const isLarge = new Uint8Array(inks.length);
  /** The last search that has come to a pixel. */
  const seenBy = new Int32Array(inks.length);
  const region = new Int32Array(least);
  const around = new Int32Array(MOST_INKS + 1);
  const neighbourOf = (at: number, x: number, side: number): number => {
    switch (side) {
      case 0:
        return x === 0 ? at + width - 1 : at - 1;
      case 1:
        return x === width - 1 ? at - x : at + 1;
      case 2:
        return at < width ? at + inks.length - width : at - width;
      default:
        return at + width < inks.length ? at + width : x;
    }
  };
  let search = 0;
  /** The ink that most of the pixels around the last explored region have, and how many they are. */
  let most = 0;
  let count = 0;

  /** Fills `region` and returns how many pixels it has; `least` if as many or more. */
  const explore = (start: number): number => {
    const ink = cleared[start];
    around.fill(0);
    most = count = 0;
    region[0] = start;
    seenBy[start] = ++search;
    let size = 1;
    for (let next = 0; next < size; next++) {
      const at = region[next];
      const x = at % width;
      for (let side = 0; side < 4; side++) {
        const neighbour = neighbourOf(at, x, side);
        const other = cleared[neighbour];
        if (other !== ink) {
          if (++around[other] > count) [most, count] = [other, around[other]];
        } else if (isLarge[neighbour] === 1) {
          return least;
        } else if (seenBy[neighbour] !== search) {
          seenBy[neighbour] = search;
          region[size++] = neighbour;
          if (size === least) return least;
        }
      }
    }
    return size;
  };

  for (let start = 0; start < inks.length; start++) {
    while (!isLarge[start]) {
      const size = explore(start);
      if (size >= least || count === 0) {
        isLarge[start] = 1;
      } else {
        for (let n = 0; n < size; n++) cleared[region[n]] = most;
      }
    }
  }
  return { width, height, inks: cleared };
}

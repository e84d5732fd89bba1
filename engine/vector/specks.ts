/** Removes regions of a few pixels from a tile. */
import type { InkMap } from "./traps.ts";

/**
 * Returns a tile in which connected regions of fewer than `least` pixels have the ink that most of the pixels around
 * them have. The tile repeats: its first row follows its last.
 */
export function withoutSpecks({ width, height, inks }: InkMap, least: number): InkMap {
  const cleared = inks.slice();
  const isKnown = new Uint8Array(inks.length);
  const region = new Int32Array(inks.length);
  const around = new Map<number, number>();
  const neighbours = new Int32Array(4);
  for (let start = 0; start < inks.length; start++) {
    if (isKnown[start]) continue;
    const ink = inks[start];
    around.clear();
    region[0] = start;
    isKnown[start] = 1;
    let size = 1;
    for (let next = 0; next < size; next++) {
      const at = region[next];
      const x = at % width;
      neighbours[0] = x === 0 ? at + width - 1 : at - 1;
      neighbours[1] = x === width - 1 ? at - x : at + 1;
      neighbours[2] = at < width ? at + inks.length - width : at - width;
      neighbours[3] = at + width < inks.length ? at + width : x;
      for (const neighbour of neighbours) {
        const other = inks[neighbour];
        if (other !== ink) around.set(other, (around.get(other) ?? 0) + 1);
        else if (!isKnown[neighbour]) {
          isKnown[neighbour] = 1;
          region[size++] = neighbour;
        }
      }
    }
    if (size >= least || around.size === 0) continue;
    const [[most]] = [...around].sort(([a, m], [b, n]) => n - m || a - b);
    for (const at of region.subarray(0, size)) cleared[at] = most;
  }
  return { width, height, inks: cleared };
}

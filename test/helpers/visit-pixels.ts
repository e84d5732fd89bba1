import type { Point } from "../../engine/geometry/affine.ts";
import type { Domain } from "../../engine/geometry/domain.ts";
import { indicesOf, splitBySets } from "../../engine/geometry/element-sets.ts";
import { type Line, unfold } from "../../engine/geometry/unfold.ts";
import type { Window } from "../../engine/geometry/window.ts";

/**
 * Calls `visit` with the folded position of each pixel of a line, and the indices of the elements that are sampled
 * there. Returns how often pieces were not split in order, or not whole.
 */
export function visitPixels(
  domain: Domain,
  window: Window,
  line: Line,
  visit: (point: Point, indices: readonly number[]) => void,
): number {
  let wrong = 0;
  unfold(domain, line, (piece) => {
    const { x, y, stepX, stepY, count } = piece;
    let next = 0;
    splitBySets(window, piece, (from, to, set) => {
      if (from !== next || to <= from) wrong++;
      next = to;
      const indices = indicesOf(set);
      for (let k = from; k < to; k++) {
        visit({ x: x + k * stepX, y: y + k * stepY }, indices);
      }
    });
    if (next !== count) wrong++;
  });
  return wrong;
}

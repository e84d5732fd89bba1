/** How far from the origin tilings are laid. */

import type { Box } from "./tiling.ts";

/** Boxes lie within this distance of both axes, in the tiling's unit of length. */
export const REACH = 100_000;

/** Throws a RangeError where a box's sides are not in order or not numbers within REACH. */
export function checkBox({ left, top, right, bottom }: Box): void {
  for (const [low, high] of [
    [left, right],
    [top, bottom],
  ] as const) {
    if (!(-REACH <= low && low <= high && high <= REACH)) {
      throw new RangeError(`a box lies within ±${REACH} of the origin, not from ${low} to ${high}`);
    }
  }
}

/** Points in the unit square with wrapping edges. */
import { between, type Random } from "./random.ts";

/** A round place; unit: edges of the square. */
export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** Returns the offset from `from` to the nearest copy of `to`, −½…½. */
function wrappedOffset(from: number, to: number): number {
  const offset = to - from;
  return offset - Math.floor(offset + 0.5);
}

/** Returns the distance from a point to the nearest copy of a spot's centre. */
export function distance(x: number, y: number, spot: Spot): number {
  return Math.hypot(wrappedOffset(x, spot.x), wrappedOffset(y, spot.y));
}

/** Returns the distance from a point to the nearest rim of `spots`, negative inside one. */
function clearance(x: number, y: number, spots: readonly Spot[]): number {
  let room = 0.5;
  for (const spot of spots) {
    const away = distance(x, y, spot) - spot.radius;
    if (away < room) room = away;
  }
  return room;
}

/**
 * Returns up to `count` further spots with radii between `smallest` and `largest`, each where most
 * space is left (Mitchell's best candidate); `overlap` is the share of a radius that may overlap
 * a neighbour. Ends early when nothing fits. `taken` is read, not changed.
 */
export function scatter(
  random: Random,
  taken: readonly Spot[],
  options: {
    readonly count: number;
    readonly smallest: number;
    readonly largest: number;
    readonly overlap?: number;
    readonly candidates?: number;
  },
): Spot[] {
  const { count, smallest, largest, overlap = 0, candidates = 40 } = options;
  const all = [...taken];
  const added: Spot[] = [];
  for (let index = 0; index < count; index++) {
    let best: Spot | undefined;
    let bestRoom = -1;
    for (let candidate = 0; candidate < candidates; candidate++) {
      const x = random();
      const y = random();
      const room = clearance(x, y, all);
      if (room > bestRoom) {
        bestRoom = room;
        best = { x, y, radius: 0 };
      }
    }
    const radius = Math.min(bestRoom / (1 - overlap), between(random, smallest, largest));
    if (best === undefined || radius < smallest) break;
    const spot = { ...best, radius };
    all.push(spot);
    added.push(spot);
  }
  return added;
}

/** Chooses the origin of a substitution tiling from a seed. */

import { between, type Random } from "../../shaders/lib/random.ts";
import type { Substitution } from "./substitution.ts";

/**
 * Returns a path from a patch of the last level down to a tile or an empty patch: first through the
 * pieces of `anchor`, which keep the origin far from the boundary of the root patch, then at random.
 */
export function seededPath(
  { levels }: Substitution,
  kind: number,
  anchor: readonly number[],
  random: Random,
): number[] {
  const path: number[] = [];
  let patch = kind;
  for (const kinds of levels.toReversed()) {
    const pieces = kinds[patch] ?? [];
    if (pieces.length === 0) break;
    const index = anchor[path.length] ?? Math.floor(between(random, 0, pieces.length));
    path.push(index);
    patch = pieces[index]?.kind;
  }
  return path;
}

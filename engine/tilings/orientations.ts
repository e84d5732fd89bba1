/** Numbered rotations and mirror images of a ring, with tables for the descent of a substitution. */

import type { Affine } from "../geometry/affine.ts";
import { type Motion, pointOf, power, type Ring, rotate } from "./ring.ts";

type Four<T> = readonly [T, T, T, T];

/** Four rows of four integers. */
export type Matrix = Four<Four<number>>;

export interface Orientations {
  /** Maps of the plane. */
  readonly linear: readonly Affine[];
  /** Maps of the four coefficients of a ring element. */
  readonly matrices: readonly Matrix[];
  /** products[p][q] is the orientation of p after q. */
  readonly products: readonly Uint8Array[];
}

/** Returns an orientation's number: rotations come first, then rotations of the mirror image. */
export const orientationOf = (
  { order }: Ring,
  { turn, mirrored }: Omit<Motion, "shift">,
): number => (mirrored ? order + turn : turn);

/** Returns the tables, indexed by `orientationOf`. */
export function orientationsOf(ring: Ring): Orientations {
  const all = [false, true].flatMap((mirrored) =>
    ring.powers.map((_, turn) => ({ turn, mirrored })),
  );
  return {
    linear: all.map(({ turn, mirrored }) => {
      const { x, y } = pointOf(ring, power(ring, turn));
      return mirrored
        ? { a: x, b: y, c: y, d: -x, e: 0, f: 0 }
        : { a: x, b: -y, c: y, d: x, e: 0, f: 0 };
    }),
    matrices: all.map(({ turn, mirrored }) => {
      const columns = [0, 1, 2, 3].map((k) => rotate(ring, power(ring, k), turn, mirrored));
      return [0, 1, 2, 3].map((row) => columns.map((z) => z[row])) as unknown as Matrix;
    }),
    products: all.map((p) =>
      Uint8Array.from(all, (q) => {
        const turn = (p.turn + (p.mirrored ? -q.turn : q.turn) + ring.order) % ring.order;
        return orientationOf(ring, { turn, mirrored: p.mirrored !== q.mirrored });
      }),
    ),
  };
}

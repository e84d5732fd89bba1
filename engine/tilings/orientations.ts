/** Numbered rotations and mirror images of a ring, with tables for the descent of a substitution. */

import type { Affine } from "../geometry/affine.ts";
import { type Motion, pointOf, power, type Ring, type RingElement, rotate } from "./ring.ts";

/** Four rows of four integers. */
export type Matrix = readonly RingElement[];

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
      const [a, b, c, d] = [0, 1, 2, 3].map((k) => rotate(ring, power(ring, k), turn, mirrored));
      return [0, 1, 2, 3].map((row): RingElement => [a[row], b[row], c[row], d[row]]);
    }),
    products: all.map((p) =>
      Uint8Array.from(all, (q) => {
        const turn = (p.turn + (p.mirrored ? -q.turn : q.turn) + ring.order) % ring.order;
        return orientationOf(ring, { turn, mirrored: p.mirrored !== q.mirrored });
      }),
    ),
  };
}

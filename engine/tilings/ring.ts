/**
 * Exact plane geometry for tilings whose corners lie on multiples of one angle: the whole numbers of
 * Z[ζ], ζ = e^(2πi/order), each written as c₀ + c₁ζ + c₂ζ² + c₃ζ³ with integers c.
 */

import type { Point } from "../geometry/affine.ts";

export type RingNumber = readonly [number, number, number, number];

export interface Ring {
  readonly order: number;
  /** ζ⁰ … ζ^(order−1). */
  readonly powers: readonly RingNumber[];
}

/** z ↦ ζ^turn·z + shift, or ζ^turn·z̄ + shift where `mirrored`. `turn` is in 0 … order−1. */
export interface Motion {
  readonly turn: number;
  readonly mirrored: boolean;
  readonly shift: RingNumber;
}

export const ZERO: RingNumber = [0, 0, 0, 0];

export const STAY: Motion = { turn: 0, mirrored: false, shift: ZERO };

function ringOf(order: number, fourth: RingNumber): Ring {
  const powers: RingNumber[] = [[1, 0, 0, 0]];
  while (powers.length < order) {
    const [a, b, c, d] = powers.at(-1) as RingNumber;
    powers.push(sum([0, a, b, c], multiple(fourth, d)));
  }
  return { order, powers };
}

export const sum = (z: RingNumber, w: RingNumber): RingNumber => [
  z[0] + w[0],
  z[1] + w[1],
  z[2] + w[2],
  z[3] + w[3],
];

export const multiple = (z: RingNumber, factor: number): RingNumber => [
  z[0] * factor,
  z[1] * factor,
  z[2] * factor,
  z[3] * factor,
];

export const difference = (z: RingNumber, w: RingNumber): RingNumber => sum(z, multiple(w, -1));

export const equal = (z: RingNumber, w: RingNumber): boolean => z.every((c, k) => c === w[k]);

/** Z[e^(2πi/10)]: ζ⁴ = ζ³ − ζ² + ζ − 1. */
export const TENTHS = ringOf(10, [-1, 1, -1, 1]);

/** Z[e^(2πi/12)]: ζ⁴ = ζ² − 1. */
export const TWELFTHS = ringOf(12, [-1, 0, 1, 0]);

/** The power of ζ with any integer exponent. */
export const power = ({ order, powers }: Ring, exponent: number): RingNumber =>
  powers[((exponent % order) + order) % order] as RingNumber;

/** ζ^turn·z, with the complex conjugate of z where `mirrored`. */
export function turned(ring: Ring, z: RingNumber, turn: number, mirrored = false): RingNumber {
  return z.reduce<RingNumber>(
    (total, c, k) => sum(total, multiple(power(ring, mirrored ? turn - k : turn + k), c)),
    ZERO,
  );
}

/** Where a motion takes a number. */
export const moved = (ring: Ring, { turn, mirrored, shift }: Motion, z: RingNumber): RingNumber =>
  sum(turned(ring, z, turn, mirrored), shift);

/** The motion that does the second one first. */
export function joined(ring: Ring, first: Motion, second: Motion): Motion {
  const turn = first.turn + (first.mirrored ? -second.turn : second.turn);
  return {
    turn: (turn + ring.order) % ring.order,
    mirrored: first.mirrored !== second.mirrored,
    shift: moved(ring, first, second.shift),
  };
}

/** The point of the plane, x to the right. */
export function pointOf({ order }: Ring, z: RingNumber): Point {
  const angle = (2 * Math.PI) / order;
  return {
    x: z.reduce((total, c, k) => total + c * Math.cos(k * angle), 0),
    y: z.reduce((total, c, k) => total + c * Math.sin(k * angle), 0),
  };
}

/** The corners of a polygon from its edges in order, the first corner at 0. */
export function cornersAlong(edges: readonly RingNumber[]): RingNumber[] {
  let corner = ZERO;
  return edges.map((edge) => {
    const start = corner;
    corner = sum(corner, edge);
    return start;
  });
}

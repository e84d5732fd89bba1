/**
 * Exact plane geometry for tilings whose edges have directions at multiples of one angle: elements
 * of the cyclotomic ring Z[ζ], ζ = e^(2πi/order), each written as c₀ + c₁ζ + c₂ζ² + c₃ζ³ with
 * integers c.
 */

import type { Point } from "../geometry/affine.ts";

/** Coefficients c₀ … c₃. */
export type RingElement = readonly [number, number, number, number];

export interface Ring {
  readonly order: number;
  /** ζ⁰ … ζ^(order−1). */
  readonly powers: readonly RingElement[];
}

/** z ↦ ζ^turn·z + shift, or ζ^turn·z̄ + shift if `mirrored`. `turn` is in 0 … order−1. */
export interface Motion {
  readonly turn: number;
  readonly mirrored: boolean;
  readonly shift: RingElement;
}

export const ZERO: RingElement = [0, 0, 0, 0];

export const IDENTITY_MOTION: Motion = { turn: 0, mirrored: false, shift: ZERO };

function ringOf(order: number, fourth: RingElement): Ring {
  const powers: RingElement[] = [[1, 0, 0, 0]];
  while (powers.length < order) {
    const [a, b, c, d] = powers[powers.length - 1];
    powers.push(add([0, a, b, c], multiply(fourth, d)));
  }
  return { order, powers };
}

export const add = (z: RingElement, w: RingElement): RingElement => [
  z[0] + w[0],
  z[1] + w[1],
  z[2] + w[2],
  z[3] + w[3],
];

export const multiply = (z: RingElement, factor: number): RingElement => [
  z[0] * factor,
  z[1] * factor,
  z[2] * factor,
  z[3] * factor,
];

export const subtract = (z: RingElement, w: RingElement): RingElement => add(z, multiply(w, -1));

export const equal = (z: RingElement, w: RingElement): boolean => z.every((c, k) => c === w[k]);

/** Z[e^(2πi/10)]: ζ⁴ = ζ³ − ζ² + ζ − 1. */
export const TENTHS = ringOf(10, [-1, 1, -1, 1]);

/** Z[e^(2πi/12)]: ζ⁴ = ζ² − 1. */
export const TWELFTHS = ringOf(12, [-1, 0, 1, 0]);

/** Returns a power of ζ, for any integer exponent. */
export const power = ({ order, powers }: Ring, exponent: number): RingElement =>
  powers[((exponent % order) + order) % order];

/** Returns ζ^turn·z, or ζ^turn·z̄ if `mirrored`. */
export function rotate(ring: Ring, z: RingElement, turn: number, mirrored = false): RingElement {
  return z.reduce<RingElement>(
    (total, c, k) => add(total, multiply(power(ring, mirrored ? turn - k : turn + k), c)),
    ZERO,
  );
}

/** Returns the image of an element under a motion. */
export const applyMotion = (
  ring: Ring,
  { turn, mirrored, shift }: Motion,
  z: RingElement,
): RingElement => add(rotate(ring, z, turn, mirrored), shift);

/** Returns the composition of two motions, which applies `second` first. */
export function composeMotions(ring: Ring, first: Motion, second: Motion): Motion {
  const turn = first.turn + (first.mirrored ? -second.turn : second.turn);
  return {
    turn: (turn + ring.order) % ring.order,
    mirrored: first.mirrored !== second.mirrored,
    shift: applyMotion(ring, first, second.shift),
  };
}

/** Returns the element as a point of the plane, with the real axis as x. */
export function pointOf({ order }: Ring, z: RingElement): Point {
  const angle = (2 * Math.PI) / order;
  return {
    x: z.reduce((total, c, k) => total + c * Math.cos(k * angle), 0),
    y: z.reduce((total, c, k) => total + c * Math.sin(k * angle), 0),
  };
}

/** Returns the corners of a polygon from its edges in order, with the first corner at 0. */
export function cornersAlong(edges: readonly RingElement[]): RingElement[] {
  let corner = ZERO;
  return edges.map((edge) => {
    const start = corner;
    corner = add(corner, edge);
    return start;
  });
}

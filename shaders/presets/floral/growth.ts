/** Parts of foliage. */
import { type Linear, mixed } from "../../lib/colour.ts";
import type { Random } from "../../lib/random.ts";
import type { Petal } from "./petal.ts";

/** Where a piece of foliage grows; lengths in edges of the picture, angles in radians. */
export interface Growth {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
  readonly length: number;
  readonly colour: Linear;
  readonly ink: Linear;
  /** Colour of berries. */
  readonly berry: Linear;
  readonly random: Random;
}

/** Draws a piece of foliage; its petals come in painting order. */
export type Foliage = (growth: Growth) => Petal[];

/** A point of a stem that is bent as a petal is, and the stem's direction there. */
export function alongStem(growth: Growth, bend: number, s: number) {
  const { x, y, angle, length } = growth;
  const ax = Math.cos(angle);
  const ay = Math.sin(angle);
  const side = bend * s * s * length;
  return {
    x: x + ax * s * length - ay * side,
    y: y + ay * s * length + ax * side,
    angle: angle + Math.atan(2 * bend * s),
  };
}

/** A stem as long as the growth. */
export function stem(growth: Growth, bend: number, halfWidth: number): Petal {
  const { x, y, angle, length, colour, ink } = growth;
  const dark = mixed(colour, ink, 0.35);
  return { x, y, angle, length, halfWidth, bend, from: dark, to: dark, tip: 0.4, base: 0.1 };
}

/** A handle of cotton webbing, which is edge-on at the peg. */

import { mix, smoothstep } from "../../scalars.ts";
import type { Fragment } from "../../scene.ts";
import type { Colour } from "../backdrop.ts";
import type { Line } from "../outline.ts";

/** Half of the webbing's width in pixels, seen from the front and edge-on. */
const HALF = { flat: 29, turned: 13 };

/** Pixels from one herringbone to the next. */
const BONE = 6.5;

/** The natural colour of cotton. */
export const COTTON: Colour = [0.76, 0.69, 0.56];

/** Returns half the webbing's width; `turning` is 0 where it is flat and 1 at the peg. */
export const webbingHalfWidth = (turning: number): number => mix(HALF.flat, HALF.turned, turning);

/**
 * Paints webbing at a pixel on the middle line's field; `light` is what reaches it, `turning` as for
 * `webbingHalf`.
 */
export function paintWebbing(
  middle: Line,
  x: number,
  y: number,
  turning: number,
  light: number,
  fragment: Fragment,
): void {
  const across = middle.distance(x, y) / webbingHalfWidth(turning);
  const along = middle.along(x, y);
  const bones = Math.cos((2 * Math.PI * (along + 16 * across)) / BONE);
  const ribs = Math.cos(9 * Math.PI * across);
  const round = 1 - 0.34 * smoothstep(0.62, 1, across) - 0.06 * smoothstep(0.1, 0, across);
  const lit = light * round * (1 + 0.07 * bones + 0.04 * ribs) * mix(1, 0.8, turning);
  fragment.mask = fragment.u = fragment.v = fragment.shading = fragment.highlight = 0;
  fragment.red = COTTON[0] * lit;
  fragment.green = COTTON[1] * lit;
  fragment.blue = COTTON[2] * lit;
}

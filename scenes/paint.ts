/** Fills fragments of scenes. */
import type { Fragment } from "./scene.ts";

/** Linear light. */
export type Colour = readonly [red: number, green: number, blue: number];

/** Shows nothing: no print, and a piece of its own. */
export function clear(fragment: Fragment): void {
  fragment.piece = 0;
  fragment.red = fragment.green = fragment.blue = 0;
  fragment.mask = fragment.u = fragment.v = 0;
  fragment.shading = fragment.highlight = 0;
}

/** Shows a matt colour in some light, and a specular highlight. */
export function paint(fragment: Fragment, colour: Colour, light: number, gloss = 0): void {
  fragment.red = colour[0] * light + gloss;
  fragment.green = colour[1] * light + gloss;
  fragment.blue = colour[2] * light + gloss;
}

/** Shows print in some light over the painted colour. */
export function print(
  fragment: Fragment,
  u: number,
  v: number,
  shading: number,
  highlight: number,
): void {
  fragment.mask = 1;
  fragment.u = u;
  fragment.v = v;
  fragment.shading = shading;
  fragment.highlight = highlight;
}

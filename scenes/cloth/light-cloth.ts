import type { Fragment } from "../scene.ts";

/** White unprinted cloth; linear light. */
const WHITE = [0.87, 0.86, 0.84] as const;

/** Shades a fragment of printed cloth, and shows white cloth where the print is transparent. */
export function lightCloth(fragment: Fragment, light: number): void {
  fragment.shading *= light;
  fragment.highlight *= light;
  // White cloth is at most as bright as paper.
  const lit = Math.min(fragment.shading, 1 / WHITE[0]);
  fragment.red = WHITE[0] * lit;
  fragment.green = WHITE[1] * lit;
  fragment.blue = WHITE[2] * lit;
}

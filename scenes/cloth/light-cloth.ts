import type { Fragment } from "../scene.ts";

/** White cloth that nothing is printed on; linear light. */
const WHITE = [0.87, 0.86, 0.84] as const;

/** Dims a fragment of printed cloth, and puts white cloth in that light where the print is transparent. */
export function lightCloth(fragment: Fragment, light: number): void {
  fragment.shading *= light;
  fragment.highlight *= light;
  // In the brightest light white cloth is as white as paper, and no whiter.
  const lit = Math.min(fragment.shading, 1 / WHITE[0]);
  fragment.red = WHITE[0] * lit;
  fragment.green = WHITE[1] * lit;
  fragment.blue = WHITE[2] * lit;
}

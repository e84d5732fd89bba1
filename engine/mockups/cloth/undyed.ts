import type { Fragment } from "../product.ts";

/** White cloth that nothing is printed on; linear light. */
const WHITE = [0.87, 0.86, 0.84] as const;

/** Puts white cloth in the light of the print under it, to be seen where the print is transparent. */
export function showUndyed(fragment: Fragment): void {
  // In the brightest light white cloth is as white as paper, and no whiter.
  const light = Math.min(fragment.shading, 1 / WHITE[0]);
  fragment.red = WHITE[0] * light;
  fragment.green = WHITE[1] * light;
  fragment.blue = WHITE[2] * light;
}

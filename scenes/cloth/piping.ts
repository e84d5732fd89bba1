/** A cord along a seam, lit as a cylinder. */
import { smoothstep } from "../scalars.ts";
import { LAMP } from "./cloth-light.ts";

/**
 * Returns the light on a cord, relative to flat cloth.
 * @param across −1 at its inner side … 1 at the outer one
 * @param outwards direction from its inner side to the outer one, of length 1
 */
export function lightOnCord(
  across: number,
  outwards: { readonly x: number; readonly y: number },
): number {
  const up = Math.sqrt(Math.max(0, 1 - across * across));
  const cosine = across * (outwards.x * LAMP[0] + outwards.y * LAMP[1]) + up * LAMP[2];
  // At its seam, the cord is in the shadow of the cloth.
  return (0.42 + 0.62 * Math.max(0, cosine + 0.1)) * (0.62 + 0.38 * smoothstep(-1, -0.3, across));
}

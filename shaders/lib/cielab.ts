/** CIELAB, in which inks are specified and measured (ISO 13655: illuminant D50). */
import type { Linear } from "./colour.ts";

/** Lightness 0…100, a and b. */
export interface Cielab {
  readonly l: number;
  readonly a: number;
  readonly b: number;
}

/** XYZ of red, green and blue, adapted from D65 to D50 by Bradford's method, as in ICC profiles of sRGB. */
const XYZ = [
  [0.4360747, 0.3850649, 0.1430804],
  [0.2225045, 0.7168786, 0.0606169],
  [0.0139322, 0.0971045, 0.7141733],
] as const;
const WHITE = XYZ.map(([red, green, blue]) => red + green + blue);

/** Returns the CIELAB of linear sRGB. CIE 15:2018, section 8.2.1. */
export function cielabOf(linear: Linear): Cielab {
  const [x, y, z] = XYZ.map((weights, n) => {
    const share = weights.reduce((sum, weight, m) => sum + weight * linear[m], 0) / WHITE[n];
    return share > (6 / 29) ** 3 ? Math.cbrt(share) : share / (3 * (6 / 29) ** 2) + 4 / 29;
  });
  return { l: 116 * y - 16, a: 500 * (x - y), b: 200 * (y - z) };
}

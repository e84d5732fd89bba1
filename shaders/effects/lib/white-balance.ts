/** Matrices for light of another colour temperature. */

type Triple = readonly [number, number, number];

/** Linear sRGB to CIE XYZ, IEC 61966-2-1; white is D65. */
const XYZ = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
] as const;

/** XYZ to cone responses: CAT16, C. Li and others, “Comprehensive color solutions”, 2017. */
const CONES = [
  [0.401288, 0.650173, -0.051461],
  [-0.250268, 1.204414, 0.045854],
  [-0.002079, 0.048952, 0.953127],
] as const;

/** D65 in CIE 1960 u, v, and its reciprocal temperature in mired (6504 K). */
const DAYLIGHT = { u: 0.19783, v: 0.31221, mired: 153.75 } as const;

/**
 * Returns the matrix, row by row, from linear sRGB under daylight to its appearance
 * under a light `mired` redder (von Kries's adaptation, in cones). Greys keep their luminance.
 * @param mired shift of the reciprocal colour temperature along the Planckian locus, −80…150
 * @param across shift perpendicular to the locus in CIE 1960 u, v: positive is magenta
 */
export function whiteBalance(mired: number, across: number): readonly number[] {
  const start = planckian(DAYLIGHT.mired);
  const end = planckian(DAYLIGHT.mired + mired);
  // The locus runs towards red with a slope; magenta is below it, towards smaller v.
  const ahead = planckian(DAYLIGHT.mired + mired + 1);
  const length = Math.hypot(ahead.u - end.u, ahead.v - end.v);
  const u = DAYLIGHT.u + end.u - start.u + (across * (ahead.v - end.v)) / length;
  const v = DAYLIGHT.v + end.v - start.v - (across * (ahead.u - end.u)) / length;

  const daylight = product(CONES, xyzOf(DAYLIGHT.u, DAYLIGHT.v));
  const light = product(CONES, xyzOf(u, v));
  const toCones = multiplied(CONES, XYZ);
  const adapted = toCones.map((row, cone) =>
    row.map((value) => (value * light[cone]) / daylight[cone]),
  );
  return multiplied(inverted(toCones), adapted).flat();
}

/**
 * The Planckian locus in CIE 1960 u, v: M. Krystek, “An algorithm to calculate correlated colour
 * temperature”, 1985, within 0.0001 from 1000 to 15 000 K.
 */
function planckian(mired: number): { readonly u: number; readonly v: number } {
  const t = 1e6 / mired;
  return {
    u:
      (0.860117757 + 1.54118254e-4 * t + 1.28641212e-7 * t * t) /
      (1 + 8.42420235e-4 * t + 7.08145163e-7 * t * t),
    v:
      (0.317398726 + 4.22806245e-5 * t + 4.20481691e-8 * t * t) /
      (1 - 2.89741816e-5 * t + 1.61456053e-7 * t * t),
  };
}

/** XYZ of luminance 1 from CIE 1960 u, v. */
function xyzOf(u: number, v: number): Triple {
  return [(1.5 * u) / v, 1, (4 - u - 10 * v) / (2 * v)];
}

type Matrix = readonly (readonly number[])[];

const product = (matrix: Matrix, [x, y, z]: Triple): number[] =>
  matrix.map((row) => row[0] * x + row[1] * y + row[2] * z);

/** a·b */
function multiplied(a: Matrix, b: Matrix): number[][] {
  return a.map((row) =>
    [0, 1, 2].map((column) => row.reduce((sum, value, index) => sum + value * b[index][column], 0)),
  );
}

/** By cofactors. */
function inverted(m: Matrix): number[][] {
  const cofactor = (row: number, column: number) => {
    const [a, b] = [m[(row + 1) % 3], m[(row + 2) % 3]];
    const [i, j] = [(column + 1) % 3, (column + 2) % 3];
    return a[i] * b[j] - a[j] * b[i];
  };
  const first = m[0];
  const determinant = [0, 1, 2].reduce((sum, i) => sum + first[i] * cofactor(0, i), 0);
  return [0, 1, 2].map((row) => [0, 1, 2].map((column) => cofactor(column, row) / determinant));
}

/** Scalar functions for scenes. */

/** Clamps `value` to low … high. */
export function clamp(value: number, low: number, high: number): number {
  if (value < low) return low;
  return value > high ? high : value;
}

/** Interpolates from `a` (share 0) to `b` (share 1). */
export const mix = (a: number, b: number, share: number): number => a + (b - a) * share;

/** Smoothstep: 0 up to `from`, 1 beyond `to`, a cubic ramp between; `from` may exceed `to`. */
export function smoothstep(from: number, to: number, value: number): number {
  const share = clamp((value - from) / (to - from), 0, 1);
  return share * share * (3 - 2 * share);
}

/** Length of a vector. (`Math.hypot` guards against overflow and is many times slower.) */
export const length2 = (x: number, y: number): number => Math.sqrt(x * x + y * y);
export const length3 = (x: number, y: number, z: number): number =>
  Math.sqrt(x * x + y * y + z * z);

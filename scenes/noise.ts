/** Noise on the plane: a hash of integer coordinates, and smooth interpolation. */

/** Returns a uniform hash 0…1 of two integers. */
export function hash(x: number, y: number): number {
  let bits = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1);
  bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}

/** Returns smooth noise with a wavelength of one unit, 0…1. */
export function noise(x: number, y: number): number {
  const column = Math.floor(x);
  const row = Math.floor(y);
  const s = x - column;
  const t = y - row;
  const u = s * s * (3 - 2 * s);
  const v = t * t * (3 - 2 * t);
  const a = hash(column, row);
  const b = hash(column + 1, row);
  const c = hash(column, row + 1);
  const d = hash(column + 1, row + 1);
  return a + (b - a) * u + (c - a + (a - b - c + d) * u) * v;
}

/** Returns fractal noise, 0…1: each octave has half the size and strength of the previous one. */
export function clouds(x: number, y: number, octaves: number): number {
  let sum = 0;
  let total = 0;
  for (let k = 0, size = 1, weight = 1; k < octaves; k++, size *= 2, weight *= 0.5) {
    sum += weight * noise(x * size + 17.3 * k, y * size - 9.7 * k);
    total += weight;
  }
  return sum / total;
}

/** Filter weights of resampling along one axis. */

export interface FilterWeights {
  /** First contributing source pixel of each output pixel; non-decreasing, may lie outside. */
  readonly first: Int32Array;
  /** Source pixels per output pixel. */
  readonly count: number;
  /** `count` weights per output pixel, with sum 1. */
  readonly weights: Float64Array;
}

/** Radius of the kernel below, in its own units. */
const REACH = 2;

/**
 * Catmull–Rom cubic: the member (B, C) = (0, ½) of the family in Mitchell and Netravali,
 * "Reconstruction Filters in Computer Graphics" (1988), eq. 8. It copies pixels that map onto pixels,
 * so that sharpness does not jump when a scale passes 1.
 */
function catmullRom(distance: number): number {
  const x = Math.abs(distance);
  if (x < 1) return (1.5 * x - 2.5) * x * x + 1;
  return x < REACH ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0;
}

/**
 * Returns the taps that map an interval of a row onto `size` pixels. For shrinking, the kernel is
 * widened by the ratio to suppress moiré.
 *
 * @param start of the interval, in source pixels from the left edge of pixel 0
 * @param length of the interval in source pixels, above 0
 * @param size output pixels
 */
export function filterWeights(start: number, length: number, size: number): FilterWeights {
  const step = length / size;
  const scale = Math.max(1, step);
  const centres = Float64Array.from({ length: size }, (_, at) => start + (at + 0.5) * step - 0.5);
  // The kernel is 0 at its ends, so a pixel exactly there needs no tap.
  const first = Int32Array.from(centres, (centre) => Math.floor(centre - REACH * scale) + 1);
  const spans = centres.map((centre, at) => Math.ceil(centre + REACH * scale) - first[at]);
  const count = spans.reduce((most, span) => Math.max(most, span));
  const weights = new Float64Array(size * count);
  for (let output = 0; output < size; output += 1) {
    const ofOutput = weights.subarray(output * count, (output + 1) * count);
    let sum = 0;
    for (let tap = 0; tap < count; tap += 1) {
      ofOutput[tap] = catmullRom((first[output] + tap - centres[output]) / scale);
      sum += ofOutput[tap];
    }
    for (let tap = 0; tap < count; tap += 1) ofOutput[tap] /= sum;
  }
  return { first, count, weights };
}

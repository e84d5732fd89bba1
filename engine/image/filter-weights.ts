/** Filter weights of resampling along one axis. */

export interface FilterWeights {
  /** First contributing source pixel of each output pixel; non-decreasing, may lie outside. */
  readonly first: Int32Array;
  /** Source pixels per output pixel. */
  readonly count: number;
  /** `count` weights per output pixel, with sum 1. */
  readonly weights: Float64Array;
}

/** An interpolating filter of polynomials, which have the same values on every machine. */
export interface FilterKernel {
  /** Distance from which its weight is 0, in pixels. */
  readonly reach: number;
  /** Returns the weight of a pixel at a distance of 0 or more, in pixels. */
  weight(distance: number): number;
}

/** Three lobes of cubics, with the zeros and the slopes there of Lanczos's filter. */
export const LANCZOS_CUBIC: FilterKernel = {
  reach: 3,
  weight(x) {
    if (x < 1) return ((2 + AT_1) * x - 3 - AT_1) * x * x + 1;
    const t = x - Math.floor(x);
    const rise = ((t - 2) * t + 1) * t;
    if (x < 2) return AT_1 * rise + AT_2 * (t - 1) * t * t;
    return x < 3 ? AT_2 * rise : 0;
  },
};

/** Slopes of the lobes at their zeros. */
const AT_1 = -0.83;
const AT_2 = 0.21;

/**
 * Returns the taps that map an interval of a row onto `size` pixels. For shrinking, the kernel is
 * widened by the ratio to suppress moiré.
 *
 * @param start of the interval, in source pixels from the left edge of pixel 0
 * @param length of the interval in source pixels, above 0
 * @param size output pixels
 */
export function filterWeights(
  start: number,
  length: number,
  size: number,
  { reach, weight }: FilterKernel,
): FilterWeights {
  const step = length / size;
  const scale = Math.max(1, step);
  const centres = Float64Array.from({ length: size }, (_, at) => start + (at + 0.5) * step - 0.5);
  // The kernel is 0 at its ends, so a pixel exactly there needs no tap.
  const first = Int32Array.from(centres, (centre) => Math.floor(centre - reach * scale) + 1);
  const spans = centres.map((centre, at) => Math.ceil(centre + reach * scale) - first[at]);
  const count = spans.reduce((most, span) => Math.max(most, span));
  const weights = new Float64Array(size * count);
  for (let output = 0; output < size; output += 1) {
    const ofOutput = weights.subarray(output * count, (output + 1) * count);
    let sum = 0;
    for (let tap = 0; tap < count; tap += 1) {
      ofOutput[tap] = weight(Math.abs((first[output] + tap - centres[output]) / scale));
      sum += ofOutput[tap];
    }
    for (let tap = 0; tap < count; tap += 1) ofOutput[tap] /= sum;
  }
  return { first, count, weights };
}

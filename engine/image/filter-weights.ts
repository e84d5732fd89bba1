/** Weights of the filter that shrinks pictures. */

/** How many pixels one can be made of. */
export type Taps = 9 | 12;

/** How the pixels of a row are made of a longer row's. */
export interface FilterWeights {
  /** The first pixel that each pixel is made of; they never decrease, and may lie outside. */
  readonly first: Int32Array;
  /** How many pixels each one is made of, of which some may weigh nothing. */
  readonly count: Taps;
  /** `count` weights for each pixel, with sum 1. */
  readonly weights: Float32Array;
}

/** Where the filter's weights become 0, in pixels of the result. */
const REACH = 3;

/**
 * Returns the weight at a distance of 0 or more, in pixels of the result: three lobes of cubics, with the zeros of Lanczos's
 * filter and its slopes there. Unlike that one, polynomials have the same values on every machine.
 */
function weightAt(x: number): number {
  if (x < 1) return ((2 + AT_1) * x - 3 - AT_1) * x * x + 1;
  const t = x - Math.floor(x);
  const rise = ((t - 2) * t + 1) * t;
  if (x < 2) return AT_1 * rise + AT_2 * (t - 1) * t * t;
  return x < REACH ? AT_2 * rise : 0;
}

/** Slopes of the lobes at their zeros. */
const AT_1 = -0.83;
const AT_2 = 0.21;

/**
 * Returns the weights that shrink a row.
 * @param ratio pixels of the row per pixel of the result, above 1 and up to 2
 * @param size pixels of the result
 */
export function filterWeights(ratio: number, size: number): FilterWeights {
  const centreOf = (at: number) => (at + 0.5) * ratio - 0.5;
  const firstOf = (at: number) => Math.floor(centreOf(at) - REACH * ratio) + 1;
  const first = Int32Array.from({ length: size }, (_, at) => firstOf(at));
  const count: Taps = 2 * REACH * ratio <= 9 ? 9 : 12;
  const weights = new Float32Array(size * count);
  for (let at = 0; at < size; at++) {
    const ofPixel = Array.from({ length: count }, (_, tap) =>
      weightAt(Math.abs(first[at] + tap - centreOf(at)) / ratio),
    );
    const sum = ofPixel.reduce((total, weight) => total + weight);
    for (const [tap, weight] of ofPixel.entries()) weights[at * count + tap] = weight / sum;
  }
  return { first, count, weights };
}

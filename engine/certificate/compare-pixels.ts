/** Compares the pixels of a picture with those that a map takes them to. */

import { type Affine, compose } from "../geometry/affine.ts";
import type { ByteImage } from "../image/picture.ts";

export interface PixelError {
  /** Largest and root mean square difference, over all channels, in 8-bit steps. */
  readonly max: number;
  readonly rms: number;
  /** Whether pixels were compared with pixels rather than with interpolated values. */
  readonly exact: boolean;
}

/** Pictures of more pixels are compared in evenly spaced rows, of about `COMPARED_ROW_PIXELS`. */
const MAX_COMPARED_PIXELS = 4096 ** 2;
const COMPARED_ROW_PIXELS = 2048 ** 2;
/**
 * Returns a function that compares a picture's pixels with those that a map of indices takes them to. Maps
 * that are composed of two that take every pixel to an equal one do so, too, and are not compared.
 */
export function pixelErrorsOf(image: ByteImage): (map: Affine) => PixelError {
  const { width, height } = image;
  const perfect: Affine[] = [];
  const isSame = (one: Affine, other: Affine) =>
    one.a === other.a &&
    one.b === other.b &&
    one.c === other.c &&
    one.d === other.d &&
    (one.e - other.e) % width === 0 &&
    (one.f - other.f) % height === 0;
  // Where a map does not take the picture's periods to periods, the composition is another.
  const isComposable = ({ b, c }: Affine) =>
    (b * height) % width === 0 &&
    (c * width) % height === 0 &&
    width * height <= MAX_COMPARED_PIXELS;
  return (map) => {
    const follows = perfect.some((one) =>
      perfect.some((other) => isSame(compose(one, other), map)),
    );
    const error = follows ? { max: 0, rms: 0, exact: true } : comparePixels(image, map);
    if (error.max === 0 && isComposable(map)) perfect.push(map);
    return error;
  };
}

function comparePixels(image: ByteImage, map: Affine): PixelError {
  const { width, height, channels } = image;
  const step =
    width * height <= MAX_COMPARED_PIXELS ? 1 : Math.ceil((width * height) / COMPARED_ROW_PIXELS);
  const difference = { max: 0, squares: 0 };
  let count = 0;
  for (let j = 0; j < height; j += step) {
    compareRow(image, map, j, difference);
    count += width * channels;
  }
  return { max: difference.max, rms: Math.sqrt(difference.squares / count), exact: true };
}

/** Compares a row: a function of its own, so that it is compiled within the first picture. */
function compareRow(
  { width, height, channels, pixels }: ByteImage,
  { a, b, c, d, e, f }: Affine,
  j: number,
  difference: { max: number; squares: number },
): void {
  // `| 0` keeps them integers, of which one could otherwise be −0.
  const dx = modulo(a, width) | 0;
  const dy = modulo(c, height) | 0;
  let x = modulo(b * j + e, width) | 0;
  let y = modulo(d * j + f, height) | 0;
  let { max, squares } = difference;
  const end = (j + 1) * width * channels;
  for (let here = j * width * channels; here < end; here += channels) {
    const there = (y * width + x) * channels;
    const red = pixels[here] - pixels[there];
    const green = pixels[here + 1] - pixels[there + 1];
    const blue = pixels[here + 2] - pixels[there + 2];
    const alpha = channels === 4 ? pixels[here + 3] - pixels[there + 3] : 0;
    if ((red | green | blue | alpha) !== 0) {
      squares += red * red + green * green + blue * blue + alpha * alpha;
      max = Math.max(max, Math.abs(red), Math.abs(green), Math.abs(blue), Math.abs(alpha));
    }
    x += dx;
    if (x >= width) x -= width;
    y += dy;
    if (y >= height) y -= height;
  }
  difference.max = max;
  difference.squares = squares;
}

/** Returns the root mean square difference of a sample of pixels under a map of pixel indices. */
export function rmsOnGrid(
  image: ByteImage,
  { a, b, c, d, e, f }: Affine,
  sample: Uint32Array,
): number {
  const { width, height, channels, pixels } = image;
  let sum = 0;
  for (let n = 0; n < sample.length; n++) {
    const pixel = sample[n];
    const j = (pixel / width) | 0;
    const i = pixel - j * width;
    const x = modulo(a * i + b * j + e, width) | 0;
    const y = modulo(c * i + d * j + f, height) | 0;
    const here = pixel * channels;
    const there = (y * width + x) * channels;
    for (let k = 0; k < channels; k++) {
      const difference = pixels[here + k] - pixels[there + k];
      sum += difference * difference;
    }
  }
  return Math.sqrt(sum / sample.length / channels);
}

/** Compares a sample of pixels with the Catmull–Rom interpolated values that a map takes them to. */
export function compareInterpolated(
  { width, height, channels, pixels }: ByteImage,
  { a, b, c, d, e, f }: Affine,
  sample: Uint32Array,
): PixelError {
  const across = new Float64Array(4);
  const down = new Float64Array(4);
  const rows = new Int32Array(4);
  let [max, sum] = [0, 0];
  for (let n = 0; n < sample.length; n++) {
    const pixel = sample[n];
    const j = (pixel / width) | 0;
    const i = pixel - j * width;
    const x = a * i + b * j + e;
    const y = c * i + d * j + f;
    const left = Math.floor(x);
    const top = Math.floor(y);
    writeCubicWeights(x - left, across);
    writeCubicWeights(y - top, down);
    const first = modulo(left - 1, width) * channels;
    const second = modulo(left, width) * channels;
    const third = modulo(left + 1, width) * channels;
    const fourth = modulo(left + 2, width) * channels;
    for (let tap = 0; tap < 4; tap++) {
      rows[tap] = modulo(top - 1 + tap, height) * width * channels;
    }
    for (let k = 0; k < channels; k++) {
      let value = 0;
      for (let tap = 0; tap < 4; tap++) {
        const at = rows[tap] + k;
        const line =
          across[0] * pixels[at + first] +
          across[1] * pixels[at + second] +
          across[2] * pixels[at + third] +
          across[3] * pixels[at + fourth];
        value += down[tap] * line;
      }
      const inGamut = Math.min(255, Math.max(0, value));
      const difference = Math.abs(pixels[pixel * channels + k] - inGamut);
      sum += difference * difference;
      max = Math.max(max, difference);
    }
  }
  return { max, rms: Math.sqrt(sum / sample.length / channels), exact: false };
}

/** Writes the Catmull–Rom weights of four neighbours; t is the position between the middle two, 0…1. */
function writeCubicWeights(t: number, into: Float64Array): void {
  into[0] = ((-t + 2) * t - 1) * t * 0.5;
  into[1] = ((3 * t - 5) * t * t + 2) * 0.5;
  into[2] = ((-3 * t + 4) * t + 1) * t * 0.5;
  into[3] = (t - 1) * t * t * 0.5;
}

/** Modulo of an integer, fast for values next to the range. */
function modulo(value: number, size: number): number {
  let rest = value;
  while (rest < 0) rest += size;
  while (rest >= size) rest -= size;
  return rest;
}

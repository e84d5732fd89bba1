/** How far a picture's pixels are off an operation: one to one where the grid allows it. */
import { type Affine, compose, scaling, translation } from "../geometry/affine.ts";
import type { Swatch } from "./certificate.ts";

export interface PixelError {
  /** Largest and root mean square difference, over all channels, in 8-bit steps. */
  readonly max: number;
  readonly rms: number;
  /** Whether pixels were compared with pixels, and not with interpolated values. */
  readonly exact: boolean;
}

/** An origin is known to a small part of a pixel; one nearer than this to the grid is on it. */
const ON_GRID = 0.2;
/** Pixels that decide between neighbouring places of the grid. */
const TRIALS = 1500;
/** Where values are interpolated, so many places are enough. */
const PLACES = 120_000;

/**
 * Compares a swatch with its image under a map of fractions of it. Where the map takes pixel
 * centres to pixel centres all pixels are compared, else a regular choice of them with
 * Catmull–Rom interpolated values.
 */
export function pixelError(swatch: Swatch, map: Affine): PixelError {
  const { width, height } = swatch;
  const index = compose(
    translation(-0.5, -0.5),
    scaling(width, height),
    map,
    scaling(1 / width, 1 / height),
    translation(0.5, 0.5),
  );
  const whole = onGrid(swatch, index);
  return whole === null ? compareBetween(swatch, index) : compareOnGrid(swatch, whole);
}

/** The map of pixel indices in whole numbers, if it is one. */
function onGrid(swatch: Swatch, { a, b, c, d, e, f }: Affine): Affine | null {
  const off = (value: number) => Math.abs(value - Math.round(value));
  if (Math.max(off(a), off(b), off(c), off(d)) > 1e-6) return null;
  if (Math.max(off(e), off(f)) > ON_GRID) return null;
  const [m, n] = [Math.round(e), Math.round(f)];
  const near: Affine[] = [];
  for (const dy of [0, -1, 1]) {
    for (const dx of [0, -1, 1]) {
      near.push({
        a: Math.round(a),
        b: Math.round(b),
        c: Math.round(c),
        d: Math.round(d),
        e: m + dx,
        f: n + dy,
      });
    }
  }
  const stride = Math.max(1, Math.floor(Math.sqrt((swatch.width * swatch.height) / TRIALS)));
  const errors = near.map((candidate) => compareOnGrid(swatch, candidate, stride).rms);
  return near[errors.indexOf(Math.min(...errors))] as Affine;
}

function compareOnGrid(swatch: Swatch, { a, b, c, d, e, f }: Affine, stride = 1): PixelError {
  const { width, height, channels, pixels } = swatch;
  let max = 0;
  let sum = 0;
  let count = 0;
  for (let j = 0; j < height; j += stride) {
    let x = modulo(b * j + e, width);
    let y = modulo(d * j + f, height);
    const [dx, dy] = [modulo(a * stride, width), modulo(c * stride, height)];
    let here = j * width * channels;
    for (let i = 0; i < width; i += stride) {
      const there = (y * width + x) * channels;
      for (let k = 0; k < channels; k++) {
        const difference = (pixels[here + k] as number) - (pixels[there + k] as number);
        if (difference !== 0) {
          sum += difference * difference;
          max = Math.max(max, Math.abs(difference));
        }
      }
      count += channels;
      here += stride * channels;
      x += dx;
      if (x >= width) x -= width;
      y += dy;
      if (y >= height) y -= height;
    }
  }
  return { max, rms: Math.sqrt(sum / count), exact: true };
}

function compareBetween(swatch: Swatch, { a, b, c, d, e, f }: Affine): PixelError {
  const { width, height, channels, pixels } = swatch;
  const stride = Math.max(1, Math.floor(Math.sqrt((width * height) / PLACES)));
  const columns = new Int32Array(4);
  const value = new Float64Array(channels);
  let max = 0;
  let sum = 0;
  let count = 0;
  for (let j = 0; j < height; j += stride) {
    for (let i = 0; i < width; i += stride) {
      const x = a * i + b * j + e;
      const y = c * i + d * j + f;
      const [left, top] = [Math.floor(x), Math.floor(y)];
      const across = cubicWeights(x - left);
      const down = cubicWeights(y - top);
      for (let n = 0; n < 4; n++) columns[n] = modulo(left - 1 + n, width) * channels;
      value.fill(0);
      for (let m = 0; m < 4; m++) {
        const row = modulo(top - 1 + m, height) * width * channels;
        for (let n = 0; n < 4; n++) {
          const weight = (down[m] as number) * (across[n] as number);
          const at = row + (columns[n] as number);
          for (let k = 0; k < channels; k++) {
            value[k] = (value[k] as number) + weight * (pixels[at + k] as number);
          }
        }
      }
      const here = (j * width + i) * channels;
      for (let k = 0; k < channels; k++) {
        const inGamut = Math.min(255, Math.max(0, value[k] as number));
        const difference = Math.abs((pixels[here + k] as number) - inGamut);
        sum += difference * difference;
        max = Math.max(max, difference);
      }
      count += channels;
    }
  }
  return { max, rms: Math.sqrt(sum / count), exact: false };
}

/** Catmull–Rom. */
function cubicWeights(t: number): readonly [number, number, number, number] {
  return [
    ((-t + 2) * t - 1) * t * 0.5,
    ((3 * t - 5) * t * t + 2) * 0.5,
    ((-3 * t + 4) * t + 1) * t * 0.5,
    (t - 1) * t * t * 0.5,
  ];
}

const modulo = (value: number, size: number) => ((value % size) + size) % size;

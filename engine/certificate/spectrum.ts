/**
 * Fourier coefficients of a picture that wraps, which correspond to structure factors in
 * crystallography: a symmetry acts on them without pixel grid or interpolation.
 */
import type { Point } from "../geometry/affine.ts";
import type { Size } from "../size.ts";
import type { SamplePlanes } from "./planes.ts";

/** A frequency, in whole waves across the picture and down it. */
export interface Frequency {
  readonly u: number;
  readonly v: number;
}

/** Coefficients of real planes. Only one of k and −k is stored, since they are conjugates. */
export interface Spectrum {
  readonly frequencies: readonly Frequency[];
  /** Coefficients in 8-bit steps, `channels` numbers for each frequency. */
  readonly re: Float64Array;
  readonly im: Float64Array;
  readonly channels: number;
  /** Squared magnitude of each frequency, over all channels. */
  readonly power: Float64Array;
  /** Weight of each frequency: near 1 for coarse detail, near 0 for what the pixel grid blurs. */
  readonly weight: Float64Array;
  /** Returns the index of a frequency, or of its opposite (`conjugate`); null if neither is stored. */
  find(u: number, v: number): { readonly at: number; readonly conjugate: boolean } | null;
}

/** Whether k is the one of k and −k that is stored; the mean, k = 0, is not. */
const isKept = ({ u, v }: Frequency) => u > 0 || (u === 0 && v > 0);

/**
 * Frequency of weight 1/e, in waves a sample. Aliasing and lossy compression affect higher ones.
 */
export const WEIGHT_CUTOFF = 0.12;
/** Least frequency of weight 1/e in waves across the picture; a tiny picture has no other detail. */
const MIN_WAVES = 6;
/** `WEIGHT_CUTOFF` for pictures with only fine detail. */
export const FINE_WEIGHT_CUTOFF = 0.5;
/** Highest frequency in waves a sample; at the Nyquist frequency, 0.5, waves are ambiguous. */
export const MAX_FREQUENCY = 0.49;

/** Exceeds every frequency, so that u and v combine into one key. */
const KEY_BASE = 1 << 20;

/**
 * Computes the coefficients at chosen frequencies, which are `isKept` and below the Nyquist frequency
 * of the planes. Sums directly, along folded rows and then down: only a few dozen columns of thousands
 * are needed.
 * @param cutoff frequency of weight 1/e, in waves a sample
 */
export function spectrumOf(
  planes: SamplePlanes,
  frequencies: readonly Frequency[],
  cutoff = WEIGHT_CUTOFF,
): Spectrum {
  const { width, height, channels, pixels } = planes;
  const count = channels.length;
  const re = new Float64Array(frequencies.length * count);
  const im = new Float64Array(frequencies.length * count);
  const byColumn = Map.groupBy(frequencies.keys(), (at) => frequencies[at].u);
  const columns = [...byColumn].map(([u, members]) => ({
    u,
    members,
    across: phasors(width, u),
    kept: blockResponse(u, width, pixels.width),
  }));
  const downwards = phasors(height);
  channels.forEach((plane, channel) => {
    if (frequencies.length === 0) return;
    const folded = foldedRows(plane, planes);
    for (const { u, members, across, kept } of columns) {
      const rows = transformRows(folded[u % 2], height, across);
      for (const at of members) {
        const v = frequencies[at].v;
        const gain = 1 / (width * height * kept * blockResponse(v, height, pixels.height));
        const sum = transformColumn(rows, downwards, v);
        re[at * count + channel] = sum.re * gain;
        im[at * count + channel] = sum.im * gain;
      }
    }
  });
  const power = new Float64Array(frequencies.length);
  for (let i = 0; i < re.length; i++) {
    const at = Math.floor(i / count);
    power[at] = power[at] + re[i] ** 2 + im[i] ** 2;
  }
  const weightCutoff = Math.max(cutoff, MIN_WAVES / Math.min(width, height));
  const indexByKey = new Map(frequencies.map(({ u, v }, at) => [u * KEY_BASE + v, at]));
  return {
    frequencies,
    re,
    im,
    channels: count,
    power,
    weight: Float64Array.from(frequencies, ({ u, v }) =>
      Math.exp(-((u / width) ** 2 + (v / height) ** 2) / weightCutoff ** 2),
    ),
    find(u, v) {
      const conjugate = !isKept({ u, v });
      const at = indexByKey.get(conjugate ? -u * KEY_BASE - v : u * KEY_BASE + v);
      return at === undefined ? null : { at, conjugate };
    },
  };
}

/** Returns the relative error of a translation by fractions of the picture. */
export function translationError(spectrum: Spectrum, { x, y }: Point): number {
  const { frequencies, power, weight } = spectrum;
  let [error, total] = [0, 0];
  frequencies.forEach(({ u, v }, at) => {
    const own = power[at] * weight[at];
    total += own;
    error += own * (2 - 2 * Math.cos(2 * Math.PI * (u * x + v * y)));
  });
  return total === 0 ? 0 : Math.sqrt(error / total);
}

interface Phasors {
  readonly cos: Float64Array;
  readonly sin: Float64Array;
}

/** Table of e^(−2πi·u·(j+½)/n) for j = 0…n−1; without u, of e^(−2πi·j/2n) for j = 0…2n−1. */
function phasors(samples: number, u?: number): Phasors {
  const length = u === undefined ? 2 * samples : samples;
  const cos = new Float64Array(length);
  const sin = new Float64Array(length);
  for (let j = 0; j < length; j++) {
    const turns = u === undefined ? j / (2 * samples) : (((2 * j + 1) * u) / (2 * samples)) % 1;
    cos[j] = Math.cos(2 * Math.PI * turns);
    sin[j] = -Math.sin(2 * Math.PI * turns);
  }
  return { cos, sin };
}

/** Rows of a plane folded for the cosines and for the sines of a wave, `length` numbers each. */
interface FoldedRows {
  readonly length: number;
  readonly cos: Float64Array;
  readonly sin: Float64Array;
}

/** Rows that were folded already: several spectra are computed of the same planes. */
const known = new WeakMap<Float32Array, FoldedPlane>();

function foldedRows(plane: Float32Array, size: Size): FoldedPlane {
  const folded = known.get(plane) ?? foldRows(plane, size);
  known.set(plane, folded);
  return folded;
}

/** The rows for an even and for an odd number of waves. */
type FoldedPlane = readonly [FoldedRows, FoldedRows];

/**
 * Folds the rows of a plane at the middle, where cosines are even and sines are odd, and again at the
 * quarter, where that depends on the number of waves.
 */
function foldRows(plane: Float32Array, { width, height }: Size): FoldedPlane {
  const cos = fold(plane, width, height, 1);
  const sin = fold(plane, width, height, -1);
  const half = Math.ceil(width / 2);
  if (width % 2 === 1) {
    const rows = { length: half, cos, sin };
    return [rows, rows];
  }
  const length = Math.ceil(half / 2);
  return [
    { length, cos: fold(cos, half, height, 1), sin: fold(sin, half, height, -1) },
    { length, cos: fold(cos, half, height, -1), sin: fold(sin, half, height, 1) },
  ];
}

/** Adds the second half of each row, reversed and times `sign`, to the first. */
function fold(
  rows: Float32Array | Float64Array,
  length: number,
  height: number,
  sign: 1 | -1,
): Float64Array {
  const half = Math.ceil(length / 2);
  const folded = new Float64Array(half * height);
  for (let y = 0, to = 0; y < height; y++) {
    let [left, right] = [y * length, (y + 1) * length - 1];
    for (; left < right; left++, right--, to++) folded[to] = rows[left] + sign * rows[right];
    // The middle of an odd length is alone; an odd wave is 0 there.
    if (left === right) folded[to++] = sign === 1 ? rows[left] : 0;
  }
  return folded;
}

function transformRows(rows: FoldedRows, height: number, { cos, sin }: Phasors) {
  const { length } = rows;
  const re = sumProducts(rows.cos, length, height, cos);
  const im = sumProducts(rows.sin, length, height, sin);
  return { re, im };
}

/** Sums each row times a wave, four rows at a time: a sum waits for its last addition. */
function sumProducts(rows: Float64Array, length: number, height: number, wave: Float64Array) {
  const sums = new Float64Array(height);
  const inFours = height - (height % 4);
  for (let y = 0; y < inFours; y += 4) {
    let [first, second, third, fourth] = [0, 0, 0, 0];
    const start = y * length;
    for (let x = 0, at = start; x < length; x++, at++) {
      const factor = wave[x];
      first += rows[at] * factor;
      second += rows[at + length] * factor;
      third += rows[at + 2 * length] * factor;
      fourth += rows[at + 3 * length] * factor;
    }
    sums[y] = first;
    sums[y + 1] = second;
    sums[y + 2] = third;
    sums[y + 3] = fourth;
  }
  for (let y = inFours; y < height; y++) {
    let sum = 0;
    for (let x = 0, at = y * length; x < length; x++, at++) sum += rows[at] * wave[x];
    sums[y] = sum;
  }
  return sums;
}

function transformColumn(
  { re, im }: { readonly re: Float64Array; readonly im: Float64Array },
  { cos, sin }: Phasors,
  v: number,
) {
  const turns = cos.length;
  const step = (((2 * v) % turns) + turns) % turns;
  let at = ((v % turns) + turns) % turns;
  let sumRe = 0;
  let sumIm = 0;
  for (let y = 0; y < re.length; y++) {
    const c = cos[at];
    const s = sin[at];
    sumRe += re[y] * c - im[y] * s;
    sumIm += re[y] * s + im[y] * c;
    at += step;
    if (at >= turns) at -= turns;
  }
  return { re: sumRe, im: sumIm };
}

/** Returns the amplitude that averaging over blocks of pixels leaves of a wave. */
function blockResponse(waves: number, samples: number, pixels: number): number {
  if (waves === 0 || samples === pixels) return 1;
  const inBlock = (Math.PI * waves) / samples;
  const inPixel = (Math.PI * waves) / pixels;
  return (Math.sin(inBlock) / inBlock) * (inPixel / Math.sin(inPixel));
}

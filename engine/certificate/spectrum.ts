/**
 * Fourier coefficients of a picture that wraps, which correspond to structure factors in
 * crystallography: a symmetry acts on them without pixel grid or interpolation.
 */
import type { Point } from "../geometry/affine.ts";
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
 * @param known coefficients of the same planes
 */
export function spectrumOf(
  planes: SamplePlanes,
  frequencies: readonly Frequency[],
  cutoff = WEIGHT_CUTOFF,
  known?: Spectrum,
): Spectrum {
  const { width, height, channels, pixels } = planes;
  const count = channels.length;
  const re = new Float64Array(frequencies.length * count);
  const im = new Float64Array(frequencies.length * count);
  const missing = frequencies.keys().filter((at) => {
    const { u, v } = frequencies[at];
    const from = known?.find(u, v)?.at;
    if (known === undefined || from === undefined) return true;
    re.set(known.re.subarray(from * count, (from + 1) * count), at * count);
    im.set(known.im.subarray(from * count, (from + 1) * count), at * count);
    return false;
  });
  const columns = [...Map.groupBy(missing, (at) => frequencies[at].u)].map(([u, members]) => ({
    parity: u % 2,
    members,
    across: phasors(width, u),
    kept: blockResponse(u, width, pixels.width),
  }));
  const downwards = phasors(height);
  const folded = foldedRows(width, height);
  const rows = { re: new Float64Array(height), im: new Float64Array(height) };
  const gainOf = (v: number, kept: number) =>
    1 / (width * height * kept * blockResponse(v, height, pixels.height));
  for (const [channel, plane] of channels.entries()) {
    if (columns.length === 0) break;
    foldRows(plane, folded);
    for (const { parity, members, across, kept } of columns) {
      sumProducts(folded.cos[parity], folded.length, across.cos, rows.re);
      sumProducts(folded.sin[parity], folded.length, across.sin, rows.im);
      for (let n = 0; n < members.length; n += 2) {
        // An odd one out is summed twice.
        const pair = [members[n], members[n + 1] ?? members[n]] as const;
        const [v, w] = [frequencies[pair[0]].v, frequencies[pair[1]].v];
        const sums = transformColumn(rows, downwards, v, w);
        const [gain, otherGain] = [gainOf(v, kept), gainOf(w, kept)];
        re[pair[0] * count + channel] = sums.re * gain;
        im[pair[0] * count + channel] = sums.im * gain;
        re[pair[1] * count + channel] = sums.otherRe * otherGain;
        im[pair[1] * count + channel] = sums.otherIm * otherGain;
      }
    }
  }
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

/** Rows of `length` numbers, folded for the cosines and sines of an even and of an odd number of waves. */
interface FoldedRows {
  readonly width: number;
  readonly length: number;
  readonly cos: readonly [Float64Array, Float64Array];
  readonly sin: readonly [Float64Array, Float64Array];
}

/** Memory for rows of `width` numbers that are folded once or, if the width is even, twice. */
function foldedRows(width: number, height: number): FoldedRows {
  const half = Math.ceil(width / 2);
  const length = width % 2 === 1 ? half : Math.ceil(half / 2);
  const rows = () => new Float64Array(length * height);
  const [cos, sin] = [rows(), rows()];
  if (width % 2 === 1) return { width, length, cos: [cos, cos], sin: [sin, sin] };
  return { width, length, cos: [cos, rows()], sin: [sin, rows()] };
}

/**
 * Folds rows at the middle, where cosines are even and sines are odd, and again at the quarter, where
 * that depends on the number of waves. The middle of an odd length is alone; an odd wave is 0 there.
 */
function foldRows(rows: Float32Array | Float64Array, { width, cos, sin }: FoldedRows): void {
  const [[cos0, cos1], [sin0, sin1]] = [cos, sin];
  const isOdd = width % 2 === 1;
  for (let start = 0, to = 0; start < rows.length; start += width) {
    let [left, right] = [start, start + width - 1];
    if (isOdd) {
      for (; left < right; left++, right--, to++) {
        cos0[to] = rows[left] + rows[right];
        sin0[to] = rows[left] - rows[right];
      }
      cos0[to] = rows[left];
      sin0[to++] = 0;
      continue;
    }
    const half = start + width / 2;
    let [inLeft, inRight] = [half - 1, half];
    for (; left < inLeft; left++, right--, inLeft--, inRight++, to++) {
      const even = rows[left] + rows[right];
      const odd = rows[left] - rows[right];
      const inEven = rows[inLeft] + rows[inRight];
      const inOdd = rows[inLeft] - rows[inRight];
      cos0[to] = even + inEven;
      cos1[to] = even - inEven;
      sin0[to] = odd - inOdd;
      sin1[to] = odd + inOdd;
    }
    if (left === inLeft) {
      cos0[to] = rows[left] + rows[right];
      cos1[to] = 0;
      sin0[to] = 0;
      sin1[to++] = rows[left] - rows[right];
    }
  }
}

/** Sums each row times a wave, four rows at a time: a sum waits for its last addition. */
function sumProducts(rows: Float64Array, length: number, wave: Float64Array, sums: Float64Array) {
  const height = sums.length;
  const inFours = height - (height % 4);
  for (let y = 0; y < inFours; y += 4) {
    let first = 0;
    let second = 0;
    let third = 0;
    let fourth = 0;
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
}

/** Sums a column times the waves of two frequencies at a time: a sum waits for its last addition. */
function transformColumn(
  { re, im }: { readonly re: Float64Array; readonly im: Float64Array },
  { cos, sin }: Phasors,
  v: number,
  w: number,
) {
  const turns = cos.length;
  const modulo = (value: number) => (((value % turns) + turns) % turns) | 0;
  const step = modulo(2 * v);
  const otherStep = modulo(2 * w);
  let at = modulo(v);
  let other = modulo(w);
  let sumRe = 0;
  let sumIm = 0;
  let otherRe = 0;
  let otherIm = 0;
  for (let y = 0; y < re.length; y++) {
    const r = re[y];
    const i = im[y];
    sumRe += r * cos[at] - i * sin[at];
    sumIm += r * sin[at] + i * cos[at];
    otherRe += r * cos[other] - i * sin[other];
    otherIm += r * sin[other] + i * cos[other];
    at += step;
    if (at >= turns) at -= turns;
    other += otherStep;
    if (other >= turns) other -= turns;
  }
  return { re: sumRe, im: sumIm, otherRe, otherIm };
}

/** Returns the amplitude that averaging over blocks of pixels leaves of a wave. */
function blockResponse(waves: number, samples: number, pixels: number): number {
  if (waves === 0 || samples === pixels) return 1;
  const inBlock = (Math.PI * waves) / samples;
  const inPixel = (Math.PI * waves) / pixels;
  return (Math.sin(inBlock) / inBlock) * (inPixel / Math.sin(inPixel));
}

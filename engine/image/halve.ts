/** Halves a picture in linear light: what preparing a source spends its time with. */
import { SHARP_CUBIC } from "./filter-weights.ts";
import { packPixel } from "./packed.ts";
import type { PackedImage } from "./picture.ts";
import { SRGB8_TO_LINEAR } from "./transfer.ts";

/** Pixels on each side of a pixel of the result. */
const REACH = 2 * SHARP_CUBIC.reach;
/** Weights of the two nearest pixels, of the two next to them, and so on: they are the same everywhere. */
const WEIGHTS = normalised(
  Array.from({ length: REACH }, (_, away) => SHARP_CUBIC.weight((away + 0.5) / 2)),
);

function normalised(weights: readonly number[]): readonly number[] {
  const sum = 2 * weights.reduce((total, weight) => total + weight);
  return weights.map((weight) => weight / sum);
}

/** Linear light of the levels; 64-bit, as everything here computes. */
const LIGHT = Float64Array.from(SRGB8_TO_LINEAR);

/** Red, green and blue of a row, premultiplied by alpha if there is any, and alpha, one after the other. */
type Planes = readonly Float64Array[];

/**
 * Halves a picture with `SHARP_CUBIC`, two rows at a time, which share most of what they are made of.
 * Beyond its edges the picture is continued with the pixels at the edges.
 * @param into half as wide and high, rounded up
 */
export function halve(picture: PackedImage, into: PackedImage): void {
  const planesOf = (width: number): Planes =>
    Array.from({ length: picture.alpha === null ? 3 : 4 }, () => new Float64Array(width));
  const line = planesOf(2 * into.width + 2 * REACH);
  const upper = planesOf(into.width);
  const lower = planesOf(into.width);
  /** Halved rows of the picture around the two rows of the result, in their order. */
  const window = Array.from({ length: 2 * REACH + 2 }, () => planesOf(into.width));
  let next = 1 - REACH;
  for (let row = 0; row < into.height; row += 2) {
    for (; next <= 2 * (row + 1) + REACH; next++) {
      readRow(picture, Math.min(Math.max(next, 0), picture.height - 1), line);
      const [oldest] = window.splice(0, 1);
      for (const [at, plane] of line.entries()) halveLine(plane, oldest[at]);
      window.push(oldest);
    }
    for (const [at, plane] of upper.entries()) {
      addLines(
        window.map((planes) => planes[at]),
        plane,
        lower[at],
      );
    }
    packRow(upper, into, row);
    if (row + 1 < into.height) packRow(lower, into, row + 1);
  }
}

/** Reads a row, with the pixels at its ends repeated. */
function readRow({ width, colour, alpha }: PackedImage, row: number, line: Planes): void {
  const [reds, greens, blues, alphas] = line;
  const start = row * width;
  for (let column = 0, to = REACH; column < width; column++, to++) {
    const packed = colour[start + column] | 0;
    reds[to] = LIGHT[packed >> 16];
    greens[to] = LIGHT[(packed >> 8) & 255];
    blues[to] = LIGHT[packed & 255];
  }
  if (alpha !== null) {
    for (let column = 0, to = REACH; column < width; column++, to++) {
      const opacity = alpha[start + column] / 255;
      reds[to] *= opacity;
      greens[to] *= opacity;
      blues[to] *= opacity;
      alphas[to] = opacity;
    }
  }
  for (const plane of line) {
    plane.fill(plane[REACH], 0, REACH);
    plane.fill(plane[REACH + width - 1], REACH + width);
  }
}

/** Halves a line with `REACH` more pixels at each end. Each pixel is read once. */
function halveLine(line: Float64Array, into: Float64Array): void {
  const [w0, w1, w2, w3, w4, w5] = WEIGHTS;
  // Destructuring a typed array would box the numbers.
  let a = line[1];
  let b = line[2];
  let c = line[3];
  let d = line[4];
  let e = line[5];
  let f = line[6];
  let g = line[7];
  let h = line[8];
  let i = line[9];
  let j = line[10];
  for (let to = 0, at = 2 * REACH - 1; to < into.length; to++, at += 2) {
    const k = line[at];
    const l = line[at + 1];
    into[to] =
      w0 * (f + g) + w1 * (e + h) + w2 * (d + i) + w3 * (c + j) + w4 * (b + k) + w5 * (a + l);
    a = c;
    b = d;
    c = e;
    d = f;
    e = g;
    f = h;
    g = i;
    h = j;
    i = k;
    j = l;
  }
}

/** Weights lines by their distance from the middle of all but the last two, and of all but the first two. */
function addLines(lines: readonly Float64Array[], upper: Float64Array, lower: Float64Array): void {
  const [w0, w1, w2, w3, w4, w5] = WEIGHTS;
  const [as, bs, cs, ds, es, fs, gs, hs, is, js, ks, ls, ms, ns] = lines;
  for (let at = 0; at < upper.length; at++) {
    const c = cs[at];
    const d = ds[at];
    const e = es[at];
    const f = fs[at];
    const g = gs[at];
    const h = hs[at];
    const i = is[at];
    const j = js[at];
    const k = ks[at];
    const l = ls[at];
    upper[at] =
      w0 * (f + g) +
      w1 * (e + h) +
      w2 * (d + i) +
      w3 * (c + j) +
      w4 * (bs[at] + k) +
      w5 * (as[at] + l);
    lower[at] =
      w0 * (h + i) +
      w1 * (g + j) +
      w2 * (f + k) +
      w3 * (e + l) +
      w4 * (d + ms[at]) +
      w5 * (c + ns[at]);
  }
}

function packRow(planes: Planes, into: PackedImage, row: number): void {
  const [reds, greens, blues, alphas] = planes;
  for (let at = 0, to = row * into.width; at < into.width; at++, to++) {
    packPixel(into, to, reds[at], greens[at], blues[at], into.alpha === null ? 1 : alphas[at]);
  }
}

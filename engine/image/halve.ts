/** Halves a picture in linear light: what making levels spends its time with. */
import type { Size } from "../size.ts";
import { LANCZOS_CUBIC } from "./filter-weights.ts";
import { packPixel } from "./packed.ts";
import type { PackedImage, Region } from "./picture.ts";
import { SRGB8_TO_LINEAR } from "./transfer.ts";

/** Pixels on each side of a pixel of the result. */
const REACH = 2 * LANCZOS_CUBIC.reach;
/** Weights of the two nearest pixels, of the two next to them, and so on: they are the same everywhere. */
const WEIGHTS = normalised(
  Array.from({ length: REACH }, (_, away) => LANCZOS_CUBIC.weight((away + 0.5) / 2)),
);

function normalised(weights: readonly number[]): readonly number[] {
  const sum = 2 * weights.reduce((total, weight) => total + weight);
  return weights.map((weight) => weight / sum);
}

/** Red, green and blue of a row, premultiplied by alpha if there is any, and alpha, one after the other. */
type Planes = readonly Float64Array[];

/** Returns the pixels of a picture that a part of its half is made of. */
export function neededToHalve({ width, height }: Size, part: Region): Region {
  const x = Math.max(0, 2 * part.x - REACH);
  const y = Math.max(0, 2 * part.y - REACH);
  return {
    x,
    y,
    width: Math.min(width, 2 * (part.x + part.width) + REACH) - x,
    height: Math.min(height, 2 * (part.y + part.height) + REACH) - y,
  };
}

/**
 * Makes a part of a picture's half with `LANCZOS_CUBIC`, two rows at a time, which share most of what they are
 * made of. Beyond its edges the picture is continued with the pixels at the edges.
 * @param into half as wide and high, rounded up
 */
export function halve(picture: PackedImage, part: Region, into: PackedImage): void {
  const planesOf = (width: number): Planes =>
    Array.from({ length: picture.alpha === null ? 3 : 4 }, () => new Float64Array(width));
  const line = planesOf(2 * part.width + 2 * REACH);
  const upper = planesOf(part.width);
  const lower = planesOf(part.width);
  /** Halved rows of the picture around the two rows of the result, in their order. */
  const window = Array.from({ length: 2 * REACH + 2 }, () => planesOf(part.width));
  const bottom = part.y + part.height;
  let next = 2 * part.y + 1 - REACH;
  for (let row = part.y; row < bottom; row += 2) {
    for (; next <= 2 * (row + 1) + REACH; next++) {
      const clamped = Math.min(Math.max(next, 0), picture.height - 1);
      readRow(picture, clamped, 2 * part.x - REACH, line);
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
    packRow(upper, into, row * into.width + part.x);
    if (row + 1 < bottom) packRow(lower, into, (row + 1) * into.width + part.x);
  }
}

/** Reads a row from column `start` on, with the pixels at its ends repeated. */
function readRow(
  { width, colour, alpha }: PackedImage,
  row: number,
  start: number,
  line: Planes,
): void {
  const [reds, greens, blues, alphas] = line;
  const first = row * width + start;
  const from = Math.max(0, -start);
  const to = Math.min(reds.length, width - start);
  for (let at = from; at < to; at++) {
    const packed = colour[first + at] | 0;
    reds[at] = SRGB8_TO_LINEAR[packed >> 16];
    greens[at] = SRGB8_TO_LINEAR[(packed >> 8) & 255];
    blues[at] = SRGB8_TO_LINEAR[packed & 255];
  }
  if (alpha !== null) {
    for (let at = from; at < to; at++) {
      const opacity = alpha[first + at] / 255;
      reds[at] *= opacity;
      greens[at] *= opacity;
      blues[at] *= opacity;
      alphas[at] = opacity;
    }
  }
  for (const plane of line) {
    plane.fill(plane[from], 0, from);
    plane.fill(plane[to - 1], to);
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

/** Packs a row into the pixels of `into` from `first` on. */
function packRow(planes: Planes, into: PackedImage, first: number): void {
  const [reds, greens, blues, alphas] = planes;
  for (let at = 0; at < reds.length; at++) {
    const opacity = into.alpha === null ? 1 : alphas[at];
    packPixel(into, first + at, reds[at], greens[at], blues[at], opacity);
  }
}

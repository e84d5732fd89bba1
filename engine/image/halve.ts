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

/** Red, green and blue of a row, premultiplied by alpha if there is any, and alpha, one after the other. */
type Planes = readonly Float64Array[];

/**
 * Halves a picture with `SHARP_CUBIC`. Beyond its edges it is continued with the pixels at the edges.
 * @param into half as wide and high, rounded up
 */
export function halve(picture: PackedImage, into: PackedImage): void {
  const planesOf = (width: number): Planes =>
    Array.from({ length: picture.alpha === null ? 3 : 4 }, () => new Float64Array(width));
  const line = planesOf(2 * into.width + 2 * REACH);
  const sums = planesOf(into.width);
  /** Halved rows of the picture around the row of the result, in their order. */
  const window = Array.from({ length: 2 * REACH }, () => planesOf(into.width));
  let next = 1 - REACH;
  for (let row = 0; row < into.height; row++) {
    for (; next <= 2 * row + REACH; next++) {
      readRow(picture, Math.min(Math.max(next, 0), picture.height - 1), line);
      const [oldest] = window.splice(0, 1);
      for (const [at, plane] of line.entries()) halveLine(plane, oldest[at]);
      window.push(oldest);
    }
    for (const [at, plane] of sums.entries()) {
      addLines(
        window.map((planes) => planes[at]),
        plane,
      );
    }
    packRow(sums, into, row);
  }
}

/** Reads a row, with the pixels at its ends repeated. */
function readRow({ width, colour, alpha }: PackedImage, row: number, line: Planes): void {
  const [reds, greens, blues, alphas] = line;
  const light = SRGB8_TO_LINEAR;
  const start = row * width;
  for (let column = 0, to = REACH; column < width; column++, to++) {
    const packed = colour[start + column] | 0;
    reds[to] = light[packed >> 16];
    greens[to] = light[(packed >> 8) & 255];
    blues[to] = light[packed & 255];
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

/** Halves a line with `REACH` more pixels at each end. */
function halveLine(line: Float64Array, into: Float64Array): void {
  const [w0, w1, w2, w3, w4, w5] = WEIGHTS;
  for (let to = 0, at = REACH; to < into.length; to++, at += 2) {
    into[to] =
      w0 * (line[at] + line[at + 1]) +
      w1 * (line[at - 1] + line[at + 2]) +
      w2 * (line[at - 2] + line[at + 3]) +
      w3 * (line[at - 3] + line[at + 4]) +
      w4 * (line[at - 4] + line[at + 5]) +
      w5 * (line[at - 5] + line[at + 6]);
  }
}

/** Weights lines by their distance from the middle. */
function addLines(lines: readonly Float64Array[], into: Float64Array): void {
  const [w0, w1, w2, w3, w4, w5] = WEIGHTS;
  const [a, b, c, d, e, f, g, h, i, j, k, l] = lines;
  for (let at = 0; at < into.length; at++) {
    into[at] =
      w0 * (f[at] + g[at]) +
      w1 * (e[at] + h[at]) +
      w2 * (d[at] + i[at]) +
      w3 * (c[at] + j[at]) +
      w4 * (b[at] + k[at]) +
      w5 * (a[at] + l[at]);
  }
}

function packRow(planes: Planes, into: PackedImage, row: number): void {
  const [reds, greens, blues, alphas] = planes;
  for (let at = 0, to = row * into.width; at < into.width; at++, to++) {
    packPixel(into, to, reds[at], greens[at], blues[at], into.alpha === null ? 1 : alphas[at]);
  }
}

/** Quick sums of certificates, beside the same sums written out. */
import t from "tap";
import { pixelErrorsOf } from "../../engine/certificate/compare-pixels.ts";
import { picturePatches } from "../../engine/certificate/patch-sums.ts";
import type { SamplePlanes } from "../../engine/certificate/planes.ts";
import { samplePixels } from "../../engine/certificate/self-difference.ts";
import { spectrumOf } from "../../engine/certificate/spectrum.ts";
import type { Affine } from "../../engine/geometry/affine.ts";
import { hash } from "../helpers/pictures.ts";
import { grey } from "./draw.ts";

const SIZES = [
  [24, 16],
  [21, 18],
  [22, 15],
  [9, 31],
] as const;

function planesOf(width: number, height: number): SamplePlanes {
  const channels = [1, 2, 3, 4].map((seed) =>
    Float32Array.from({ length: width * height }, (_, at) => 255 * hash(at, seed) - 128),
  );
  return { width, height, pixels: { width, height }, channels, deviation: 1 };
}

/** The value of a plane that wraps, between samples. */
function valueAt({ width, height }: SamplePlanes, plane: Float32Array, x: number, y: number) {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const at = (column: number, row: number) =>
    plane[(((row % height) + height) % height) * width + (((column % width) + width) % width)];
  const mix = (from: number, to: number, share: number) => from + (to - from) * share;
  const upper = mix(at(left, top), at(left + 1, top), x - left);
  const lower = mix(at(left, top + 1), at(left + 1, top + 1), x - left);
  return mix(upper, lower, y - top);
}

const MAPS: readonly Affine[] = [
  { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 },
  { a: 1, b: 0, c: 0, d: 1, e: 7.25, f: -40.5 },
  { a: -1, b: 0, c: 0, d: 1, e: 3, f: 5.75 },
  { a: -1, b: 0, c: 0, d: -1, e: 20.125, f: 60 },
  { a: 0, b: 1, c: 1, d: 0, e: -3.5, f: 2 },
  { a: 0, b: -1, c: 1, d: 0, e: 8, f: -1.25 },
  { a: 0, b: -1, c: -1, d: 0, e: 0.5, f: 0.5 },
  { a: 0.5, b: -0.9, c: 0.8, d: 0.5, e: 4.3, f: -7.7 },
  { a: 1, b: -1, c: 1, d: 0, e: 0.25, f: 100 },
];

t.test("the image of each patch has the sum of its interpolated samples", async (t) => {
  for (const [width, height] of SIZES) {
    const planes = planesOf(width, height);
    const grid = { across: 2, down: 3 };
    const { counts, sumsOf } = picturePatches(planes, grid);
    t.equal(
      counts.reduce((sum, count) => sum + count),
      width * height,
    );
    for (const map of MAPS) {
      const { a, b, c, d, e, f } = map;
      const wanted = planes.channels.map((plane) => {
        const sums = new Float64Array(6);
        for (let j = 0; j < height; j++) {
          for (let i = 0; i < width; i++) {
            const patch = Math.floor((j * 3) / height) * 2 + Math.floor((i * 2) / width);
            sums[patch] += valueAt(planes, plane, a * i + b * j + e, c * i + d * j + f);
          }
        }
        return sums;
      });
      const off = sumsOf(map).flatMap((sums, channel) =>
        Array.from(sums, (sum, patch) => Math.abs(sum - wanted[channel][patch])),
      );
      t.equal(off.length, 24);
      t.ok(Math.max(...off) < 1e-6, `${width} × ${height}, ${JSON.stringify(map)}`);
    }
  }
});

t.test("coefficients are those of the Fourier sum", async (t) => {
  for (const [width, height] of SIZES) {
    const planes = planesOf(width, height);
    const frequencies = [0, 1, 2, 3, 4].flatMap((u) =>
      (u === 0 ? [1, 2, 5] : [-4, -1, 0, 3]).map((v) => ({ u, v })),
    );
    const { re, im } = spectrumOf(planes, frequencies);
    t.equal(re.length, frequencies.length * 4);
    frequencies.forEach(({ u, v }, at) => {
      planes.channels.forEach((plane, channel) => {
        let [cosines, sines] = [0, 0];
        for (let j = 0; j < height; j++) {
          for (let i = 0; i < width; i++) {
            const turns = (u * (i + 0.5)) / width + (v * (j + 0.5)) / height;
            cosines += plane[j * width + i] * Math.cos(2 * Math.PI * turns);
            sines -= plane[j * width + i] * Math.sin(2 * Math.PI * turns);
          }
        }
        const off = Math.hypot(
          re[at * 4 + channel] - cosines / width / height,
          im[at * 4 + channel] - sines / width / height,
        );
        t.ok(off < 1e-9, `${width} × ${height}, (${u}, ${v}), channel ${channel}`);
      });
    });
  }
});

t.test(
  "sampled pixels are different, in order, and spread over all columns and rows",
  async (t) => {
    const size = { width: 300, height: 200 };
    t.same(
      samplePixels(size, 60_000),
      Uint32Array.from({ length: 60_000 }, (_, at) => at),
    );
    const sample = samplePixels(size, 6000);
    t.equal(sample.length, 6000);
    t.ok(sample.every((pixel, at) => at === 0 || pixel > sample[at - 1]));
    t.ok(sample.every((pixel) => pixel < 60_000));
    const perColumn = new Float64Array(300);
    const perRow = new Float64Array(200);
    for (const pixel of sample) {
      perColumn[pixel % 300]++;
      perRow[Math.floor(pixel / 300)]++;
    }
    t.ok(Math.min(...perColumn) >= 10 && Math.max(...perColumn) <= 30, `${perColumn}`);
    t.ok(Math.min(...perRow) >= 28 && Math.max(...perRow) <= 32, `${perRow}`);
  },
);

t.test("errors of operations are the same whichever were compared before", async (t) => {
  const map = (a: number, b: number, c: number, d: number, e = 0, f = 0) => ({ a, b, c, d, e, f });
  const half = map(-1, 0, 0, -1, 11, 11);
  const quarter = map(0, -1, 1, 0, 11, 0);
  const back = map(0, 1, -1, 0, 0, 11);
  const mirror = map(-1, 0, 0, 1, 11, 0);
  const maps = [half, quarter, back, mirror, map(1, 0, 0, -1, 0, 11), map(0, 1, 1, 0)];
  const distance = (at: number) => Math.abs(2 * at - 11);
  const pictures = [
    grey(12, 12, (x, y) => distance(x) * distance(y)),
    grey(12, 12, (x, y) => distance(x) + 5 * distance(y)),
    grey(12, 12, (x, y) => (x < 6 === y < 6 ? distance(x) * distance(y) : 0)),
  ];
  for (const picture of pictures) {
    const errorOf = pixelErrorsOf(picture);
    t.same(
      maps.map((one) => errorOf(one)),
      maps.map((one) => pixelErrorsOf(picture)(one)),
    );
  }
});

import t from "tap";
import type { DecodedImage } from "../../engine/image/picture.ts";
import { resample } from "../../engine/image/resample.ts";
import { SRGB8_TO_LINEAR, srgb16ToLinear } from "../../engine/image/transfer.ts";
import { hash, photograph } from "../helpers/pictures.ts";

type Paint = (x: number, y: number) => readonly number[];

/** An 8- or 16-bit picture by a function of the pixel. */
function paint(width: number, height: number, bits: 8 | 16, colour: Paint): DecodedImage {
  const channels = colour(0, 0).length as 3 | 4;
  const values = Array.from({ length: width * height }, (_, at) =>
    colour(at % width, Math.floor(at / width)),
  ).flat();
  const size = { width, height, channels };
  return bits === 16
    ? { ...size, bits, pixels: Uint16Array.from(values) }
    : { ...size, bits, pixels: Uint8Array.from(values) };
}

/** The 16-bit sRGB value nearest to a linear light. */
function sixteenBitsOf(light: number): number {
  return Math.round(
    65535 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055),
  );
}

function worst(values: Float32Array, expected: (at: number) => number): number {
  return values.reduce((most, value, at) => Math.max(most, Math.abs(value - expected(at))), 0);
}

const photo = photograph(96, 64);
const whole = { x: 0, y: 0, width: 96, height: 64 };

t.test("a constant picture stays constant at every scale and place", async (t) => {
  const grey = paint(40, 30, 16, () => [30000, 500, 65535]);
  const light = [30000, 500, 65535].map((level) => srgb16ToLinear()[level]);
  const regions = [
    { x: 0, y: 0, width: 40, height: 30 },
    { x: 3.7, y: 1.2, width: 31.3, height: 7.9 },
    { x: -70.3, y: 12.5, width: 300, height: 21 },
    { x: 10, y: 10, width: 0.5, height: 0.5 },
  ];
  for (const region of regions) {
    for (const [width, height] of [
      [64, 48],
      [13, 7],
      [1, 1],
    ]) {
      const { values, mean } = resample(grey, region, width, height);
      t.ok(worst(values, (at) => light[at % 3]) < 1e-6, `${JSON.stringify(region)} to ${width}`);
      t.ok(mean.every((value, at) => Math.abs(value - light[at]) < 1e-6));
    }
  }
});

t.test("copies whole pixels exactly, up to the edges", async (t) => {
  const { values } = resample(photo, { x: 0, y: 24, width: 20, height: 40 }, 20, 40);
  const expected = (at: number) => {
    const [x, y] = [Math.floor(at / 3) % 20, Math.floor(at / 60) + 24];
    return SRGB8_TO_LINEAR[photo.pixels[(y * 96 + x) * 3 + (at % 3)]];
  };
  t.equal(worst(values, expected), 0);
});

t.test("keeps the mean when it shrinks", async (t) => {
  const { mean: before } = resample(photo, whole, 96, 64);
  for (const [width, height] of [
    [48, 32],
    [32, 16],
    [6, 4],
  ]) {
    const { mean } = resample(photo, whole, width, height);
    const off = Math.max(...mean.map((value, at) => Math.abs(value - before[at])));
    t.ok(off < 0.002, `${width} × ${height} is off by ${off}`);
  }
});

t.test("returns the linear mean of its result", async (t) => {
  const { values, mean } = resample(photo, { x: 7, y: -3, width: 50, height: 41 }, 31, 17);
  mean.forEach((value, channel) => {
    let sum = 0;
    for (let at = channel; at < values.length; at += 3) sum += values[at];
    t.ok(Math.abs(value - sum / (31 * 17)) < 1e-6);
  });
});

t.test("removes frequencies beyond its pixels", async (t) => {
  // Regions stay inside: a mirrored edge doubles a stripe, which counts as an error.
  const grey = (value: number) => [value, value, value];
  const board = paint(320, 320, 8, (x, y) => grey((x + y) % 2 === 0 ? 255 : 0));
  for (const place of [32, 32.5, 35.3]) {
    for (const size of [32, 37]) {
      const region = { x: place, y: place, width: 256, height: 256 };
      const off = worst(resample(board, region, size, size).values, () => 0.5);
      t.ok(off < 0.005, `a chessboard at ${place} to ${size} pixels is off by ${off}`);
    }
  }
  const stripes = paint(320, 8, 8, (x) => grey(x % 3 === 0 ? 255 : 0));
  const flat = resample(stripes, { x: 30, y: 0, width: 255, height: 8 }, 51, 2);
  t.ok(worst(flat.values, () => 1 / 3) < 0.01, "stripes of 3 pixels, 5 times smaller");
});

t.test("keeps low frequencies", async (t) => {
  const wave = (x: number, y: number) =>
    0.5 + 0.2 * Math.sin(x / 9) + 0.2 * Math.cos(y / 13 + x / 31);
  const sea = paint(120, 120, 16, (x, y) => Array(3).fill(sixteenBitsOf(wave(x + 0.5, y + 0.5))));
  for (const [length, size] of [
    [80, 40],
    [80, 33],
    [80, 80],
    [40, 100],
  ]) {
    const region = { x: 20.3, y: 17.9, width: length, height: length };
    const { values } = resample(sea, region, size, size);
    const step = length / size;
    const off = worst(values, (at) => {
      const [x, y] = [Math.floor(at / 3) % size, Math.floor(at / 3 / size)];
      return wave(20.3 + (x + 0.5) * step, 17.9 + (y + 0.5) * step);
    });
    t.ok(off < 0.004, `${length} to ${size} pixels is off by ${off}`);
  }
});

t.test("continues beyond the edges without a break, with copies of itself", async (t) => {
  const [margin, width] = [80, photo.width + 160];
  const { values } = resample(photo, { x: -margin, y: 40, width, height: 1 }, width, 1);
  const at = (x: number) => values.subarray(3 * (x + margin), 3 * (x + margin + 1));
  const apart = (x: number, y: number) => worst(at(x), (c) => at(y)[c]);
  const steps = Array.from({ length: photo.width - 1 }, (_, x) => apart(x, x + 1));
  for (const edge of [-1, photo.width - 1]) {
    t.ok(
      apart(edge, edge + 1) <= Math.max(...steps),
      "the step at the edge is one of those inside",
    );
  }
  // A copy begins a tenth inside the picture; it has faded in after a fifth of the shorter side.
  const leftOut = Math.floor(photo.width / 10);
  const faded = Math.ceil(Math.min(photo.width, photo.height) / 5);
  for (let x = faded; x < margin; x++) {
    t.equal(apart(photo.width + x, leftOut + x), 0, `${x} behind`);
    t.equal(apart(-1 - x, photo.width - 1 - leftOut - x), 0, `${x} before`);
  }
});

t.test("continues without symmetries of its own", async (t) => {
  const sides = { x: -3 * photo.width, y: 0, width: 7 * photo.width, height: photo.height };
  const { values, width, height } = resample(photo, sides, sides.width / 4, sides.height / 4);
  const difference = (image: (x: number) => number) => {
    let [sum, count] = [0, 0];
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const to = image(x);
        if (to < 0 || to >= width) continue;
        sum += Math.abs(values[(y * width + x) * 3] - values[(y * width + to) * 3]);
        count++;
      }
    }
    return sum / count;
  };
  const unlike = difference((x) => x + Math.round(photo.width / 8 / 2));
  for (let shift = width / 14; shift < width / 2; shift++) {
    t.ok(difference((x) => x + shift) > unlike / 3, `moved by ${shift}`);
    t.ok(difference((x) => 2 * shift - x) > unlike / 3, `mirrored at ${shift}`);
  }
});

t.test("continues a picture of one pixel, and of one row", async (t) => {
  for (const [width, height] of [
    [1, 1],
    [1, 40],
    [40, 1],
  ] as const) {
    const small = photograph(width, height);
    const { values } = resample(small, { x: -9, y: -9, width: 60, height: 60 }, 60, 60);
    t.ok(values.every(Number.isFinite));
  }
});

t.test("premultiplies colours, without dark fringes", async (t) => {
  // Red on the left; on the right fully transparent black, which must not darken the red.
  const half = paint(64, 16, 8, (x) => (x < 32 ? [255, 0, 0, 255] : [0, 0, 0, 0]));
  for (const [width, height] of [
    [21, 5],
    [64, 16],
    [130, 33],
  ]) {
    const region = { x: 0.4, y: 0, width: 63, height: 16 };
    const { channels, values, mean } = resample(half, region, width, height);
    t.equal(channels, 4);
    let between = 0;
    for (let at = 0; at < values.length; at += 4) {
      t.equal(values[at], values[at + 3], "red is as bright as it is visible");
      if (values[at + 3] > 0.05 && values[at + 3] < 0.95) between += 1;
    }
    t.ok(between > 0, "there are soft pixels to look at");
    t.same(mean, [1, 0, 0]);
  }
  const nothing = paint(4, 4, 16, () => [65535, 65535, 65535, 0]);
  t.same(resample(nothing, { x: 0, y: 0, width: 4, height: 4 }, 2, 2).mean, [0, 0, 0]);
});

t.test("has no negative light beside sharp edges", async (t) => {
  const noise = paint(64, 64, 8, (x, y) => Array(3).fill(hash(x, y) < 0.5 ? 0 : 255));
  for (const size of [200, 60, 20]) {
    const { values } = resample(noise, { x: 0, y: 0, width: 64, height: 64 }, size, size);
    t.ok(values.every((value) => value >= 0));
    t.ok(values.some((value) => value > 0.4));
  }
});

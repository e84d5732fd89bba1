import t from "tap";
import { filterWeights } from "../../engine/image/filter-weights.ts";
import type { ByteImage } from "../../engine/image/picture.ts";
import { createResampler } from "../../engine/image/resample.ts";
import { SRGB8_TO_LINEAR } from "../../engine/image/transfer.ts";
import { encodedChannel } from "../../shaders/lib/colour.ts";
import { hash, photograph } from "../helpers/pictures.ts";
import { seed } from "../helpers/random-subset.ts";
import { sequence } from "../helpers/sequence.ts";
import { bytesOfColour, lightOf, packed, paint, shrink } from "./paint.ts";

const RATIOS = [Math.SQRT2, 2];
const grey = (value: number) => [value, value, value];
const worst = (values: readonly number[], expected: (at: number) => number): number =>
  values.reduce((most, value, at) => Math.max(most, Math.abs(value - expected(at))), 0);

/** Larger than what is filtered at once. */
const wide = photograph(2300, 60);
const veiled = paint(173, 140, (x, y) => [
  ...[(5 * x) % 256, (8 * y) % 256, (x * y) % 256],
  hash(x >> 3, y >> 3) < 0.3 ? 0 : (x * 7 + y * 3) % 256,
]);
/** Sums of its pixels are often below black or above white. */
const noise = paint(64, 64, (x, y) => grey(hash(x, y) < 0.5 ? 0 : 255));

for (const ratio of RATIOS) {
  const name = `ratio ${ratio.toFixed(2)}`;

  t.test(`weights have sum 1 and are the same on both sides: ${name}`, async (t) => {
    const size = 20;
    const { first, count, weights } = filterWeights(ratio, size);
    for (let at = 0; at < size; at++) {
      const own = weights.subarray(at * count, (at + 1) * count);
      t.ok(Math.abs(own.reduce((sum, weight) => sum + weight) - 1) < 1e-6);
      const centre = (at + 0.5) * ratio - 0.5;
      const mean = own.reduce((sum, weight, tap) => sum + weight * (first[at] + tap), 0);
      t.ok(Math.abs(mean - centre) < 0.02, `the mean of ${at} is off by ${mean - centre}`);
    }
  });

  t.test(`equals sums of 64 bits: ${name}`, async (t) => {
    for (const picture of [wide, veiled, noise]) {
      const image = packed(picture);
      const result = shrink(image, ratio);
      const random = sequence(seed);
      const pixels = Array.from({ length: 3000 }, (_, n) => ({
        // Those at the edges, too.
        x: n % 7 === 0 ? (n % 2) * (result.width - 1) : Math.floor(random() * result.width),
        y: n % 5 === 0 ? (n % 2) * (result.height - 1) : Math.floor(random() * result.height),
      }));
      for (const { x, y } of pixels) {
        const expected = shrunkPixel(picture, ratio, x, y);
        const at = y * result.width + x;
        const values = [...bytesOfColour(result.colour[at]), result.alpha?.[at] ?? 255];
        const off = worst(values.slice(3), () => expected[3]);
        if (off > 0.51) t.fail(`alpha ${values[3]} is not ${expected[3]} at ${x}, ${y}`);
        // Colours are rounded once, after light that is rounded to 16 bits; where little is visible, they are less certain.
        const allowed = 0.56 + (expected[3] === 255 ? 0 : 2 / (expected[3] + 1));
        const colours = worst(values.slice(0, 3), (channel) => expected[channel]);
        if (values[3] > 0 && colours > allowed)
          t.fail(`${values} is not ${expected} at ${x}, ${y} of ${picture.channels} channels`);
      }
    }
    t.pass("all pixels agree");
  });

  t.test(`a constant picture stays constant: ${name}`, async (t) => {
    for (const colour of [
      [120, 3, 255],
      [0, 1, 254, 129],
      [9, 9, 9, 0],
    ]) {
      const picture = packed(paint(40, 30, () => colour));
      const result = shrink(picture, ratio);
      const isHidden = colour[3] === 0;
      t.ok(result.colour.every((value) => value === (isHidden ? 0 : picture.colour[0])));
      t.ok(result.alpha?.every((value) => value === colour[3]) ?? colour.length === 3);
    }
  });

  t.test(`removes frequencies beyond its pixels: ${name}`, async (t) => {
    const board = packed(paint(320, 320, (x, y) => grey((x + y) % 2 === 0 ? 255 : 0)));
    const { width, height, ...image } = shrink(board, ratio);
    const light = lightOf({ width, height, ...image }).filter((_, at) => {
      const [x, y] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width)];
      return Math.min(x, y, width - 1 - x, height - 1 - y) >= 4;
    });
    const off = worst(light, () => 0.5);
    t.ok(off < 0.02, `a chessboard is off by ${off}`);
  });

  t.test(`weights colours by alpha, without dark fringes: ${name}`, async (t) => {
    // Red on the left; on the right fully transparent black, which must not darken the red.
    const half = packed(paint(63, 16, (x) => (x < 31 ? [255, 0, 0, 255] : [0, 0, 0, 0])));
    const { colour, alpha } = shrink(half, ratio);
    const values = [...(alpha ?? [])];
    t.ok(values.every((value, at) => value === 0 || colour[at] === 0xff0000));
    t.ok(
      values.some((value) => value > 12 && value < 242),
      "there are soft pixels to look at",
    );
  });

  t.test(`a part has the same pixels as the whole: ${name}`, async (t) => {
    for (const image of [packed(wide), packed(veiled)]) {
      const whole = shrink(image, ratio);
      const result = {
        ...whole,
        colour: whole.colour.slice(),
        alpha: whole.alpha?.slice() ?? null,
      };
      result.colour.fill(-1);
      const { needed, run } = createResampler(image, ratio, whole);
      const random = sequence(seed);
      for (let n = 0; n < 40; n++) {
        const x = Math.floor(random() * whole.width);
        const y = Math.floor(random() * whole.height);
        const width = 1 + Math.floor(random() * (whole.width - x));
        const part = { x, y, width, height: 1 + Math.floor(random() * (whole.height - y)) };
        const from = needed(part);
        t.ok(from.x >= 0 && from.x + from.width <= image.width, "inside of the picture");
        t.ok(from.y >= 0 && from.y + from.height <= image.height);
        run(part, result);
      }
      const isWrong = (value: number, at: number) => value !== -1 && value !== whole.colour[at];
      t.notOk(result.colour.some(isWrong));
      t.ok(result.colour.some((value) => value !== -1));
      t.strictSame(result.alpha, whole.alpha);
    }
  });

  t.test(`what a part needs is all that it is made of: ${name}`, async (t) => {
    const image = packed(photograph(96, 64));
    const whole = shrink(image, ratio);
    const part = { x: 20, y: 13, width: 9, height: 11 };
    const { needed, run } = createResampler(image, ratio, whole);
    const region = needed(part);
    for (let at = 0; at < image.colour.length; at++) {
      const [x, y] = [at % 96, Math.floor(at / 96)];
      const isInside =
        x >= region.x &&
        x < region.x + region.width &&
        y >= region.y &&
        y < region.y + region.height;
      if (!isInside) image.colour[at] = 0xffffff;
    }
    const result = { ...whole, colour: whole.colour.slice() };
    run(part, result);
    t.strictSame(result.colour, whole.colour);
  });
}

/** Returns red, green, blue and alpha of a pixel, not rounded. */
function shrunkPixel(
  { width, height, channels, pixels }: ByteImage,
  ratio: number,
  x: number,
  y: number,
): number[] {
  const [across, down] = [x, y].map((at) => {
    const { first, count, weights } = filterWeights(ratio, at + 1);
    return { from: first[at], weights: weights.slice(at * count, (at + 1) * count) };
  });
  const sums = [0, 0, 0, 0];
  for (const [row, weightDown] of (down?.weights ?? []).entries()) {
    for (const [column, weightAcross] of (across?.weights ?? []).entries()) {
      const clamped = (at: number, size: number) => Math.min(Math.max(at, 0), size - 1);
      const at =
        clamped((down?.from ?? 0) + row, height) * width +
        clamped((across?.from ?? 0) + column, width);
      const [red = 0, green = 0, blue = 0, alpha = 255] = pixels.subarray(
        at * channels,
        (at + 1) * channels,
      );
      const share = (weightDown * weightAcross * alpha) / 255;
      for (const [channel, level] of [red, green, blue].entries())
        sums[channel] = (sums[channel] ?? 0) + share * (SRGB8_TO_LINEAR[level] ?? 0);
      sums[3] = (sums[3] ?? 0) + share;
    }
  }
  const clamp = (value: number) => Math.min(Math.max(value, 0), 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = sums;
  return [
    ...[red, green, blue].map((light) => 255 * encodedChannel(clamp(light / alpha))),
    255 * clamp(alpha),
  ];
}

import t from "tap";
import { filterWeights } from "../../engine/image/filter-weights.ts";
import type { ByteImage, PackedImage } from "../../engine/image/picture.ts";
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
      const result = unlike(whole);
      const { run } = createResampler(image, ratio, whole);
      const random = sequence(seed);
      for (let n = 0; n < 40; n++) {
        const x = Math.floor(random() * whole.width);
        const y = Math.floor(random() * whole.height);
        const width = 1 + Math.floor(random() * (whole.width - x));
        run({ x, y, width, height: 1 + Math.floor(random() * (whole.height - y)) }, result);
      }
      const { colour, alpha } = whole;
      let made = 0;
      for (let at = 0; at < colour.length; at++) {
        if (result.colour[at] === -1) continue;
        made++;
        if (result.colour[at] !== colour[at]) t.fail(`the colour of pixel ${at} differs`);
        if (result.alpha?.[at] !== alpha?.[at]) t.fail(`the alpha of pixel ${at} differs`);
      }
      t.ok(made > colour.length / 2, `${made} pixels of ${colour.length}`);
    }
  });

  t.test(`what a part needs is all that it is made of: ${name}`, async (t) => {
    const size = { width: 96, height: 64 };
    for (const image of [
      packed(photograph(size.width, size.height)),
      packed(paint(size.width, size.height, (x, y) => [x, y, 2 * x, 255 - x - y])),
    ]) {
      const whole = shrink(image, ratio);
      const { needed } = createResampler(image, ratio, whole);
      const [right, bottom] = [whole.width, whole.height];
      for (const part of [
        { x: 0, y: 0, width: right, height: bottom },
        { x: 0, y: 0, width: 3, height: 2 },
        { x: right - 4, y: 0, width: 4, height: 5 },
        { x: 0, y: bottom - 1, width: 9, height: 1 },
        { x: right - 1, y: bottom - 3, width: 1, height: 3 },
        ...Array.from({ length: 6 }, (_, n) => ({ x: 15 + n, y: 12 - n, width: 9, height: 11 })),
      ]) {
        const region = needed(part);
        t.ok(region.x >= 0 && region.x + region.width <= size.width, "inside of the picture");
        t.ok(region.y >= 0 && region.y + region.height <= size.height);
        const isNeeded = (at: number) => {
          const [x, y] = [(at % size.width) - region.x, Math.floor(at / size.width) - region.y];
          return x >= 0 && x < region.width && y >= 0 && y < region.height;
        };
        const changed = {
          ...image,
          colour: image.colour.map((value, at) => (isNeeded(at) ? value : 0xffffff - value)),
          alpha: image.alpha?.map((value, at) => (isNeeded(at) ? value : 255 - value)) ?? null,
        };
        const [expected, result] = [unlike(whole), unlike(whole)];
        createResampler(image, ratio, whole).run(part, expected);
        createResampler(changed, ratio, whole).run(part, result);
        t.strictSame(result, expected, JSON.stringify(part));
      }
    }
  });

  t.test(`keeps low frequencies: ${name}`, async (t) => {
    const wave = (x: number, y: number) =>
      128 + 50 * Math.sin(x / 9) + 50 * Math.cos(y / 13 + x / 31);
    const sea = paint(160, 130, (x, y) => grey(Math.round(wave(x + 0.5, y + 0.5))));
    const { width, height, colour } = shrink(packed(sea), ratio);
    let off = 0;
    // At the edges the picture ends.
    for (let y = 5; y < height - 5; y++) {
      for (let x = 5; x < width - 5; x++) {
        const expected = wave((x + 0.5) * ratio, (y + 0.5) * ratio);
        off = Math.max(off, Math.abs(bytesOfColour(colour[y * width + x] ?? 0)[0] - expected));
      }
    }
    t.ok(off < 1.8, `off by ${off} steps`);
  });

  t.test(`keeps the mean: ${name}`, async (t) => {
    const image = packed(photograph(192, 128));
    const mean = (of: PackedImage) => {
      const light = lightOf(of);
      return light.reduce((sum, value) => sum + value) / light.length;
    };
    const off = mean(shrink(image, ratio)) - mean(image);
    t.ok(Math.abs(off) < 0.003, `off by ${off}`);
  });
}

/** A picture of that size whose pixels differ from all that can be made. */
const unlike = ({ width, height, colour, alpha }: PackedImage): PackedImage => ({
  ...{ width, height, colour: colour.map(() => -1) },
  alpha: alpha?.map((value) => value ^ 255) ?? null,
});

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

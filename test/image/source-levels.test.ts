import t from "tap";
import { bytesOf } from "../../engine/image/samples.ts";
import {
  LevelMissing,
  lastLevel,
  levelScale,
  levelSize,
  levelsFromOctave,
  octaveWithin,
  prepareLevels,
  writeLevels,
} from "../../engine/image/source-levels.ts";
import { SRGB8_TO_LINEAR } from "../../engine/image/transfer.ts";
import { photograph } from "../helpers/pictures.ts";
import { bytesOfColour, packed, paint, shrink } from "./paint.ts";

const photo = photograph(180, 121);

t.test("levels halve the pixels down to a single one", async (t) => {
  for (const size of [
    { width: 180, height: 121 },
    { width: 1, height: 1 },
    { width: 3, height: 700 },
  ]) {
    const levels = await prepareLevels(paint(size.width, size.height, () => [1, 2, 3]));
    for (let k = 0; k <= lastLevel(size); k++) {
      const { width, height } = levels.level(k);
      t.strictSame({ width, height }, levelSize(size, k));
      t.ok(width * levelScale(k) >= size.width - 1e-9 && (width - 1) * levelScale(k) < size.width);
    }
    t.match(levels.level(lastLevel(size)), { width: 1, height: 1 });
  }
});

t.test("the first level is the picture itself", async (t) => {
  const { colour, alpha } = (await prepareLevels(photo)).level(0);
  t.strictSame(colour, packed(photo).colour);
  t.equal(alpha, null);
  const veiled = paint(9, 5, (x, y) => [x, y, 255 - x, 20 * x + y]);
  const level = (await prepareLevels(veiled)).level(0);
  t.strictSame(level.colour, packed(veiled).colour);
  t.strictSame(level.alpha, packed(veiled).alpha);
});

t.test("pixels may come in pieces of any length, anywhere in memory", async (t) => {
  for (const channels of [3, 4] as const) {
    const size = { width: 37, height: 5 };
    const picture = paint(size.width, size.height, (x, y) =>
      [(7 * x + y) % 256, (31 * y + x) % 256, 255 - 5 * x, 60 + x].slice(0, channels),
    );
    const { levels, write } = writeLevels({ ...size, channels });
    for (let first = 0, count = 1; first < size.width * size.height; first += count++) {
      const part = picture.pixels.subarray(first * channels, (first + count) * channels);
      const shifted = new Uint8Array(part.length + 3).subarray(first % 4);
      shifted.set(part);
      write(shifted.subarray(0, part.length));
    }
    const { colour, alpha } = levels.level(0);
    t.strictSame(colour, packed(picture).colour);
    t.strictSame(alpha, packed(picture).alpha);
  }
});

t.test("levels that continue from one level equal those of the whole picture", async (t) => {
  const veiled = paint(61, 40, (x, y) => [4 * x, 6 * y, (x * y) % 256, 255 - 2 * x]);
  for (const picture of [photo, veiled]) {
    const whole = await prepareLevels(picture);
    for (const finest of [0, 2, 4]) {
      const image = whole.level(finest);
      const channels = image.alpha === null ? 3 : 4;
      const continued = levelsFromOctave(picture, finest, {
        ...levelSize(picture, finest),
        channels,
        pixels: bytesOf(image),
      });
      for (let level = finest; level <= lastLevel(picture); level++) {
        t.strictSame(continued.level(level), whole.level(level), `level ${level} from ${finest}`);
      }
      if (finest > 0) t.throws(() => continued.level(finest - 1), new LevelMissing(finest - 1));
      if (finest <= octaveWithin(picture, 4096)) t.strictSame(continued.mean, whole.mean);
      else t.throws(() => continued.mean, new LevelMissing(octaveWithin(picture, 4096)));
    }
  }
});

t.test("octaves are halves of octaves, and half octaves are made of octaves", async (t) => {
  const veiled = paint(61, 40, (x, y) => [4 * x, 6 * y, (x * y) % 256, 255 - 2 * x]);
  for (const picture of [photo, veiled]) {
    const levels = prepareLevels(picture);
    for (let level = 1; level <= lastLevel(picture); level++) {
      const expected =
        level % 2 === 0
          ? shrink(levels.level(level - 2), 2)
          : shrink(levels.level(level - 1), Math.SQRT2);
      const { width, height } = levels.level(level);
      const inside = (image: typeof expected) =>
        [...image.colour].filter((_, at) => at % image.width < width && at < height * image.width);
      t.strictSame(inside(levels.level(level)), inside(expected), `level ${level}`);
    }
  }
});

t.test("a constant picture stays constant, transparent or not", async (t) => {
  for (const colour of [
    [30, 0, 255],
    [30, 200, 255, 77],
    [0, 0, 0, 0],
  ]) {
    const picture = paint(33, 20, () => colour);
    const levels = await prepareLevels(picture);
    const first = packed(picture);
    for (let k = 0; k <= lastLevel(levels); k++) {
      const { colour, alpha } = levels.level(k);
      t.ok(colour.every((value) => value === first.colour[0]) || alpha?.[0] === 0, `level ${k}`);
      t.ok(alpha?.every((value) => value === first.alpha?.[0]) ?? first.alpha === null);
    }
    const light = colour.slice(0, 3).map((value) => SRGB8_TO_LINEAR[value] ?? Number.NaN);
    const expected = colour[3] === 0 ? [0, 0, 0] : light;
    t.ok(
      levels.mean.every((value, at) => Math.abs(value - (expected[at] ?? Number.NaN)) < 1e-6),
      `${levels.mean}`,
    );
  }
});

t.test("transparent pixels do not colour others", async (t) => {
  const picture = paint(64, 64, (x) => (x < 32 ? [255, 0, 0, 255] : [0, 255, 0, 0]));
  const levels = await prepareLevels(picture);
  for (let k = 1; k <= 8; k++) {
    const { colour, alpha } = levels.level(k);
    t.ok(
      colour.every((value, at) => alpha?.[at] === 0 || value === 0xff0000),
      `level ${k}`,
    );
  }
  t.strictSame(levels.mean, [1, 0, 0]);
});

t.test("frequencies beyond a level's pixels are removed, in linear light", async (t) => {
  const chess = paint(256, 256, (x, y) => Array(3).fill((x + y) % 2 === 0 ? 255 : 0));
  const levels = await prepareLevels(chess);
  for (let k = 2; k <= 8; k++) {
    const { width, height, colour } = levels.level(k);
    for (let y = 2; y < height - 2; y++) {
      for (let x = 2; x < width - 2; x++) {
        const light = SRGB8_TO_LINEAR[bytesOfColour(colour[y * width + x] ?? 0)[0]] ?? 0;
        if (Math.abs(light - 0.5) > 0.02) t.fail(`level ${k} has ${light} at ${x}, ${y}`);
      }
    }
  }
  t.pass("grey everywhere");
});

t.test("low frequencies keep their positions", async (t) => {
  const wave = (x: number, y: number) =>
    128 + 50 * Math.sin(x / 30) + 50 * Math.cos(y / 37 + x / 61);
  const sea = paint(300, 200, (x, y) => Array(3).fill(Math.round(wave(x + 0.5, y + 0.5))));
  const levels = await prepareLevels(sea);
  for (let k = 0; k <= 6; k++) {
    const { width, height, colour } = levels.level(k);
    const scale = levelScale(k);
    let most = 0;
    for (let y = 4; (y + 5) * scale < 200 && y < height; y++) {
      for (let x = 4; (x + 5) * scale < 300 && x < width; x++) {
        const expected = wave((x + 0.5) * scale, (y + 0.5) * scale);
        most = Math.max(most, Math.abs(bytesOfColour(colour[y * width + x] ?? 0)[0] - expected));
      }
    }
    t.ok(most < 3, `level ${k} is off by ${most}`);
  }
});

t.test("finds the first octave within a number of pixels", async (t) => {
  t.equal(octaveWithin({ width: 100, height: 100 }, 10_000), 0);
  t.equal(octaveWithin({ width: 100, height: 100 }, 9_999), 2);
  t.equal(octaveWithin({ width: 4000, height: 3000 }, 4096), 12);
});

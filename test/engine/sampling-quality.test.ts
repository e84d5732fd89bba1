/** Shrunk and enlarged pictures, beside a Lanczos filter at the exact scale in linear light. */
import t from "tap";
import type { ByteImage } from "../../engine/image/picture.ts";
import { SRGB8_TO_LINEAR } from "../../engine/image/transfer.ts";
import type { Motif } from "../../engine/index.ts";
import { bytesOf, request, testEngine } from "../helpers/engine.ts";
import { photograph, pngOf, rasterOf } from "../helpers/pictures.ts";
import { sequence } from "../helpers/sequence.ts";
import { paint } from "../image/paint.ts";

const SIDE = 640;
/** Source pixels a pixel. */
const SCALES = [1.05, 1.3, 1.6, 1.75, 2, 2.8, 3.5, 4.1, 5.3];

const engine = await testEngine(t);

/** The picture, a square, resized to a tile by the engine. */
async function resized(
  picture: ByteImage,
  size: number,
  motif: Partial<Motif> = {},
): Promise<Uint8Array> {
  const seam = { method: "fold" } as const;
  const parts = { group: "p1", seam, motif, source: pngOf(picture), render: { size } } as const;
  return rasterOf(await bytesOf(await engine.render(request(parts)))).pixels;
}

const sinc = (x: number) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));
const lanczos = (x: number) => (Math.abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0);

/** The green channel of a square picture, resized to `size` pixels a side, 0…255. */
function reference({ width, channels, pixels }: ByteImage, size: number): Float64Array {
  const step = width / size;
  const scale = Math.max(1, step);
  const taps = Array.from({ length: size }, (_, at) => {
    const centre = (at + 0.5) * step - 0.5;
    const first = Math.ceil(centre - 3 * scale);
    const count = Math.floor(centre + 3 * scale) - first + 1;
    const weights = Array.from({ length: count }, (_, n) => lanczos((first + n - centre) / scale));
    const sum = weights.reduce((a, b) => a + b);
    return weights.map((weight, n) => ({
      pixel: Math.min(width - 1, Math.max(0, first + n)),
      weight: weight / sum,
    }));
  });
  const light = (pixel: number) => SRGB8_TO_LINEAR[pixels[pixel * channels + 1] ?? 0] ?? 0;
  const across = Array.from({ length: width }, (_, row) =>
    taps.map((of) =>
      of.reduce((sum, { pixel, weight }) => sum + weight * light(row * width + pixel), 0),
    ),
  );
  return Float64Array.from({ length: size * size }, (_, at) => {
    const of = taps[Math.floor(at / size)] ?? [];
    const sum = of.reduce(
      (sum, { pixel, weight }) => sum + weight * (across[pixel]?.[at % size] ?? 0),
      0,
    );
    const within = Math.min(1, Math.max(0, sum));
    return 255 * (within <= 0.0031308 ? 12.92 * within : 1.055 * within ** (1 / 2.4) - 0.055);
  });
}

/** Energy of the gradients, without two pixels at each edge. */
function energy(values: ArrayLike<number>, size: number): number {
  let sum = 0;
  for (let y = 2; y < size - 3; y++) {
    for (let x = 2; x < size - 3; x++) {
      const at = y * size + x;
      const here = values[at] ?? 0;
      sum += ((values[at + 1] ?? 0) - here) ** 2 + ((values[at + size] ?? 0) - here) ** 2;
    }
  }
  return sum;
}

const green = (pixels: Uint8Array) => pixels.filter((_, at) => at % 3 === 1);

t.test("a photograph stays nearly as sharp as the reference", async (t) => {
  const photo = photograph(SIDE, SIDE);
  for (const scale of SCALES) {
    const size = Math.round(SIDE / scale);
    const actual = green(await resized(photo, size));
    const expected = reference(photo, size);
    const off = actual.reduce((sum, value, at) => sum + Math.abs(value - (expected[at] ?? 0)), 0);
    const mean = off / actual.length;
    const share = energy(actual, size) / energy(expected, size);
    const figures = `${scale}: off by ${mean.toFixed(2)}, energy ${share.toFixed(2)}`;
    t.ok(mean <= 0.8 && share > 0.75 && share < 1.15, figures);
  }
});

t.test("enlarged pictures are nearly as sharp as the reference", async (t) => {
  const side = 240;
  const random = sequence(41);
  const noise = paint(side, side, () => Array(3).fill(28 + 200 * random()));
  for (const [name, picture] of Object.entries({ photo: photograph(side, side), noise })) {
    for (const scale of [1.02, 1.2, 2, 3.3]) {
      const size = 2 * Math.round((side * scale) / 2);
      const actual = green(await resized(picture, size));
      const expected = reference(picture, size);
      const share = energy(actual, size) / energy(expected, size);
      t.ok(share >= 0.95 && share < 1.05, `${name}, ${scale}: energy ${share.toFixed(3)}`);
    }
  }
});

t.test("an enlarged ramp stays one, in linear light", async (t) => {
  const [side, times] = [12, 20];
  const lightOf = (at: number) => (at + 0.5) / side;
  const levelOf = (light: number) => 255 * (1.055 * light ** (1 / 2.4) - 0.055);
  const ramp = paint(side, side, (x) => Array(3).fill(Math.round(levelOf(lightOf(x)))));
  const size = side * times;
  const tile = green(await resized(ramp, size));
  // Without the columns beside the edges, beyond which the ramp does not go on.
  const columns = Array.from({ length: size - 4 * times }, (_, n) => n + 2 * times);
  const off = columns.map((x) =>
    Math.abs(tile[x + (size * size) / 2] - levelOf(lightOf((x + 0.5) / times - 0.5))),
  );
  t.ok(Math.max(...off) < 1.5, `off by ${Math.max(...off).toFixed(2)} levels`);
});

t.test("an enlarged step overshoots no more than with Lanczos's filter", async (t) => {
  const side = 64;
  const isLight = (at: number) => at >= 20 && at < 44;
  const step = paint(side, side, (x, y) => Array(3).fill(isLight(x) && isLight(y) ? 180 : 90));
  const ends = (values: ArrayLike<number>) => {
    const sorted = Array.from(values).sort((a, b) => a - b);
    return [sorted[0] ?? 0, sorted.at(-1) ?? 0] as const;
  };
  // Enlarged as much, some pixel shows the most that the filter overshoots.
  const [lowest, highest] = ends(reference(step, 10 * side));
  for (const size of [80, 128, 300]) {
    const [low, high] = ends(green(await resized(step, size)));
    t.ok(low >= lowest - 1 && high <= highest + 1, `${low}…${high}, not ${lowest}…${highest}`);
  }
});

t.test("at 1 : 1 the tile equals the picture bit for bit", async (t) => {
  const photo = photograph(128, 128);
  for (const sampling of ["smooth", "pixel"] as const) {
    const tile = await resized(photo, 128, { sampling });
    t.equal(Buffer.compare(tile, photo.pixels), 0, sampling);
  }
});

t.test("enlarged pixels stay squares, with edges within a pixel of the tile", async (t) => {
  const [side, size] = [16, 128];
  const picture = paint(side, side, (x, y) => [
    (x * 37) % 256,
    (y * 91) % 256,
    ((x ^ y) & 1) * 200,
  ]);
  const whole = await resized(picture, size, { sampling: "pixel" });
  const offWhole = whole.findIndex((value, at) => {
    const [pixel, channel] = [Math.floor(at / 3), at % 3];
    const [x, y] = [Math.floor((pixel % size) / 8), Math.floor(pixel / size / 8)];
    return value !== picture.pixels[(y * side + x) * 3 + channel];
  });
  t.equal(offWhole, -1, "eight times as large");

  const colours = new Set<string>();
  for (let at = 0; at < picture.pixels.length; at += 3) {
    colours.add(picture.pixels.subarray(at, at + 3).join());
  }
  const turned = await resized(picture, 600, { sampling: "pixel", rotation: 20, scale: 1.3 });
  const pure = Array.from({ length: turned.length / 3 }, (_, at) =>
    colours.has(turned.subarray(3 * at, 3 * at + 3).join()),
  ).filter(Boolean).length;
  // A square of s pixels keeps about (1 − 1/s)² of its area, turned by 20 degrees somewhat less.
  t.ok(pure > 0.85 * 600 * 600, `${pure} of ${600 * 600} pixels have a colour of the picture`);
});

t.test("shrunk pixels are not kept apart", async (t) => {
  const random = sequence(43);
  const noise = paint(240, 240, () => Array(3).fill(256 * random()));
  for (const scale of [1.05, 1.2, 1.3, 1.4, 2.4]) {
    const size = Math.round(240 / scale);
    const [smooth, pixel] = await Promise.all(
      (["smooth", "pixel"] as const).map((sampling) => resized(noise, size, { sampling })),
    );
    t.ok(Buffer.from(smooth ?? []).equals(pixel ?? Buffer.of()), `${scale}`);
  }
});

t.test("a zone plate shows no rings where it is too fine for the tile", async (t) => {
  // Its rings are as fine as pixels in the middle of the edges.
  const zone = paint(SIDE, SIDE, (x, y) => {
    const radius = ((x + 0.5 - SIDE / 2) ** 2 + (y + 0.5 - SIDE / 2) ** 2) / SIDE;
    return Array(3).fill(Math.round(127.5 + 127.5 * Math.cos(Math.PI * radius)));
  });
  for (const scale of SCALES.filter((scale) => scale >= 2)) {
    const size = Math.round(SIDE / scale);
    const actual = green(await resized(zone, size));
    // Beyond 1.5 times the finest that the tile can show.
    const beyond = actual.filter((_, at) => {
      const [x, y] = [(at % size) + 0.5 - size / 2, Math.floor(at / size) + 0.5 - size / 2];
      const radius = Math.max(Math.abs(x), Math.abs(y)) / (size / 2);
      return radius > 1.5 / scale && radius < 0.95;
    });
    const mean = beyond.reduce((a, b) => a + b) / beyond.length;
    const deviation = Math.sqrt(
      beyond.reduce((sum, v) => sum + (v - mean) ** 2, 0) / beyond.length,
    );
    t.ok(deviation < 15, `${scale}: deviates by ${deviation.toFixed(1)} levels`);
  }
});

/** PNGs of pictures that are known as a whole, in their smallest pixel format. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import t from "tap";
import { SRGB_PROFILE } from "../../engine/encoders/icc.ts";
import { createPngEncoder } from "../../engine/encoders/png/png-encoder.ts";
import { bytesOf, type SampledImage } from "../../engine/image/samples.ts";
import { temporaryFolder } from "../helpers/database.ts";
import { request, testEngine } from "../helpers/engine.ts";
import { runValidator, skipWithout } from "../helpers/external-validators.ts";
import { hash, photograph, type Raster, rasterOf, rasterWithin } from "../helpers/pictures.ts";
import { printed } from "../helpers/print.ts";
import { sequence } from "../helpers/sequence.ts";

/** A pixel: r·65536 + g·256 + b, and alpha. */
type Paint = (x: number, y: number) => { readonly colour: number; readonly alpha?: number };

const photo = photograph(97, 97).pixels;
const photoAt = (x: number, y: number, channel: number) =>
  photo[((y % 97) * 97 + (x % 97)) * 3 + channel];
const grey = (level: number) => level * 0x10101;

/** So many colours in rectangles. */
const drawing =
  (colours: number, alphas: readonly number[] = [255]): Paint =>
  (x, y) => {
    const number = Math.floor(hash(x >> 2, y >> 1) * colours);
    return {
      colour: Math.imul(number + 1, 0x9e3779) & 0xffffff,
      alpha: alphas[number % alphas.length],
    };
  };

const PAINTS: Record<string, Paint> = {
  photograph: (x, y) => ({
    colour: photoAt(x, y, 0) * 65536 + photoAt(x, y, 1) * 256 + photoAt(x, y, 2),
  }),
  "clear photograph": (x, y) => ({
    colour: photoAt(x, y, 0) * 65536 + photoAt(x, y, 1) * 256 + photoAt(x, y, 2),
    alpha: photoAt(y, x, 0),
  }),
  "one colour": () => ({ colour: 0x123456 }),
  "two colours": drawing(2),
  "four colours": drawing(4),
  "five colours": drawing(5),
  "a hundred colours": drawing(100),
  "256 colours": drawing(256),
  "257 colours": drawing(257),
  "clear drawing": drawing(12, [0, 128, 255, 255]),
  "grey photograph": (x, y) => ({ colour: grey(photoAt(x, y, 1)) }),
  "clear grey photograph": (x, y) => ({ colour: grey(photoAt(x, y, 1)), alpha: photoAt(y, x, 0) }),
  "grey until its last pixel": (x, y) => ({ colour: x + y === 0 ? 1 : grey(photoAt(x, y, 1)) }),
  duotone: (x, y) => ({ colour: 0x200000 + photoAt(x, y, 1) * 0x100 + 40 }),
  "few greys": (x, y) => ({ colour: grey(hash(x >> 3, y >> 3) > 0.5 ? 200 : 31) }),
};

function painted(name: string, width: number, height: number): SampledImage {
  const colour = new Float32Array(width * height);
  const alpha = new Float32Array(width * height).fill(255);
  const paint = PAINTS[name];
  for (let at = 0; at < colour.length; at++) {
    const pixel = paint(at % width, Math.floor(at / width));
    colour[at] = pixel.colour;
    alpha[at] = pixel.alpha ?? 255;
  }
  return { width, height, colour, alpha: alpha.every((value) => value === 255) ? null : alpha };
}

async function written(period: SampledImage, width: number, height: number, isPrint = false) {
  const profile = isPrint && { profile: SRGB_PROFILE };
  const encoder = createPngEncoder({ width, height, pixelsPerInch: 300, ...profile });
  const pieces = await Array.fromAsync(encoder.encodePeriod(period));
  return Buffer.concat([...pieces, await encoder.end()]);
}

/** The file if the picture is not known before its bands. */
async function inFull(picture: SampledImage): Promise<Buffer> {
  const { width, height } = picture;
  const encoder = createPngEncoder({ width, height, pixelsPerInch: 300 });
  const band = await encoder.band({ ...picture, firstRow: 0, rows: height });
  return Buffer.concat([...(band === null ? [] : [band]), await encoder.end()]);
}

/** The pixels of a sheet that repeats a period, as RGBA. */
function sheetOf(period: SampledImage, width: number, height: number): Raster {
  const bytes = bytesOf(period);
  const channels = period.alpha === null ? 3 : 4;
  const pixels = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = ((y % period.height) * period.width + (x % period.width)) * channels;
      pixels.set(bytes.subarray(from, from + channels), (y * width + x) * 4);
    }
  }
  return { width, height, channels: 4, pixels };
}

async function readBySharp(png: Buffer): Promise<Raster> {
  const image = sharp(png).toColourspace("srgb").ensureAlpha().raw();
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: 4, pixels: Uint8Array.from(data) };
}

function withAlpha(raster: Raster): Raster {
  if (raster.channels === 4) return raster;
  const pixels = new Uint8Array(raster.width * raster.height * 4).fill(255);
  for (let at = 0; at < pixels.length / 4; at++) {
    pixels.set(raster.pixels.subarray(at * 3, at * 3 + 3), at * 4);
  }
  return { ...raster, channels: 4, pixels };
}

/** Bits and colour type of a PNG (§11.2.1). */
const formOf = (png: Buffer) => `${png[24]} bits of type ${png[25]}`;

t.test("two decoders read every colour type back exactly, at any size", async (t) => {
  const next = sequence(17);
  const side = (most: number) => 1 + Math.floor(next() * most);
  for (let round = 0; round < 12; round++) {
    for (const name of Object.keys(PAINTS)) {
      const period = painted(name, round === 0 ? 1 : side(90), round === 0 ? 1 : side(90));
      const once = round % 2 === 0;
      const width = once ? period.width : side(300);
      const height = once ? period.height : side(150);
      const sheet = sheetOf(period, width, height);
      const isPrint = round % 4 > 1;
      const png = await written(period, width, height, isPrint);
      const what = `${name}, ${formOf(png)}: ${period.width} × ${period.height} on ${width} × ${height}`;
      rasterWithin(t, withAlpha(rasterOf(png)), sheet, 0, `fast-png: ${what}`);
      rasterWithin(t, await readBySharp(png), sheet, 0, `sharp: ${what}`);
    }
  }
});

t.test("chooses the smallest colour type", async (t) => {
  const expected: Record<keyof typeof PAINTS, string> = {
    photograph: "8 bits of type 2",
    "clear photograph": "8 bits of type 6",
    "two colours": "1 bits of type 3",
    "four colours": "2 bits of type 3",
    "five colours": "4 bits of type 3",
    "a hundred colours": "8 bits of type 3",
    "256 colours": "8 bits of type 3",
    "257 colours": "8 bits of type 2",
    "clear drawing": "4 bits of type 3",
    "grey photograph": "8 bits of type 0",
    "clear grey photograph": "8 bits of type 4",
    "grey until its last pixel": "8 bits of type 3",
    duotone: "8 bits of type 3",
    "few greys": "1 bits of type 3",
  };
  for (const [name, form] of Object.entries(expected)) {
    const picture = painted(name, 200, 160);
    const png = await written(picture, 200, 160);
    t.equal(formOf(png), form, name);
    if (!form.endsWith("2") && !form.endsWith("6")) {
      const full = await inFull(picture);
      // Some rows are sampled; those of the drawing are like none of the others.
      t.ok(png.length < 1.05 * full.length, `${name}: ${png.length} bytes of ${full.length}`);
      const isTone = /grey|duotone|clear|two|four/.test(name);
      t.ok(!isTone || png.length < 0.8 * full.length, `${name}: ${png.length} of ${full.length}`);
    }
    const print = await written(picture, 200, 160, true);
    t.ok(["2", "3", "6"].includes(formOf(print).at(-1) as string), `${name} with an RGB profile`);
  }
});

t.test("chooses the colour type for tiles, repeating sheets and prints", async (t) => {
  const engine = await testEngine(t);
  const grey = { effects: [{ id: "grayscale" }] };
  const sheet = { mode: "surface", surface_width: 200, surface_height: 150, cell: 64 } as const;
  for (const render of [{ size: 64 }, sheet]) {
    const picture = await engine.render(request({ ...grey, render }));
    t.equal(formOf(Buffer.from(picture.bytes)), "8 bits of type 0");
    const coloured = await engine.render(request({ render }));
    t.equal(formOf(Buffer.from(coloured.bytes)), "8 bits of type 2");
  }
  const print = { format: "png", dpi: 127, cell_mm: 12.8 } as const;
  t.equal(formOf(await printed(engine, { ...grey, print })), "8 bits of type 3");
});

t.test("repeats rows that end within a byte", async (t) => {
  for (const [width, form] of [
    [16, "1 bits of type 3"],
    [12, "2 bits of type 3"],
    [10, "4 bits of type 3"],
    [9, "8 bits of type 3"],
  ] as const) {
    const png = await written(painted("two colours", width, 40), 301, 200);
    t.equal(formOf(png), form, `${width} pixels`);
  }
});

t.test("uses no palette that would enlarge the file", async (t) => {
  // Slopes in three directions: their differences are zero, the palette is most of the file.
  const colour = Float32Array.from({ length: 256 }, (_, at) => {
    const [x, y] = [at % 16, at >> 4];
    return x * 8 * 65536 + y * 8 * 256 + (x + y) * 4;
  });
  const picture = { width: 16, height: 16, colour, alpha: null };
  const png = await written(picture, 16, 16);
  t.equal(formOf(png), "8 bits of type 2");
  t.ok(png.equals(await inFull(picture)));
});

t.test("pngcheck accepts the files", { skip: skipWithout("pngcheck") }, async (t) => {
  const folder = await temporaryFolder(t);
  for (const name of Object.keys(PAINTS)) {
    for (const [across, down] of [
      [33, 21],
      [301, 130],
    ] as const) {
      const file = join(folder, "picture.png");
      await writeFile(file, await written(painted(name, 33, 21), across, down, across > 100));
      const told = await runValidator("pngcheck", "-v", file);
      t.match(told, /No errors detected/, name);
      t.notMatch(told, /warning/i, name);
    }
  }
});

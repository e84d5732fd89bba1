import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decode } from "fast-png";
import sharp from "sharp";
import t from "tap";
import { BandDeflater } from "../../engine/encoders/png/band.ts";
import { createPngWriter, type PngOptions } from "../../engine/encoders/png/png.ts";
import { createPngRows, DEFAULT_LEVEL } from "../../engine/encoders/png/rows.ts";
import { runValidator, skipWithout } from "../helpers/external-validators.ts";
import {
  coloured,
  hash,
  photograph,
  type Raster,
  rasterOf,
  rasterWithin,
} from "../helpers/pictures.ts";
import { sequence } from "../helpers/sequence.ts";

type Channels = PngOptions["channels"];

/** Writes a raster in bands of the given numbers of rows, repeatedly. */
async function written(
  raster: Raster,
  bands: number[],
  facts: Partial<PngOptions> = {},
): Promise<Buffer> {
  const { width, height, pixels } = raster;
  const channels = raster.channels;
  const writer = createPngWriter({ width, height, channels, pixelsPerInch: 300, ...facts });
  const parts: (Uint8Array | Promise<Uint8Array>)[] = [writer.head()];
  for (let row = 0, number = 0; row < height; number += 1) {
    const end = Math.min(height, row + bands[number % bands.length]);
    parts.push(writer.band(pixels.subarray(row * width * channels, end * width * channels)));
    row = end;
  }
  return Buffer.concat([...(await Promise.all(parts)), writer.end()]);
}

/** Pictures that need different filters and compression. */
const PAINTS: Record<string, (x: number, y: number, channel: number) => number> = {
  noise: (x, y, channel) => 256 * hash(x * 4 + channel, y),
  waves: (x, y, channel) => 128 + 100 * Math.sin((x + channel * 7) / 23 + y / 41),
  flat: (x, y, channel) => (((x >> 4) + (y >> 3) + channel) % 3 === 0 ? 200 : 31),
  black: () => 0,
  ramps: (x, y, channel) => x * 3 + y * (channel + 1),
};

function painted(name: string, width: number, height: number, channels: Channels): Raster {
  const pixels = new Uint8Array(width * height * channels).map((_, at) => {
    const pixel = Math.floor(at / channels);
    return PAINTS[name](pixel % width, Math.floor(pixel / width), at % channels);
  });
  return { width, height, channels, pixels };
}

async function readBySharp(png: Buffer, channels: Channels): Promise<Raster> {
  const colour = channels === 1 ? "b-w" : "srgb";
  const { data, info } = await sharp(png)
    .toColourspace(colour)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels, pixels: data };
}

t.test("two other decoders read every size back exactly", async (t) => {
  const sizes = [
    [1, 1],
    [2, 1],
    [1, 5],
    [3, 3],
    [17, 13],
    [64, 2],
    [333, 41],
    [1001, 7],
  ];
  for (const [width, height] of sizes) {
    for (const channels of [1, 3, 4] as const) {
      for (const name of Object.keys(PAINTS)) {
        const raster = painted(name, width, height, channels);
        for (const bands of [[height], [1], [3, 1, 2]]) {
          const png = await written(raster, bands);
          const what = `${name} ${width} × ${height} × ${channels} in bands of ${bands}`;
          rasterWithin(t, rasterOf(png), coloured(raster), 0, `fast-png: ${what}`);
          rasterWithin(t, await readBySharp(png, channels), raster, 0, `sharp: ${what}`);
        }
      }
    }
  }
});

t.test("a band refers back to the one before", async (t) => {
  // 8 rows of noise, which only matching can compress.
  const noise = painted("noise", 100, 8, 3).pixels;
  const pixels = new Uint8Array(30 * noise.length).map((_, at) => noise[at % noise.length]);
  const raster = { width: 100, height: 240, channels: 3, pixels } as const;
  const png = await written(raster, [24]);
  rasterWithin(t, rasterOf(png), raster, 0, "ten bands of three repetitions");
  t.ok(png.length < 2 * noise.length, `${png.length} bytes, ${noise.length} of them new`);
});

t.test("a photograph is not larger than by sharp", async (t) => {
  const { pixels } = photograph(512, 512);
  const raw = { width: 512, height: 512, channels: 3 } as const;
  const ours = (await written({ ...raw, pixels: Uint8Array.from(pixels) }, [128])).length;
  const theirs = (await sharp(pixels, { raw }).png({ compressionLevel: 6 }).toBuffer()).length;
  t.ok(ours <= theirs, `${ours} bytes, sharp ${theirs}`);
});

t.test("writes colour space, physical size and texts", async (t) => {
  const raster = painted("waves", 20, 10, 3);
  const png = await written(raster, [10], {
    pixelsPerInch: 300,
    text: { Software: "orbifold", Title: "é" },
  });
  const { text, resolution } = decode(png);
  t.same(text, { Software: "orbifold", Title: "é" });
  t.same(resolution, { x: 11811, y: 11811, unit: 1 });
  t.equal((await sharp(png).metadata()).density, 300);
  t.ok(png.includes(Buffer.from("sRGB\0", "latin1")));
});

t.test("gives the same bytes for the same bands", async (t) => {
  const raster = painted("waves", 100, 60, 4);
  t.ok((await written(raster, [25])).equals(await written(raster, [25])));
});

t.test("other threads compress bands to the same bytes", async (t) => {
  for (const name of Object.keys(PAINTS)) {
    const { pixels } = painted(name, 100, 61, 3);
    const rows = createPngRows({ width: 100, height: 61, channels: 3 });
    const alone = new BandDeflater(300, 3, DEFAULT_LEVEL);
    // The rows are reused as soon as they were consumed.
    const lent = new Uint8Array(300 * 7);
    const pieces: ReturnType<typeof rows.band>[] = [];
    const expected: Uint8Array[] = [];
    for (let at = 0; at < pixels.length; at += lent.length) {
      const part = pixels.subarray(at, at + lent.length);
      lent.set(part);
      const made = rows.band(lent.subarray(0, part.length));
      // So is the memory of bytes that are there at once.
      pieces.push(made instanceof Promise ? made : made.map((piece) => piece.slice()));
      lent.fill(0);
      expected.push(alone.deflate(part).deflated.slice());
    }
    const matched = pieces.filter((piece) => piece instanceof Promise).length;
    t.equal(matched, name === "noise" ? 0 : pieces.length, `${name}: matching pays`);
    const [, ...bands] = (await Promise.all(pieces)).flat();
    t.ok(Buffer.concat(bands).equals(Buffer.concat(expected)), name);
  }
});

t.test("rejects partial rows, too many rows and an early end", async (t) => {
  const writer = createPngWriter({ width: 4, height: 3, channels: 3, pixelsPerInch: 72 });
  t.throws(() => writer.band(new Uint8Array(13)), RangeError);
  t.throws(() => writer.band(new Uint8Array(0)), RangeError);
  t.throws(() => writer.band(new Uint8Array(48)), /expected 1 to 3 rows of 12 bytes, got 4 rows/);
  await writer.band(new Uint8Array(24));
  t.throws(() => writer.end(), /1 rows are missing/);
  t.throws(() => writer.band(new Uint8Array(24)), RangeError);
  await writer.band(new Uint8Array(12));
  t.equal(writer.end().length, 30);
});

t.test("pngcheck accepts the files", { skip: skipWithout("pngcheck") }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "orbifold-png-"));
  t.teardown(() => rm(folder, { recursive: true }));
  for (const channels of [1, 3, 4] as const) {
    for (const name of ["noise", "flat"]) {
      const file = join(folder, `${name}-${channels}.png`);
      await writeFile(
        file,
        await written(painted(name, 333, 200, channels), [64], { text: { Title: "x" } }),
      );
      const told = await runValidator("pngcheck", "-v", file);
      t.match(told, /No errors detected/);
      t.notMatch(told, /warning/i);
    }
  }
});

/** Returns what returns rows of a raster, each time in the same memory. */
function rowsInReusedMemory({ width, channels, pixels }: Raster) {
  const memory = new Uint8Array(pixels.length);
  const stride = width * channels;
  return (first: number, count: number) => {
    memory.fill(0xaa).set(pixels.subarray(first * stride, (first + count) * stride));
    return memory.subarray(0, count * stride);
  };
}

/** Writes a sheet that repeats a raster from its top left corner. */
function repeated(raster: Raster, width: number, height: number): Buffer {
  const channels = raster.channels;
  const writer = createPngWriter({ width, height, channels, pixelsPerInch: 300 });
  return Buffer.concat([
    writer.head(),
    ...writer.encodePeriod({ ...raster, rows: rowsInReusedMemory(raster) }),
    writer.end(),
  ]);
}

/** The sheet that it represents. */
function tiled({ width, height, channels, pixels }: Raster, across: number, down: number): Raster {
  const sheet = new Uint8Array(across * down * channels);
  for (let y = 0, to = 0; y < down; y++) {
    for (let x = 0; x < across; x++) {
      const from = ((y % height) * width + (x % width)) * channels;
      for (let channel = 0; channel < channels; channel++) {
        sheet[to++] = pixels[from + channel];
      }
    }
  }
  return { width: across, height: down, channels, pixels: sheet };
}

t.test("a repeating sheet is read back exactly, at any size and period", async (t) => {
  const next = sequence(11);
  const side = (most: number) => 1 + Math.floor(next() * most);
  const names = Object.keys(PAINTS);
  for (let round = 0; round < 150; round++) {
    const channels = ([1, 3, 4] as const)[round % 3];
    const period = painted(names[round % names.length], side(70), side(40), channels);
    const [width, height] = [side(400), side(150)];
    const sheet = tiled(period, width, height);
    const png = repeated(period, width, height);
    const what = `${names[round % names.length]} ${period.width} × ${period.height} × ${channels} on ${width} × ${height}`;
    rasterWithin(t, rasterOf(png), coloured(sheet), 0, `fast-png: ${what}`);
    rasterWithin(t, await readBySharp(png, channels), sheet, 0, `sharp: ${what}`);
  }
});

t.test("repeats a period wider than deflate's window, or of many rows", async (t) => {
  for (const [name, width, height] of [
    ["noise", 11_000, 3],
    ["waves", 600, 1500],
    ["flat", 600, 1500],
  ] as const) {
    const period = painted(name, width, height, 3);
    const [across, down] = [Math.floor(width * 2.5), Math.floor(height * 2.3)];
    const png = repeated(period, across, down);
    rasterWithin(t, rasterOf(png), tiled(period, across, down), 0, name);
  }
});

t.test("a sheet is little larger than its period", (t) => {
  const period = painted("noise", 300, 300, 3);
  const one = repeated(period, 301, 300).length;
  const four = repeated(period, 1200, 300).length;
  t.ok(four < one * 1.05, `${four} bytes across, ${one} once`);
  const png = repeated(period, 1200, 1200);
  const sheet = rasterOf(png);
  t.equal(sheet.width * sheet.height, 1200 * 1200);
  const chunks = new Map<string, number>();
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at) + 12;
    const chunk = png.subarray(at, at + length).toString("latin1");
    if (length > 1000) chunks.set(chunk, (chunks.get(chunk) ?? 0) + 1);
    at += length;
  }
  t.same([...chunks.values()], [4]);
  t.end();
});

t.test("pngcheck accepts repeating sheets", { skip: skipWithout("pngcheck") }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "orbifold-png-"));
  t.teardown(() => rm(folder, { recursive: true }));
  for (const name of ["noise", "flat", "waves"]) {
    const file = join(folder, `${name}.png`);
    await writeFile(file, repeated(painted(name, 61, 37, 4), 333, 200));
    const told = await runValidator("pngcheck", "-v", file);
    t.match(told, /No errors detected/);
    t.notMatch(told, /warning/i);
  }
});

t.test("rows that repeat beyond the reach of matches do not count as matches", async (t) => {
  const [width, cell] = [512, 128] as const;
  const noise = painted("noise", width, cell, 3).pixels;
  // By translation, and mirrored within a cell.
  const mirrored = new Uint8Array(noise);
  for (let row = 0; row < cell / 2; row++) {
    const line = mirrored.subarray(row * 3 * width, (row + 1) * 3 * width);
    mirrored.set(line, (cell - 1 - row) * 3 * width);
  }
  for (const one of [noise, mirrored]) {
    const pixels = Buffer.concat([one, one, one, one]);
    const rows = createPngRows({ width, height: 4 * cell, channels: 3 });
    const [, bytes] = await rows.band(pixels);
    t.ok(bytes.length > pixels.length * 0.99, "noise does not get smaller");
    const deflater = new BandDeflater(3 * width, 3, DEFAULT_LEVEL);
    t.notOk(deflater.deflateAsync(pixels).deflated instanceof Promise);
  }
});

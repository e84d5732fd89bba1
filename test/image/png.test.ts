import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decode } from "fast-png";
import sharp from "sharp";
import t from "tap";
import { createPngWriter, type PngFacts } from "../../engine/image/png.ts";
import { judged, skipWithout } from "../helpers/judges.ts";
import { hash, photograph, type Raster, rasterOf, rasterWithin } from "../helpers/pictures.ts";

type Channels = PngFacts["channels"];

/** Writes a raster in bands of the given numbers of rows, over and over. */
function written(raster: Raster, bands: number[], facts: Partial<PngFacts> = {}): Buffer {
  const { width, height, pixels } = raster;
  const channels = raster.channels as Channels;
  const writer = createPngWriter({ width, height, channels, pixelsPerInch: 300, ...facts });
  const parts = [writer.head()];
  for (let row = 0, number = 0; row < height; number += 1) {
    const end = Math.min(height, row + bands[number % bands.length]);
    parts.push(writer.band(pixels.subarray(row * width * channels, end * width * channels)));
    row = end;
  }
  return Buffer.concat([...parts, writer.end()]);
}

/** Pictures that call for different filters and ways to compress. */
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
          const png = written(raster, bands);
          const what = `${name} ${width} × ${height} × ${channels} in bands of ${bands}`;
          rasterWithin(t, rasterOf(png), raster, 0, `fast-png: ${what}`);
          rasterWithin(t, await readBySharp(png, channels), raster, 0, `sharp: ${what}`);
        }
      }
    }
  }
});

t.test("a band looks back on the one before", async (t) => {
  // 8 rows of noise, which nothing makes smaller but finding them again.
  const noise = painted("noise", 100, 8, 3).pixels;
  const pixels = new Uint8Array(30 * noise.length).map((_, at) => noise[at % noise.length]);
  const raster = { width: 100, height: 240, channels: 3, pixels } as const;
  const png = written(raster, [24]);
  rasterWithin(t, rasterOf(png), raster, 0, "ten bands of three repetitions");
  t.ok(png.length < 2 * noise.length, `${png.length} bytes, ${noise.length} of them new`);
});

t.test("a photograph is not larger than what sharp makes of it", async (t) => {
  const { pixels } = photograph(512, 512);
  const raw = { width: 512, height: 512, channels: 3 } as const;
  const ours = written({ ...raw, pixels: Uint8Array.from(pixels) }, [128]).length;
  const theirs = (await sharp(pixels, { raw }).png({ compressionLevel: 6 }).toBuffer()).length;
  t.ok(ours <= theirs, `${ours} bytes, sharp ${theirs}`);
});

t.test("says its colours, its size on paper and its texts", async (t) => {
  const raster = painted("waves", 20, 10, 3);
  const png = written(raster, [10], {
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
  t.ok(written(raster, [25]).equals(written(raster, [25])));
});

t.test("refuses parts of rows, too many rows and an early end", async (t) => {
  const writer = createPngWriter({ width: 4, height: 3, channels: 3, pixelsPerInch: 72 });
  t.throws(() => writer.band(new Uint8Array(13)), RangeError);
  t.throws(() => writer.band(new Uint8Array(0)), RangeError);
  t.throws(() => writer.band(new Uint8Array(48)), /expected 1 to 3 rows of 12 bytes, got 4 rows/);
  writer.band(new Uint8Array(24));
  t.throws(() => writer.end(), /1 rows are missing/);
  t.throws(() => writer.band(new Uint8Array(24)), RangeError);
  writer.band(new Uint8Array(12));
  t.equal(writer.end().length, 30);
});

t.test("pngcheck finds nothing wrong", { skip: skipWithout("pngcheck") }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "orbifold-png-"));
  t.teardown(() => rm(folder, { recursive: true }));
  for (const channels of [1, 3, 4] as const) {
    for (const name of ["noise", "flat"]) {
      const file = join(folder, `${name}-${channels}.png`);
      await writeFile(
        file,
        written(painted(name, 333, 200, channels), [64], { text: { Title: "x" } }),
      );
      const told = await judged("pngcheck", "-v", file);
      t.match(told, /No errors detected/);
      t.notMatch(told, /warning/i);
    }
  }
});

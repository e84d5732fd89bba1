/** The TIFF writer, validated by libtiff and by a second reader. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import t from "tap";
import { SRGB_PROFILE } from "../../engine/encoders/icc.ts";
import { createTiffWriter, type TiffOptions, tiffCompressor } from "../../engine/encoders/tiff.ts";
import { temporaryFolder } from "../helpers/database.ts";
import { runValidator, skipWithout } from "../helpers/external-validators.ts";
import { hash, photograph } from "../helpers/pictures.ts";
import { readTiff, TAG } from "../helpers/tiff.ts";

type Channels = TiffOptions["channels"];

/** Pictures that fill tables fast, slowly, and never. */
const PAINTS: Record<string, (width: number, height: number, channels: Channels) => Uint8Array> = {
  noise: (width, height, channels) =>
    Uint8Array.from({ length: width * height * channels }, (_, at) => 256 * hash(at, width)),
  flat: (width, height, channels) => new Uint8Array(width * height * channels).fill(77),
  steps: (width, height, channels) =>
    Uint8Array.from({ length: width * height * channels }, (_, at) => ((at >> 6) % 3) * 90),
  photo: (width, height, channels) => {
    const { pixels } = photograph(width, height);
    return Uint8Array.from({ length: width * height * channels }, (_, at) =>
      at % channels === 3 ? at % 251 : pixels[Math.floor(at / channels) * 3 + (at % channels)],
    );
  },
};

function written(pixels: Uint8Array, facts: Omit<TiffOptions, "profile">): Buffer {
  const writer = createTiffWriter({ ...facts, profile: SRGB_PROFILE });
  const compress = tiffCompressor(facts);
  const strip = facts.rowsPerStrip * facts.width * facts.channels;
  const parts = [writer.head()];
  for (let at = 0; at < pixels.length; at += strip) {
    parts.push(writer.add(compress(pixels.subarray(at, at + strip))));
  }
  const { bytes, patch } = writer.end();
  const file = Buffer.concat([...parts, bytes]);
  file.set(patch.bytes, patch.at);
  return file;
}

const plain = { channels: 3, pixelsPerInch: 300, compression: "lzw", rowsPerStrip: 16 } as const;

t.test("two other readers read every size back exactly", async (t) => {
  const sizes = [
    [1, 1],
    [1, 9],
    [7, 1],
    [17, 13],
    [333, 47],
    [640, 96],
    ...Array.from({ length: 8 }, (_, k) => [1 + 300 * hash(k, 1), 1 + 120 * hash(k, 2)]),
  ].map((sides) => sides.map(Math.floor));
  for (const [width, height] of sizes) {
    for (const channels of [3, 4] as const) {
      for (const [name, paint] of Object.entries(PAINTS)) {
        const pixels = paint(width, height, channels);
        for (const compression of ["lzw", "deflate"] as const) {
          const rowsPerStrip = 1 + Math.floor(20 * hash(width, height));
          const facts = { ...plain, width, height, channels, compression, rowsPerStrip };
          const file = written(pixels, facts);
          const what = `${name} ${width} × ${height} × ${channels} ${compression} ${rowsPerStrip}`;
          const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
          t.match(info, { width, height, channels }, what);
          t.ok(data.equals(pixels), `libtiff: ${what}`);
          if (compression === "lzw") {
            t.ok(Buffer.from(readTiff(file).pixels).equals(pixels), `our own reader: ${what}`);
          }
        }
      }
    }
  }
});

t.test("LZW codes grow, and the table resets, where every reader expects it", async (t) => {
  // Noise of about so many codes: tables of 9, 10 and 11 bits are full, and the last.
  for (const codes of [254, 766, 1790, 3836, 2 * 3836]) {
    for (let width = Math.floor(codes / 3) - 8; width < codes / 3 + 12; width++) {
      const pixels = PAINTS.noise(width, 1, 3);
      const file = written(pixels, { ...plain, width, height: 1 });
      t.ok((await sharp(file).raw().toBuffer()).equals(pixels), `${3 * width} bytes`);
      t.ok(Buffer.from(readTiff(file).pixels).equals(pixels), `${3 * width} bytes`);
    }
  }
});

t.test("writes physical size, colour space and alpha", async (t) => {
  for (const channels of [3, 4] as const) {
    const pixels = PAINTS.photo(50, 40, channels);
    const file = written(pixels, {
      ...plain,
      channels,
      width: 50,
      height: 40,
      pixelsPerInch: 96.5,
    });
    const { tags } = readTiff(file);
    t.strictSame(tags.get(TAG.horizontalResolution), [96.5]);
    t.strictSame(tags.get(TAG.verticalResolution), [96.5]);
    t.strictSame(tags.get(TAG.resolutionUnit), [2], "inches");
    t.strictSame(tags.get(TAG.predictor), [2]);
    t.strictSame(tags.get(TAG.extraSamples), channels === 4 ? [2] : undefined);
    t.ok(Buffer.from(tags.get(TAG.profile) ?? []).equals(SRGB_PROFILE.bytes));
    t.equal((await sharp(file).metadata()).icc?.equals(SRGB_PROFILE.bytes), true);
  }
});

t.test("gives the same bytes for the same picture", async (t) => {
  for (const compression of ["lzw", "deflate"] as const) {
    const facts = { ...plain, width: 90, height: 70, compression };
    const pixels = PAINTS.photo(90, 70, 3);
    t.ok(written(pixels, facts).equals(written(pixels, facts)));
  }
});

t.test("rejects wrong strips, an early end, and files beyond 32-bit offsets", async (t) => {
  const facts = { ...plain, width: 10, height: 20, profile: SRGB_PROFILE };
  const writer = createTiffWriter(facts);
  const compress = tiffCompressor(facts);
  const tooMany = new Uint8Array(17 * 30);
  t.throws(() => compress(tooMany), { name: "RangeError", message: /at most 16 rows of 30 bytes/ });
  t.throws(() => compress(new Uint8Array(31)), RangeError);
  writer.add(compress(new Uint8Array(16 * 30)));
  t.throws(() => writer.end(), /1 of 2 strips are missing/);
  writer.add(compress(new Uint8Array(4 * 30)));
  t.throws(() => writer.add(new Uint8Array(1)), RangeError);
  t.ok(writer.end().bytes.length > 0);
  t.throws(() => createTiffWriter({ ...facts, width: 40_000, height: 25_000 }), {
    name: "RangeError",
    message: /a TIFF has at most 4294967295 bytes/,
  });
});

t.test(
  "libtiff's tools and exiftool accept the files",
  { skip: skipWithout("tiffinfo", "tiffcp", "exiftool") },
  async (t) => {
    const folder = await temporaryFolder(t);
    for (const compression of ["lzw", "deflate"] as const) {
      const file = join(folder, `${compression}.tif`);
      const facts = { ...plain, width: 301, height: 203, channels: 4, compression } as const;
      await writeFile(file, written(PAINTS.photo(301, 203, 4), facts));
      const told = await runValidator("tiffinfo", "-D", file);
      t.match(told, compression === "lzw" ? /Scheme: LZW/ : /Scheme: AdobeDeflate/);
      t.match(told, /Resolution: 300, 300 pixels\/inch/);
      t.match(told, /Extra Samples: 1<unassoc-alpha>/);
      t.notMatch(told, /warning|error/i);
      t.equal(await runValidator("tiffcp", "-c", "none", file, join(folder, "copy.tif")), "");
      const profile = await runValidator("exiftool", "-warning", "-ProfileDescription", file);
      t.match(profile, /^Profile Description\s+: sRGB IEC61966-2\.1\n$/);

      const indexed = { ...facts, channels: 1, palette: PAINTS.noise(256, 1, 3) } as const;
      await writeFile(file, written(PAINTS.steps(301, 203, 1), indexed));
      const ofIndexed = await runValidator("tiffinfo", "-D", file);
      t.match(ofIndexed, /Photometric Interpretation: palette color/);
      t.notMatch(ofIndexed, /warning|error/i);
      t.equal(await runValidator("tiffcp", "-c", "none", file, join(folder, "copy.tif")), "");
    }
  },
);

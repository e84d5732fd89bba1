import sharp from "sharp";
import t from "tap";
import {
  type EncodingOptions,
  encodeWhole,
  type WholeFormat,
} from "../../engine/encoders/whole-image.ts";
import { FORMATS, formatFacts } from "../../engine/recipe/index.ts";
import { photograph } from "../helpers/pictures.ts";
import { readTiff, TAG } from "../helpers/tiff.ts";

// As on a machine with four cores and musl: the module has to set it, here once more.
sharp.concurrency(4);
const module = "../../engine/decoders/libvips.ts?again";
await import(module);

const size = { width: 120, height: 80, channels: 3 } as const;
const photo = Uint8Array.from(photograph(120, 80).pixels);
const whole = FORMATS.filter((format): format is WholeFormat => format !== "png");
const lossy = whole.filter((format) => formatFacts[format].lossy);
const plain: EncodingOptions = { quality: 90, pixelsPerInch: 300 };

/** A ramp of colours, clear on the left, opaque on the right, half-clear between. */
const veil = { width: 96, height: 64, channels: 4 } as const;
const veiled = Uint8Array.from({ length: 96 * 64 * 4 }, (_, at) => {
  const [x, y] = [(at >> 2) % 96, Math.floor(at / 4 / 96)];
  return [2 * x, 3 * y, 128, Math.max(0, Math.min(255, 8 * (x - 32)))][at % 4];
});

const decoded = (bytes: Uint8Array) => sharp(bytes).toColourspace("srgb").raw().toBuffer();

async function meanDifference(bytes: Uint8Array): Promise<number> {
  const pixels = await decoded(bytes);
  return pixels.reduce((sum, value, at) => sum + Math.abs(value - photo[at]), 0) / pixels.length;
}

t.test("another decoder reads the picture, tagged as sRGB", async (t) => {
  for (const format of whole) {
    const bytes = await encodeWhole(photo, size, format, { quality: 95, pixelsPerInch: 300 });
    const { width, height, mediaType, depth, icc } = await sharp(bytes).metadata();
    t.same({ width, height, depth }, { width: 120, height: 80, depth: "uchar" });
    t.equal(mediaType, formatFacts[format].mediaType);
    // Profiles of version 2 have names in ASCII, those of version 4 in UTF-16.
    const text = icc?.toString("latin1").replaceAll("\0", "");
    t.ok(text?.includes("sRGB"), `${format} carries a profile of that name`);
    const off = await meanDifference(bytes);
    t.ok(off < 5, `${format} is off by ${off} levels`);
  }
});

t.test("the same picture gives the same bytes", async (t) => {
  t.equal(sharp.concurrency(), 1, "AVIF's bytes depend on the number of threads");
  for (const format of whole) {
    const [one, other] = await Promise.all(
      [1, 2].map(() => encodeWhole(photo, size, format, plain)),
    );
    t.ok(Buffer.from(one).equals(other), format);
  }
});

t.test("quality trades size for fidelity", async (t) => {
  for (const format of lossy) {
    const [low, high] = await Promise.all(
      [20, 95].map((quality) => encodeWhole(photo, size, format, { ...plain, quality })),
    );
    t.ok(low.length < high.length / 2, format);
    t.ok((await meanDifference(low)) > (await meanDifference(high)), format);
  }
});

t.test("all formats have the resolution", async (t) => {
  for (const format of ["jpeg", "tiff"] as const) {
    const bytes = await encodeWhole(photo, size, format, { ...plain, pixelsPerInch: 254 });
    t.equal((await sharp(bytes).metadata()).density, 254, format);
  }
  for (const format of ["webp", "avif"] as const) {
    const bytes = await encodeWhole(photo, size, format, { ...plain, pixelsPerInch: 254 });
    const ratio = Buffer.from(Uint32Array.of(254_000, 1000).buffer);
    const { exif } = await sharp(bytes).metadata();
    t.ok(exif?.includes(ratio), `${format}: as EXIF's XResolution`);
  }
});

t.test("JPEG and AVIF keep full colour at high quality", async (t) => {
  for (const [quality, subsampling] of [
    [89, "4:2:0"],
    [90, "4:4:4"],
  ] as const) {
    const jpeg = await encodeWhole(photo, size, "jpeg", { ...plain, quality });
    t.equal((await sharp(jpeg).metadata()).chromaSubsampling, subsampling);
    const avif = Buffer.from(await encodeWhole(photo, size, "avif", { ...plain, quality }));
    // AV1-ISOBMFF §2.3.3: the bits of the third byte say so for each direction.
    const halved = (avif[avif.indexOf("av1C") + 6] >> 2) & 3;
    t.equal(halved, subsampling === "4:2:0" ? 3 : 0);
  }
});

t.test("JPEG flattens alpha to white", async (t) => {
  const pixels = await decoded(await encodeWhole(veiled, veil, "jpeg", plain));
  t.equal(pixels.length, 96 * 64 * 3);
  t.same([...pixels.subarray(0, 3)], [255, 255, 255]);
});

t.test("WebP and AVIF keep alpha beside their colours", async (t) => {
  for (const [format, tolerance] of [
    ["webp", 0],
    ["avif", 4],
  ] as const) {
    const pixels = await decoded(await encodeWhole(veiled, veil, format, plain));
    t.equal(pixels.length, veiled.length, format);
    let [alphaOff, colourOff] = [0, 0];
    pixels.forEach((value, at) => {
      const off = Math.abs(value - veiled[at]);
      if (at % 4 === 3) alphaOff = Math.max(alphaOff, off);
      else if (veiled[at | 3] === 255) colourOff = Math.max(colourOff, off);
    });
    t.ok(alphaOff <= tolerance, `${format}: alpha is off by ${alphaOff} levels`);
    t.ok(colourOff <= 12, `${format}: colours are off by ${colourOff} levels`);
  }
});

t.test("a TIFF is lossless", async (t) => {
  // Large enough for several strips and full tables.
  const [width, height] = [400, 600];
  const large = Uint8Array.from(photograph(width, height).pixels);
  const options = { quality: 1, pixelsPerInch: 96.5 };
  const file = await encodeWhole(large, { width, height, channels: 3 }, "tiff", options);
  const { tags, pixels } = readTiff(file);
  t.ok(Buffer.from(pixels).equals(large), "every pixel is the same");
  t.ok((await decoded(file)).equals(large), "to libtiff too");
  t.ok((tags.get(TAG.stripOffsets)?.length ?? 0) > 1);
  t.strictSame(tags.get(TAG.bits), [8, 8, 8]);
  t.strictSame(tags.get(TAG.compression), [5], "LZW");
  t.strictSame(tags.get(TAG.predictor), [2], "differences along rows");
  t.strictSame(tags.get(TAG.photometric), [2], "RGB");
  t.strictSame(tags.get(TAG.resolutionUnit), [2], "inches");
  for (const tag of [TAG.horizontalResolution, TAG.verticalResolution]) {
    t.ok(Math.abs((tags.get(tag)?.[0] ?? 0) - 96.5) < 1e-4);
  }
  t.ok(Buffer.from(tags.get(TAG.profile) ?? []).includes("s\0R\0G\0B"));
  t.notOk(tags.has(TAG.extraSamples));
});

t.test("a TIFF's alpha is not multiplied into its colours", async (t) => {
  const { tags, pixels } = readTiff(await encodeWhole(veiled, veil, "tiff", plain));
  t.strictSame(tags.get(TAG.extraSamples), [2], "unassociated");
  t.strictSame(tags.get(TAG.bits), [8, 8, 8, 8]);
  t.ok(Buffer.from(pixels).equals(veiled), "also where nothing is to be seen of it");
});

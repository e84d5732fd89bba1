import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import t, { type Test } from "tap";
import { decode, inspect } from "../../engine/decoders/decode.ts";
import { SourceUnreadable } from "../../engine/errors.ts";
import type { ByteImage } from "../../engine/image/picture.ts";
import { hash, photograph, pngOf } from "../helpers/pictures.ts";

const photo = photograph(90, 60);
const png = Buffer.from(pngOf(photo));
const image = sharp(png);

/** The same photograph in every format, and the allowed mean difference of lossy ones, in levels. */
const FILES = [
  { mediaType: "image/png", bytes: png, off: 0 },
  {
    mediaType: "image/png",
    bytes: await image.clone().png({ progressive: true }).toBuffer(),
    off: 0,
  },
  {
    mediaType: "image/tiff",
    bytes: await image.clone().tiff({ compression: "lzw" }).toBuffer(),
    off: 0,
  },
  {
    mediaType: "image/webp",
    bytes: await image.clone().webp({ lossless: true }).toBuffer(),
    off: 0,
  },
  { mediaType: "image/jpeg", bytes: await image.clone().jpeg({ quality: 95 }).toBuffer(), off: 4 },
  {
    mediaType: "image/jpeg",
    bytes: await image.clone().jpeg({ progressive: true }).toBuffer(),
    off: 5,
  },
  {
    mediaType: "image/avif",
    bytes: await image.clone().avif({ quality: 80, effort: 0 }).toBuffer(),
    off: 4,
  },
  { mediaType: "image/gif", bytes: await image.clone().gif().toBuffer(), off: 8 },
];

function meanDifference(a: ByteImage, b: ByteImage): number {
  let sum = 0;
  for (let at = 0; at < a.pixels.length; at += 1) sum += Math.abs(a.pixels[at] - b.pixels[at]);
  return sum / a.pixels.length;
}

/** The first pixel of a file of one colour. */
async function colourOf(bytes: Uint8Array): Promise<number[]> {
  const { pixels, channels } = await decode(bytes);
  return [...pixels.subarray(0, channels)];
}

function near(t: Test, actual: number[], expected: number[], tolerance: number, name: string) {
  t.equal(actual.length, expected.length, `${name}: channels`);
  expected.forEach((value, at) => {
    t.ok(Math.abs(actual[at] - value) <= tolerance, `${name}: ${actual} for ${expected}`);
  });
}

t.test("reads every supported format", async (t) => {
  for (const { mediaType, bytes, off } of FILES) {
    t.match(await inspect(bytes), { mediaType, width: 90, height: 60, hasAlpha: false });
    const picture = await decode(bytes);
    t.match(picture, { width: 90, height: 60, channels: 3 });
    const difference = meanDifference(picture, photo);
    t.ok(difference <= off, `${mediaType} is off by ${difference} levels`);
  }
});

t.test("rejects truncated files of every format", async (t) => {
  for (const { mediaType, bytes } of FILES) {
    for (const share of [0.01, 0.3, 0.7, 0.98]) {
      const cut = bytes.subarray(0, Math.floor(bytes.length * share));
      await t.rejects(decode(cut), SourceUnreadable, `${mediaType} cut to ${share}`);
    }
  }
});

t.test("rejects a corrupt PNG", async (t) => {
  const damaged = Buffer.from(png);
  damaged[png.length >> 1] ^= 0x40;
  await t.rejects(decode(damaged), /^the PNG file is damaged or cut short/);
});

t.test("rejects other files with the list of formats", async (t) => {
  const strangers = [
    "",
    "hello",
    "%PDF-1.7\n",
    "<html><svg></svg></html>",
    "BM\0\0\0\0",
    "\0\0\0\x18ftypheic\0\0\0\0",
  ];
  for (const text of strangers) {
    await t.rejects(
      decode(Buffer.from(text, "latin1")),
      new SourceUnreadable(
        "the file is none of the kinds that are taken: PNG, JPEG, WebP, AVIF, TIFF, GIF, SVG",
      ),
      JSON.stringify(text),
    );
  }
  await t.rejects(decode(Buffer.alloc(33 * 1024 * 1024)), /at most 33554432 are taken/);
});

t.test("rejects huge dimensions in a small file by the header", async (t) => {
  const chunk = (type: string, body: Buffer) => {
    const bytes = Buffer.alloc(12 + body.length);
    bytes.writeUInt32BE(body.length, 0);
    bytes.write(type, 4, "latin1");
    body.copy(bytes, 8);
    bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + body.length)), 8 + body.length);
    return bytes;
  };
  const size = Buffer.alloc(13);
  size.writeUInt32BE(60_000, 0);
  size.writeUInt32BE(60_000, 4);
  size.set([8, 2], 8);
  const bytes = Buffer.concat([
    png.subarray(0, 8),
    chunk("IHDR", size),
    chunk("IDAT", deflateSync(Buffer.alloc(100_000))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
  await t.rejects(inspect(bytes), { name: "SourceTooLarge", width: 60_000, height: 60_000 });
});

t.test("keeps the upper 8 of 16 bits", async (t) => {
  const values = Uint16Array.from({ length: 20 * 10 * 4 }, (_, at) => 65536 * hash(at, 1));
  const deep = { width: 20, height: 10, channels: 4, pixels: values } as const;
  const pixels = Uint8Array.from(values, (value) => value >> 8);
  const expected = { width: 20, height: 10, channels: 4, pixels };
  t.same(await decode(pngOf(deep)), expected);
  const tiff = await sharp(pngOf(deep))
    .toColourspace("rgb16")
    .tiff({ compression: "none" })
    .toBuffer();
  t.same(await decode(tiff), expected);
  t.same(
    await decode(await image.clone().toColourspace("rgb16").png().toBuffer()),
    await decode(png),
  );
});

t.test("converts the colours of a profile to sRGB, in 8 and in 16 bits", async (t) => {
  const red = sharp({
    create: { width: 8, height: 8, channels: 3, background: "rgb(200, 60, 30)" },
  });
  const narrow = await red.clone().withIccProfile("p3").png().toBuffer();
  near(t, await colourOf(narrow), [200, 60, 30], 1, "Display P3, 8 bits");
  const deep = red.clone().toColourspace("rgb16");
  const wide = await deep.clone().withIccProfile("p3").png().toBuffer();
  near(t, await colourOf(wide), [200, 60, 30], 2, "Display P3, 16 bits");
  const same = await deep.clone().withIccProfile("srgb").png().toBuffer();
  near(t, await colourOf(same), [200, 60, 30], 2, "sRGB, 16 bits");
  const cmyk = await red
    .clone()
    .toColourspace("cmyk")
    .withIccProfile("cmyk")
    .jpeg({ quality: 100 })
    .toBuffer();
  near(t, await colourOf(cmyk), [200, 60, 30], 12, "CMYK");
});

t.test("expands grey and palettes, keeps straight alpha, drops idle alpha", async (t) => {
  const grey = { width: 2, height: 1, channels: 1, pixels: Uint8Array.of(9, 200) } as const;
  t.same([...(await decode(pngOf(grey))).pixels], [9, 9, 9, 200, 200, 200]);
  const veiled = { ...grey, channels: 2, pixels: Uint8Array.of(9, 255, 200, 7) } as const;
  t.same([...(await decode(pngOf(veiled))).pixels], [9, 9, 9, 255, 200, 200, 200, 7]);
  const straight = Uint8Array.of(250, 10, 30, 0, 4, 5, 6, 128);
  t.same(
    [...(await decode(pngOf({ ...grey, channels: 4, pixels: straight }))).pixels],
    [...straight],
  );
  const opaque = {
    ...grey,
    channels: 4,
    pixels: Uint8Array.of(1, 2, 3, 255, 4, 5, 6, 255),
  } as const;
  t.same(await decode(pngOf(opaque)), {
    width: 2,
    height: 1,
    channels: 3,
    pixels: Uint8Array.of(1, 2, 3, 4, 5, 6),
  });
  t.equal((await inspect(pngOf(opaque))).hasAlpha, false);
  t.equal((await inspect(pngOf(veiled))).hasAlpha, true);
  const deep = {
    width: 1,
    height: 1,
    channels: 4,
    pixels: Uint16Array.of(1, 257, 600, 65535),
  } as const;
  t.same([...(await decode(pngOf(deep))).pixels], [0, 1, 2]);
  const palette = await sharp({
    create: { width: 4, height: 4, channels: 3, background: "#0a141e" },
  })
    .png({ palette: true })
    .toBuffer();
  t.same(await colourOf(palette), [10, 20, 30]);
});

t.test("applies the EXIF orientation", async (t) => {
  const plain = await decode(png);
  for (const [orientation, degrees] of [
    [6, -90],
    [3, 180],
    [8, 90],
  ] as const) {
    const turned = await sharp(png).rotate(degrees).withMetadata({ orientation }).png().toBuffer();
    t.match(await inspect(turned), { width: 90, height: 60 });
    t.same(await decode(turned), plain, `orientation ${orientation}`);
  }
});

t.test("takes the first frame of an animation", async (t) => {
  const frames = Buffer.alloc(8 * 16 * 3, 255);
  frames.fill(0, 8 * 8 * 3);
  const raw = { width: 8, height: 16, channels: 3, pageHeight: 8 } as const;
  const gif = await sharp(frames, { raw })
    .gif({ delay: [100, 100] })
    .toBuffer();
  t.match(await inspect(gif), { width: 8, height: 8 });
  t.same(await colourOf(gif), [255, 255, 255]);
});

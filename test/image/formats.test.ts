import sharp from "sharp";
import t from "tap";
import { encodeWhole, mediaTypeOf, type WholeFormat } from "../../engine/image/formats.ts";
import { FORMATS } from "../../engine/recipe.ts";
import { photograph } from "../helpers/pictures.ts";

const size = { width: 120, height: 80, channels: 3 } as const;
const photo = Uint8Array.from(photograph(120, 80).pixels);
const whole: WholeFormat[] = ["jpeg", "webp"];

async function meanDifference(bytes: Uint8Array): Promise<number> {
  const pixels = await sharp(bytes).toColourspace("srgb").raw().toBuffer();
  return pixels.reduce((sum, value, at) => sum + Math.abs(value - photo[at]), 0) / pixels.length;
}

t.test("every format has a media type", async (t) => {
  t.same(FORMATS.map(mediaTypeOf), ["image/png", "image/jpeg", "image/webp"]);
});

t.test("another decoder sees the picture, tagged as sRGB", async (t) => {
  for (const format of whole) {
    const bytes = await encodeWhole(photo, size, format, { quality: 95, pixelsPerInch: 300 });
    const { width, height, format: found, icc } = await sharp(bytes).metadata();
    t.same({ width, height, found }, { width: 120, height: 80, found: format });
    t.ok(icc?.includes("s\0R\0G\0B"), `${format} carries a profile of that name`);
    const off = await meanDifference(bytes);
    t.ok(off < 5, `${format} is off by ${off} levels`);
  }
});

t.test("quality trades size for closeness", async (t) => {
  for (const format of whole) {
    const [low, high] = await Promise.all(
      [20, 95].map((quality) => encodeWhole(photo, size, format, { quality, pixelsPerInch: 72 })),
    );
    t.ok(low.length < high.length / 2);
    t.ok((await meanDifference(low)) > (await meanDifference(high)));
  }
});

t.test("both say their resolution", async (t) => {
  const options = { quality: 80, pixelsPerInch: 254 };
  const jpeg = await sharp(await encodeWhole(photo, size, "jpeg", options)).metadata();
  t.equal(jpeg.density, 254);
  const webp = await sharp(await encodeWhole(photo, size, "webp", options)).metadata();
  const ratio = Buffer.from(Uint32Array.of(254_000, 1000).buffer);
  t.ok(webp.exif?.includes(ratio), "as EXIF's XResolution");
});

t.test("JPEG keeps full colour at high quality", async (t) => {
  for (const [quality, subsampling] of [
    [89, "4:2:0"],
    [90, "4:4:4"],
  ] as const) {
    const bytes = await encodeWhole(photo, size, "jpeg", { quality, pixelsPerInch: 72 });
    const { chromaSubsampling } = await sharp(bytes).metadata();
    t.equal(chromaSubsampling, subsampling);
  }
});

t.test("alpha is kept by WebP and laid on white by JPEG", async (t) => {
  const clear = Uint8Array.from({ length: 16 * 16 * 4 }, (_, at) => [200, 30, 30, 0][at % 4]);
  const square = { width: 16, height: 16, channels: 4 } as const;
  const options = { quality: 95, pixelsPerInch: 72 };
  const webp = await sharp(await encodeWhole(clear, square, "webp", options))
    .raw()
    .toBuffer();
  t.equal(webp[3], 0);
  const jpeg = await sharp(await encodeWhole(clear, square, "jpeg", options))
    .raw()
    .toBuffer();
  t.same([...jpeg.subarray(0, 3)], [255, 255, 255]);
});

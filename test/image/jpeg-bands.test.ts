/** A JPEG joined from bands, compared with sharp's encode of the whole. */
import sharp from "sharp";
import t from "tap";
import { SRGB_PROFILE } from "../../engine/encoders/icc.ts";
import { createJpegWriter, encodeJpegBand, maxJpegRows } from "../../engine/encoders/jpeg-bands.ts";
import type { Size } from "../../engine/size.ts";
import { photograph } from "../helpers/pictures.ts";

async function joined(
  pixels: Uint8Array,
  size: Size,
  quality: number,
  rowsPerBand: number,
): Promise<Buffer> {
  const facts = { ...size, quality, rowsPerBand, pixelsPerInch: 300, profile: SRGB_PROFILE };
  const writer = createJpegWriter(facts);
  const parts: Uint8Array[] = [];
  const band = rowsPerBand * size.width * 3;
  for (let at = 0; at < pixels.length; at += band) {
    parts.push(writer.add(await encodeJpegBand(pixels.subarray(at, at + band), facts)));
  }
  return Buffer.concat([...parts, writer.end()]);
}

/** Decodes strictly: any irregularity is an error. */
const decoded = (file: Buffer) => sharp(file, { failOn: "warning" }).raw().toBuffer();

t.test("equals one encode of the whole picture", async (t) => {
  const cases = [
    [1, 1, 16],
    [5, 33, 16],
    [100, 16, 16],
    [333, 257, 32],
    [1003, 200, 48],
    [40, 700, 16], // more bands than there are restart markers
  ] as const;
  for (const [width, height, rows] of cases) {
    const pixels = Uint8Array.from(photograph(width, height).pixels);
    for (const quality of [1, 80, 95, 100]) {
      const what = `${width} × ${height} in bands of ${rows}, quality ${quality}`;
      const raw = { width, height, channels: 3 } as const;
      const chromaSubsampling = quality >= 90 ? "4:4:4" : "4:2:0";
      const whole = await sharp(pixels, { raw }).jpeg({ quality, chromaSubsampling }).toBuffer();
      const file = await joined(pixels, raw, quality, rows);
      const facts = await sharp(file).metadata();
      t.match(facts, { width, height, chromaSubsampling, isProgressive: false }, what);
      t.ok((await decoded(file)).equals(await decoded(whole)), what);
    }
  }
});

t.test("contains resolution and profile", async (t) => {
  const size = { width: 30, height: 40 };
  const file = await joined(Uint8Array.from(photograph(30, 40).pixels), size, 90, 16);
  const { density, icc } = await sharp(file).metadata();
  t.equal(density, 300);
  t.ok(icc?.equals(SRGB_PROFILE.bytes));
});

t.test(
  "rejects wrong rows, an early end, and bands that no restart interval can count",
  async (t) => {
    const facts = { width: 20, height: 40, quality: 90, pixelsPerInch: 300, profile: SRGB_PROFILE };
    t.throws(() => createJpegWriter({ ...facts, rowsPerBand: 24 }), /multiple of 16 rows/);
    const most = maxJpegRows(20_000);
    t.throws(
      () => createJpegWriter({ ...facts, width: 20_000, rowsPerBand: most + 16 }),
      RangeError,
    );
    const writer = createJpegWriter({ ...facts, rowsPerBand: 16 });
    const bandOf = (rows: number) => encodeJpegBand(new Uint8Array(20 * rows * 3), facts);
    const short = await bandOf(15);
    t.throws(() => writer.add(short), {
      name: "RangeError",
      message: /16 rows of 20 pixels, got 15/,
    });
    writer.add(await bandOf(16));
    t.throws(() => writer.end(), /24 rows are missing/);
  },
);

t.test("the highest bands of the widest sheet decode", async (t) => {
  const [width, rows] = [20_000, maxJpegRows(20_000)];
  const size = { width, height: rows + 3 };
  const grey = new Uint8Array(width * size.height * 3).fill(128);
  const pixels = await decoded(await joined(grey, size, 90, rows));
  t.ok(pixels.equals(grey));
});

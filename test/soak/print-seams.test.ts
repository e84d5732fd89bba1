/** PDFs that repeat a period, rendered by two other programs: no seams, everything in place. */
import sharp from "sharp";
import t from "tap";
import { temporaryFolder } from "../helpers/database.ts";
import { testEngine } from "../helpers/engine.ts";
import { skipWithout } from "../helpers/external-validators.ts";
import { drawn, RASTERISING, rasterisers } from "../helpers/pdf.ts";
import { meanDifference, photograph, pngOf, type Raster, rasterOf } from "../helpers/pictures.ts";
import { type PrintParts, printed } from "../helpers/print.ts";

const skip = skipWithout(...RASTERISING);

const DARK = [40, 90, 120];

/** One colour: any other colour on the page is a seam. */
const plain = pngOf({
  width: 30,
  height: 30,
  channels: 3,
  pixels: Uint8Array.from({ length: 2700 }, (_, at) => DARK[at % 3]),
});

const cases: readonly PrintParts[] = [
  { group: "p4m", print: { cell_mm: 31.3 } },
  { group: "p6", print: { cell_mm: 31.3, rotation: 17 } },
  { group: "p2", print: { cell_mm: 12.7, rotation: 45, dpi: 200 } },
  { group: "p1", print: { cell_mm: 6, rotation: 0.3 } },
  { group: "p3m1", print: { cell_mm: 23, rotation: 90 } },
  { group: "p1", print: { cell_mm: 3.1, rotation: -33.3 } },
];

/** The largest difference from one colour, leaving out the page's own edge. */
function farthest({ width, height, pixels }: Raster): number {
  let most = 0;
  for (let y = 1; y < height - 1; y++) {
    for (let at = 3 * (y * width + 1); at < 3 * (y * width + width - 1); at++) {
      most = Math.max(most, Math.abs(pixels[at] - DARK[at % 3]));
    }
  }
  return most;
}

t.test("no gaps show between periods, at any resolution and angle", { skip }, async (t) => {
  const engine = await testEngine(t);
  const folder = await temporaryFolder(t);
  for (const { print, ...design } of cases) {
    const file = await printed(engine, {
      ...design,
      source: plain,
      print: { ...print, width_mm: 70, height_mm: 50, offset_mm: { x: 3.3, y: -5 } },
    });
    for (const by of rasterisers) {
      for (const dpi of [13, 47, 97, 233]) {
        const off = farthest(await drawn(by, file, folder, dpi));
        t.ok(off <= 2, `${by} ${design.group} ${print?.rotation ?? 0}° ${dpi} dpi: off by ${off}`);
      }
    }
  }
});

const pictureOf = (
  pixels: Uint8Array,
  { width, height }: Pick<Raster, "width" | "height">,
): Raster => ({
  width,
  height,
  channels: 3,
  pixels,
});

/** The part of a raster that another of about the same size contains, shifted to the right. */
function cut(raster: Raster, size: Pick<Raster, "width" | "height">, shift = 0): Raster {
  const pixels = new Uint8Array(size.width * size.height * 3);
  for (let y = 0; y < size.height; y++) {
    const from = 3 * (y * raster.width + shift);
    pixels.set(raster.pixels.subarray(from, from + 3 * size.width), 3 * y * size.width);
  }
  return pictureOf(pixels, size);
}

t.test("shows the same sheet as a raster", { skip }, async (t) => {
  const engine = await testEngine(t);
  const folder = await temporaryFolder(t);
  const { pixels } = photograph(400, 300);
  const raw = { width: 400, height: 300, channels: 3 } as const;
  const dpi = 180;
  const whole: PrintParts = { print: { mode: "aperiodic", aperiodic: { outline_width: 0 } } };
  for (const { print, ...design } of [...cases, whole]) {
    // Blurred over some pixels of the sheet, so that only positions matter, not the program's sampling.
    const cell = ((print?.cell_mm ?? 31.3) / 25.4) * dpi;
    const blurred = sharp(Uint8Array.from(pixels), { raw }).blur(Math.max(6, (2 * 400) / cell));
    const source = await blurred.png().toBuffer();
    const sheet = { ...print, width_mm: 60, height_mm: 50, offset_mm: { x: 3.3, y: -5 } };
    const pdf = await printed(engine, { ...design, source, print: sheet });
    const png = await printed(engine, {
      ...design,
      source,
      print: { ...sheet, dpi, format: "png" },
    });
    const expected = rasterOf(png);
    // A page's last pixels may be partial.
    const size = { width: expected.width - 12, height: expected.height - 2 };
    for (const by of rasterisers) {
      const page = await drawn(by, pdf, folder, dpi);
      const off = meanDifference(cut(page, size), cut(expected, size));
      const moved = meanDifference(cut(page, size), cut(expected, size, 7));
      const what = `${by} ${design.group ?? "whole"} ${print?.rotation ?? 0}°: off by ${off}, a millimetre away by ${moved}`;
      t.ok(off < moved / 5, what);
    }
  }
});

/** PDFs as other programs render them. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import sharp from "sharp";
import { runValidator } from "./external-validators.ts";
import { type Raster, rasterOf } from "./pictures.ts";

/** Renders the page of a file into a folder, at that many pixels an inch. */
const RASTERISERS = {
  poppler: async (pdf: string, folder: string, dpi: number) => {
    const drawn = join(folder, "poppler");
    await runValidator("pdftoppm", "-r", String(dpi), "-singlefile", "-png", pdf, drawn);
    return `${drawn}.png`;
  },
  mupdf: async (pdf: string, folder: string, dpi: number) => {
    const drawn = join(folder, "mupdf.png");
    await runValidator("mutool", "draw", "-q", "-r", String(dpi), "-o", drawn, pdf);
    return drawn;
  },
} as const;

export type Rasteriser = keyof typeof RASTERISERS;

export const rasterisers = Object.keys(RASTERISERS) as Rasteriser[];

/** The programs for this. */
export const RASTERISING = ["pdftoppm", "mutool"] as const;

/** A file's page as RGB. */
export async function drawn(
  by: Rasteriser,
  file: Uint8Array,
  folder: string,
  dpi: number,
): Promise<Raster> {
  const pdf = join(folder, "drawn.pdf");
  await writeFile(pdf, file);
  const picture = await readFile(await RASTERISERS[by](pdf, folder, dpi));
  const { data, info } = await sharp(picture)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: 3, pixels: Uint8Array.from(data) };
}

/**
 * The contents of a file's objects by number, as Latin-1, found through its cross-reference table.
 */
export function objectsOf(file: Buffer): ReadonlyMap<number, string> {
  const whole = file.toString("latin1");
  const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(whole)?.[1]);
  const [, count] = /^xref\n0 (\d+)\n/.exec(whole.slice(table)) ?? [];
  const entries = whole.slice(table + `xref\n0 ${count}\n`.length);
  const objects = new Map<number, string>();
  for (let number = 1; number < Number(count); number++) {
    const place = /^(\d{10}) 00000 n \n$/.exec(entries.slice(20 * number, 20 * number + 20))?.[1];
    const object = whole.slice(Number(place));
    if (!object.startsWith(`${number} 0 obj\n`)) throw new Error(`object ${number} is not there`);
    objects.set(number, object.slice(0, object.indexOf("\nendobj\n")));
  }
  return objects;
}

/** The content of the one object with this text in its dictionary. */
export function objectWith(file: Buffer, mark: string): string {
  const found = [...objectsOf(file).values()].filter((object) => object.includes(mark));
  if (found.length !== 1) throw new Error(`${found.length} objects have ${mark}`);
  return found[0];
}

/** The numbers of an entry of a dictionary. */
export const numbersOf = (object: string, name: string) =>
  (new RegExp(`/${name} \\[?([-\\d. ]+)`).exec(object)?.[1] ?? "").trim().split(" ").map(Number);

/** The content of a stream object. */
export function streamOf(object: string): Buffer {
  const from = object.indexOf("\nstream\n") + 8;
  return Buffer.from(object.slice(from, object.lastIndexOf("\nendstream")), "latin1");
}

/** A PNG of the rows of a PDF's image: other decoders know their filters. */
function pngAround(rows: Buffer, width: number, height: number): Buffer {
  const chunk = (type: string, content: Buffer) => {
    const named = Buffer.concat([Buffer.from(type, "latin1"), content]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(content.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("IDAT", rows),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The pixels of a file's only image. */
export function imageIn(file: Buffer): Raster {
  const image = objectWith(file, "/Subtype /Image");
  const [[width], [height]] = [numbersOf(image, "Width"), numbersOf(image, "Height")];
  return rasterOf(pngAround(streamOf(image), width, height));
}

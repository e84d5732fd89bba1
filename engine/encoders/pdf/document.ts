/** Encodes a one-page PDF with one image, written in bands of rows. */

import { deflateSync } from "node:zlib";
import { type Band, onPaper } from "../../image/bands.ts";
import { bytesOf } from "../../image/samples.ts";
import type { Size } from "../../size.ts";
import type { Encoder } from "../encoder.ts";
import { SRGB_PROFILE } from "../icc.ts";
import { createOrderedConcurrency } from "../ordered-concurrency.ts";
import { createPngRows } from "../png/rows.ts";
import { createPdfFile, dictionary, type PdfFile, PRODUCER, reference, text } from "./file.ts";
import {
  boxesOf,
  drawMarks,
  drawPattern,
  drawSheet,
  type Page,
  REGISTRATION,
} from "./page-objects.ts";
import { type Tiling, tilingPattern } from "./tiling.ts";

export interface PdfFacts {
  readonly title: string;
  readonly page: Page;
  /** Size of the image. */
  readonly image: Size;
  /** How the image repeats within the bleed; null if it covers the bleed once. */
  readonly tiling: Tiling | null;
}

/** A document, to which the bytes of its image are written. */
export interface PdfDocument {
  /** Writes a part of the image as a stream of PNG's rows. */
  write(bytes: Uint8Array): void;
  /** Writes what follows the image. */
  end(): void;
  /** Returns what has been written since the last call. */
  take(): Uint8Array;
}

/** Creates a document. Writes everything but the image's length and the cross-reference table before the image. */
export function createPdfDocument({
  title,
  page: layout,
  image: size,
  tiling,
}: PdfFacts): PdfDocument {
  const { width, height } = size;
  const file = createPdfFile();
  const catalog = file.reserve();
  const pages = file.reserve();
  const page = file.reserve();
  const content = file.reserve();
  const profile = file.reserve();
  const image = file.reserve();
  const about = file.reserve();
  const compressed = { Filter: "/FlateDecode" };

  file.object(catalog, dictionary({ Type: "/Catalog", Pages: reference(pages) }));
  file.object(pages, dictionary({ Type: "/Pages", Kids: `[${reference(page)}]`, Count: "1" }));
  const images = dictionary({ Picture: reference(image) });
  const resources = {
    ...(tiling === null
      ? { XObject: images }
      : { Pattern: dictionary({ Period: reference(writePattern(file, tiling, size, images)) }) }),
    ...(layout.marks.length > 0 && { ColorSpace: dictionary({ Registration: REGISTRATION }) }),
  };
  file.object(
    page,
    dictionary({
      Type: "/Page",
      Parent: reference(pages),
      ...boxesOf(layout),
      Resources: dictionary(resources),
      Contents: reference(content),
    }),
  );
  const drawn = tiling === null ? drawSheet(layout) : drawPattern(layout);
  file.stream(content, {}, Buffer.from(drawn + drawMarks(layout), "latin1"));
  file.stream(profile, { N: "3", ...compressed }, deflateSync(SRGB_PROFILE.bytes));
  file.object(
    about,
    dictionary({ Title: text(title), Producer: text(PRODUCER), Trapped: "/False" }),
  );
  file.beginStream(image, {
    Type: "/XObject",
    Subtype: "/Image",
    Width: String(width),
    Height: String(height),
    BitsPerComponent: "8",
    ColorSpace: `[/ICCBased ${reference(profile)}]`,
    ...compressed,
    // 15: each row starts with its filter type, as in PNG.
    DecodeParms: dictionary({
      Predictor: "15",
      Colors: "3",
      BitsPerComponent: "8",
      Columns: String(width),
    }),
  });

  return {
    write: file.write,
    end() {
      file.endStream();
      file.end(catalog, about);
    },
    take: file.take,
  };
}

/** Creates a PDF encoder. Composites alpha on white. */
export function createPdfEncoder(facts: PdfFacts): Encoder {
  const document = createPdfDocument(facts);
  const rows = createPngRows({ ...facts.image, channels: 3 });
  const bands = createOrderedConcurrency<readonly Uint8Array[]>();
  const write = (pieces: readonly (readonly Uint8Array[])[]) => {
    for (const piece of pieces.flat()) document.write(piece);
  };
  return {
    async band(band: Band) {
      const pixels = bytesOf(onPaper(band));
      const made = rows.band(pixels);
      // The next rows may use the memory of those that are there at once.
      const pieces = made instanceof Promise ? made : made.map((piece) => new Uint8Array(piece));
      write(await bands.push(pieces, pixels.length));
      return document.take();
    },
    async end() {
      write([...(await bands.flush()), rows.end()]);
      document.end();
      return document.take();
    },
  };
}

/** Writes the tiling pattern that repeats the image and returns its object number. */
function writePattern(file: PdfFile, tiling: Tiling, size: Size, images: string): number {
  const pattern = file.reserve();
  const { entries, content } = tilingPattern(tiling, size, dictionary({ XObject: images }));
  file.stream(pattern, entries, Buffer.from(content, "latin1"));
  return pattern;
}

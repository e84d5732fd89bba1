/** Formats whose files consist of strips of rows, each of which is encoded apart from the others. */
import { type Band, bandBytes, onPaper } from "../image/bands.ts";
import { bytesOf } from "../image/samples.ts";
import { type Patch, uniformChannels } from "./encoder.ts";
import {
  createJpegWriter,
  encodeJpegBand,
  type JpegOptions,
  type JpegWriter,
  jpegRows,
} from "./jpeg-bands.ts";
import { createPdfDocument, type PdfFacts } from "./pdf/document.ts";
import { type StreamSum, ZLIB_HEADER, ZlibFrame } from "./png/deflate/zlib-frame.ts";
import { createPngFrame, imageChunk, type PngFrame, type PngOptions } from "./png/png.ts";
import { createPngStrip, type PngStrip } from "./png/rows.ts";
import { createRowBlocks } from "./row-blocks.ts";
import {
  createTiffWriter,
  type TiffOptions,
  type TiffWriter,
  tiffCompressor,
  tiffRows,
} from "./tiff.ts";

/** Rows of a picture. */
export interface Strip {
  readonly first: number;
  readonly count: number;
}

export interface EncodedStrip {
  readonly channels: 3 | 4;
  /** Parts of the file, in order, and of JPEGs files that are parts of it. */
  readonly pieces: readonly Uint8Array[];
  /** The checksum of the rows, in formats with one for all. */
  readonly sum: StreamSum | null;
}

/** Encodes the bands of a strip in order. */
interface StripEncoder {
  band(band: Band): void | Promise<void>;
  end(): EncodedStrip;
}

/** Joins the strips of a file. */
interface StripFile {
  /** Adds the next strip from the top. Yields its bytes of the file. */
  add(strip: EncodedStrip): Iterable<Uint8Array>;
  /** Returns what follows the last strip. */
  end(): Uint8Array;
  /** Returns bytes to overwrite in the finished file, or null. */
  patch(): Patch | null;
}

export interface StripFormat {
  /** A strip has a multiple of so many rows, except for the last one. */
  readonly unit: number;
  encode(strip: Strip): StripEncoder;
  file(): StripFile;
}

/** Adds the next rows of a strip and returns pieces of it. */
type EncodeBand = (band: Band, channels: 3 | 4) => Promise<Uint8Array[]> | Uint8Array[];

/** Collects the pieces of a strip. */
function collectPieces(encode: EncodeBand, sum: () => StreamSum | null = () => null): StripEncoder {
  const channelsOf = uniformChannels();
  const pieces: Uint8Array[] = [];
  let channels: 3 | 4 = 3;
  return {
    async band(band) {
      channels = channelsOf(band);
      pieces.push(...(await encode(band, channels)));
    },
    end: () => ({ channels, pieces, sum: sum() }),
  };
}

/** Composites bands on white before they are encoded. */
const onWhite = ({ band, end }: StripEncoder): StripEncoder => ({
  band: (withAlpha) => band(onPaper(withAlpha)),
  end,
});

/**
 * Compresses a strip as a part of a stream of PNG's rows.
 * @param pieceOf returns a piece of the file, in memory of its own
 */
function deflateStrip(
  width: number,
  firstRow: number,
  pieceOf: (deflated: Uint8Array) => Uint8Array,
): StripEncoder {
  let strip: PngStrip | undefined;
  return collectPieces(
    (band, channels) => {
      strip ??= createPngStrip({ width, channels }, firstRow);
      return [pieceOf(strip.band(bytesOf(band, bandBytes)))];
    },
    () => strip?.sum() ?? null,
  );
}

/** PNG of true colours. */
export function pngStrips(facts: Omit<PngOptions, "channels" | "palette">): StripFormat {
  return {
    unit: 1,
    encode: ({ first }) => deflateStrip(facts.width, first, (bytes) => imageChunk([bytes])),
    file() {
      let frame: PngFrame | undefined;
      return {
        *add({ channels, pieces, sum }) {
          if (frame === undefined) {
            frame = createPngFrame({ ...facts, channels });
            yield frame.head();
          }
          frame.add(sum as StreamSum);
          yield* pieces;
        },
        end: () => (frame as PngFrame).end(),
        patch: () => null,
      };
    },
  };
}

/** PDF with one image. Composites alpha on white. */
export function pdfStrips(facts: PdfFacts): StripFormat {
  return {
    unit: 1,
    encode: ({ first }) =>
      onWhite(deflateStrip(facts.image.width, first, (bytes) => bytes.slice())),
    file() {
      const document = createPdfDocument(facts);
      const stream = new ZlibFrame();
      document.write(ZLIB_HEADER);
      return {
        *add({ pieces, sum }) {
          stream.add(sum as StreamSum);
          for (const piece of pieces) {
            document.write(piece);
            yield document.take();
          }
        },
        end() {
          for (const piece of stream.end()) document.write(piece);
          document.end();
          return document.take();
        },
        patch: () => null,
      };
    },
  };
}

/** TIFF of true colours. */
export function tiffStrips(
  facts: Omit<TiffOptions, "channels" | "palette" | "rowsPerStrip">,
): StripFormat {
  const { width } = facts;
  const rowsPerStrip = tiffRows(facts);
  return {
    unit: rowsPerStrip,
    encode({ count }) {
      let blocks: ReturnType<typeof createRowBlocks> | undefined;
      let compress: ReturnType<typeof tiffCompressor>;
      return collectPieces((band, channels) => {
        if (blocks === undefined) {
          blocks = createRowBlocks(width * channels, rowsPerStrip, count);
          compress = tiffCompressor({ ...facts, channels, rowsPerStrip });
        }
        return blocks(bytesOf(band, bandBytes)).map(compress);
      });
    },
    file() {
      let writer: TiffWriter | undefined;
      let patch: Patch | null = null;
      return {
        *add({ channels, pieces }) {
          if (writer === undefined) {
            writer = createTiffWriter({ ...facts, channels, rowsPerStrip });
            yield writer.head();
          }
          for (const piece of pieces) yield writer.add(piece);
        },
        end() {
          const end = (writer as TiffWriter).end();
          patch = end.patch;
          return end.bytes;
        },
        patch: () => patch,
      };
    },
  };
}

/** JPEG. Composites alpha on white. */
export function jpegStrips(facts: Omit<JpegOptions, "rowsPerBand">): StripFormat {
  const { width } = facts;
  const rowsPerBand = jpegRows(width);
  return {
    unit: rowsPerBand,
    encode({ count }) {
      const blocks = createRowBlocks(width * 3, rowsPerBand, count);
      return onWhite(
        collectPieces(async (band) => {
          const pieces: Uint8Array[] = [];
          for (const rows of blocks(bytesOf(band, bandBytes))) {
            pieces.push(await encodeJpegBand(rows, facts));
          }
          return pieces;
        }),
      );
    },
    file() {
      const writer: JpegWriter = createJpegWriter({ ...facts, rowsPerBand });
      return {
        *add({ pieces }) {
          for (const { buffer, byteOffset, length } of pieces) {
            yield writer.add(Buffer.from(buffer, byteOffset, length));
          }
        },
        end: () => writer.end(),
        patch: () => null,
      };
    },
  };
}

/**
 * A PNG writer (W3C PNG 3rd edition) that takes the picture in bands of rows and holds only those it
 * is compressing.
 */
import { markAsUntransferable } from "node:worker_threads";
import { crc32, deflateSync } from "node:zlib";
import type { Size } from "../../size.ts";
import type { IccProfile } from "../icc.ts";
import type { DeflatedBand } from "./band.ts";
import { type StreamSum, ZLIB_HEADER, ZlibFrame } from "./deflate/zlib-frame.ts";
import type { PixelPeriod } from "./repeated-bands.ts";
import { createPngRows } from "./rows.ts";
import { uint32be } from "./uint32-be.ts";

export interface PngOptions extends Size {
  /**
   * 1: grey or palette indices, 2: grey with alpha, 3: RGB, 4: RGB with alpha. Straight alpha, sRGB,
   * 8 bits a channel or `palette.bits`.
   */
  readonly channels: 1 | 2 | 3 | 4;
  readonly palette?: Palette;
  readonly pixelsPerInch: number;
  /** Written in place of the sRGB chunk, for readers that do not know that. */
  readonly profile?: IccProfile;
  /** Latin-1 keywords of 1…79 characters and their texts. */
  readonly text?: Readonly<Record<string, string>>;
}

/** At most 256 colours. */
export interface Palette {
  /** RGB. */
  readonly colours: Uint8Array;
  /** Alphas of the first colours; the rest are opaque. */
  readonly alphas: Uint8Array;
  /** Bits per index, packed from the highest bits; each row starts a byte. */
  readonly bits: 1 | 2 | 4 | 8;
}

export interface PngWriter {
  /** Returns everything before the pixels. */
  head(): Uint8Array;
  /**
   * Returns the next rows, tightly packed, as one chunk; 256 KiB and more compress best. If matching
   * pays, a zlib thread compresses them unless they are the whole picture; `rows` may be reused on
   * return, and the next rows need not wait.
   */
  band(rows: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** Returns a chunk of the next rows, which `compressBand` has compressed. */
  add(band: DeflatedBand): Uint8Array;
  /**
   * Replaces `band` for a picture that repeats a period. Yields all rows as chunks; equal chunks are
   * the same object. Throws `RangeError` for a period with other channels or rows of partial bytes.
   */
  encodePeriod(period: PixelPeriod): Iterable<Uint8Array>;
  /** Returns everything after the pixels. Throws `RangeError` while rows are missing. */
  end(): Uint8Array;
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

const COLOUR_TYPE = { 1: 0, 2: 4, 3: 2, 4: 6 } as const;
const INDEXED = 3;

/** sRGB chunk (§11.3.2.5): perceptual intent, for photographs. */
const PERCEPTUAL = 0;

const METRES_PER_INCH = 0.0254;

function chunk(type: string, ...parts: Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = Buffer.allocUnsafe(length + 12);
  bytes.writeUInt32BE(length, 0);
  bytes.write(type, 4, "latin1");
  let at = 8;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  bytes.writeUInt32BE(crc32(bytes.subarray(4, at)), at);
  return bytes;
}

/** Returns an IDAT chunk. */
export const imageChunk = (parts: readonly Uint8Array[]) => chunk("IDAT", ...parts);

const tail = (parts: readonly Uint8Array[]) => Buffer.concat([imageChunk(parts), chunk("IEND")]);

/** Returns the iCCP or the sRGB chunk, of which a file has only one (§11.3.2). */
function colourChunk(profile: IccProfile | undefined): Buffer {
  if (profile === undefined) return chunk("sRGB", Uint8Array.of(PERCEPTUAL));
  const name = Buffer.from(`${profile.name}\0\0`, "latin1");
  return chunk("iCCP", name, deflateSync(profile.bytes));
}

function head(options: PngOptions): Uint8Array {
  const { width, height, channels, palette, pixelsPerInch, profile, text } = options;
  const [bits, type] = palette ? [palette.bits, INDEXED] : [8, COLOUR_TYPE[channels]];
  const pixelsPerMetre = Math.round(pixelsPerInch / METRES_PER_INCH);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", uint32be(width, height), Uint8Array.of(bits, type, 0, 0, 0)),
    colourChunk(profile),
    ...(palette ? [chunk("PLTE", palette.colours)] : []),
    ...(palette && palette.alphas.length > 0 ? [chunk("tRNS", palette.alphas)] : []),
    chunk("pHYs", uint32be(pixelsPerMetre, pixelsPerMetre), Uint8Array.of(1)),
    ...Object.entries(text ?? {}).map(([keyword, value]) =>
      chunk("tEXt", Buffer.from(`${keyword}\0${value}`, "latin1")),
    ),
  ]);
}

/**
 * Creates a PNG writer. The file is `head()`, every `band(rows)` from the top, then `end()`. Each band
 * is one IDAT chunk. The same bands always return the same bytes.
 *
 * @param level deflate level 1…9 for bands where matching pays, such as flat drawings
 * @throws {RangeError} from `band` for a partial row or too many rows
 */
export function createPngWriter(
  options: PngOptions,
  { level }: { level?: number } = {},
): PngWriter {
  const { width, height, channels, palette } = options;
  // Palette indices are filtered byte by byte, however many a byte has (§9.2).
  const bytesFor = (pixels: number) => (palette ? (pixels * palette.bits) / 8 : pixels);
  const rows = createPngRows({ width: Math.ceil(bytesFor(width)), height, channels }, level);
  return {
    head: () => head(options),
    band(pixels) {
      const parts = rows.band(pixels);
      return parts instanceof Promise ? parts.then(imageChunk) : imageChunk(parts);
    },
    add: (band) => imageChunk(rows.add(band)),
    *encodePeriod(period) {
      const chunks: Uint8Array[] = [];
      yield imageChunk([ZLIB_HEADER]);
      const bands = rows.encodePeriod({ ...period, width: bytesFor(period.width) });
      for (const { number, deflated } of bands) {
        if (deflated !== null) {
          const made = imageChunk([deflated]);
          // Posted to other threads as a copy, as it may be yielded again.
          markAsUntransferable(made.buffer);
          chunks[number] = made;
        }
        yield chunks[number];
      }
    },
    end: () => tail(rows.end()),
  };
}

/** The parts of a PNG around its strips. */
export interface PngFrame {
  /** Returns everything before the first strip. */
  head(): Uint8Array;
  /** Adds the checksum of the next strip from the top. */
  add(sum: StreamSum): void;
  /** Returns everything after the last strip. */
  end(): Uint8Array;
}

/** Creates the frame of a PNG whose strips are compressed elsewhere. */
export function createPngFrame(options: PngOptions): PngFrame {
  const frame = new ZlibFrame();
  return {
    head: () => Buffer.concat([head(options), imageChunk([ZLIB_HEADER])]),
    add: (sum) => frame.add(sum),
    end: () => tail(frame.end()),
  };
}

/**
 * A PNG writer (W3C PNG 3rd edition) that takes the picture in bands of rows and holds no more than
 * those it is compressing, whatever the picture's size.
 */
import { markAsUntransferable } from "node:worker_threads";
import { crc32, deflateSync } from "node:zlib";
import type { IccProfile } from "./icc.ts";
import { BandDeflater } from "./png-band.ts";
import type { PixelPeriod } from "./png-repeats.ts";
import { createPngRows, LAZY } from "./png-rows.ts";
import { uint32be } from "./words.ts";
import { type StreamSum, ZLIB_HEADER, ZlibFrame } from "./zlib-frame.ts";

export interface PngOptions {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /**
   * 1: grey, or numbers of a palette's colours; 2: grey with alpha, 3: RGB, 4: RGB with alpha, which
   * is straight. 8 bits each, or as many as the palette says; sRGB.
   */
  readonly channels: 1 | 2 | 3 | 4;
  readonly palette?: Palette;
  readonly pixelsPerInch: number;
  /** Says the colours of RGB to readers that do not take sRGB's mark for it; replaces that mark. */
  readonly profile?: IccProfile;
  /** Latin-1 keywords of 1…79 characters and their texts. */
  readonly text?: Readonly<Record<string, string>>;
}

/** At most 256 colours. */
export interface Palette {
  /** RGB. */
  readonly colours: Uint8Array;
  /** Of the first colours; those after them are opaque. */
  readonly alphas: Uint8Array;
  /** Of a number; the first one of a byte lies in its highest bits, and a row begins a byte. */
  readonly bits: 1 | 2 | 4 | 8;
}

export interface PngWriter {
  /** Everything before the pixels. */
  head(): Uint8Array;
  /**
   * The next rows as one chunk. Any number of whole rows, tightly packed; 256 KiB and more pay best.
   * Rows in which matching pays are compressed by another thread unless they are the whole picture;
   * they have been read when this returns, and the next ones need not wait.
   */
  band(rows: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /**
   * All rows of a picture that repeats a period, as chunks; a chunk that comes again is the same
   * object. In place of `band`. Throws `RangeError` for a period of other channels, or whose rows
   * end within a byte.
   */
  repeating(period: PixelPeriod): Iterable<Uint8Array>;
  /** Everything after the pixels. Throws `RangeError` while rows are missing. */
  end(): Uint8Array;
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

const COLOUR_TYPE = { 1: 0, 2: 4, 3: 2, 4: 6 } as const;
const INDEXED = 3;

/** sRGB chunk (§11.3.2.5): perceptual intent, fit for photographs. */
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

const imageChunk = (pieces: readonly Uint8Array[]) => chunk("IDAT", ...pieces);

const tail = (pieces: readonly Uint8Array[]) => Buffer.concat([imageChunk(pieces), chunk("IEND")]);

/** §11.3.2: one of the two, as a profile is the exact form of what sRGB's mark says in short. */
function colours(profile: IccProfile | undefined): Buffer {
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
    colours(profile),
    ...(palette ? [chunk("PLTE", palette.colours)] : []),
    ...(palette && palette.alphas.length > 0 ? [chunk("tRNS", palette.alphas)] : []),
    chunk("pHYs", uint32be(pixelsPerMetre, pixelsPerMetre), Uint8Array.of(1)),
    ...Object.entries(text ?? {}).map(([keyword, value]) =>
      chunk("tEXt", Buffer.from(`${keyword}\0${value}`, "latin1")),
    ),
  ]);
}

/**
 * Starts a PNG. Put `head()`, every `band(rows)` from the top, and `end()` one after the other.
 * Each band is one IDAT chunk. It always has the same bytes for the same bands.
 *
 * @param level deflate level 1…9 for bands where matching pays, such as flat drawings
 * @throws {RangeError} from `band` for a part of a row or too many rows
 */
export function createPngWriter(
  options: PngOptions,
  { level }: { level?: number } = {},
): PngWriter {
  const { width, height, channels, palette } = options;
  // Numbers of colours are filtered byte by byte, however many a byte holds (§9.2).
  const bytesFor = (pixels: number) => (palette ? (pixels * palette.bits) / 8 : pixels);
  const rows = createPngRows({ width: Math.ceil(bytesFor(width)), height, channels }, level);
  return {
    head: () => head(options),
    band(pixels) {
      const pieces = rows.band(pixels);
      return pieces instanceof Promise ? pieces.then(imageChunk) : imageChunk(pieces);
    },
    *repeating(period) {
      const made = new Map<Uint8Array, Buffer>();
      for (const piece of rows.repeating({ ...period, width: bytesFor(period.width) })) {
        let known = made.get(piece);
        if (known === undefined) {
          known = imageChunk([piece]);
          // Given to another thread as a copy, as it may be needed again.
          markAsUntransferable(known.buffer);
          made.set(piece, known);
        }
        yield known;
      }
    },
    end: () => tail(rows.end()),
  };
}

/** Rows of a PNG that are made apart from those above them. */
export interface PngStrip {
  /** The next rows as one chunk, as in `PngWriter`. */
  band(rows: Uint8Array): Uint8Array;
  /** What the frame has to know of the rows so far. */
  sum(): StreamSum;
}

/**
 * Starts a strip. Runs synchronously and always gives the same bytes for the same bands.
 * @param firstRow the strip's first row in the picture
 */
export function createPngStrip(
  { width, channels }: Pick<PngOptions, "width" | "channels">,
  firstRow: number,
): PngStrip {
  const deflater = new BandDeflater(width * channels, channels, LAZY, firstRow === 0);
  const frame = new ZlibFrame();
  return {
    band(rows) {
      const band = deflater.deflate(rows);
      frame.add(band);
      return imageChunk([band.deflated]);
    },
    sum: () => frame.sum(),
  };
}

/** What stands around the strips of a PNG. */
export interface PngFrame {
  /** Everything before the first strip. */
  head(): Uint8Array;
  /** The next strip from the top. */
  add(sum: StreamSum): void;
  /** Everything after the last one. */
  end(): Uint8Array;
}

/** Starts a PNG whose strips are made elsewhere. */
export function createPngFrame(options: PngOptions): PngFrame {
  const frame = new ZlibFrame();
  return {
    head: () => Buffer.concat([head(options), imageChunk([ZLIB_HEADER])]),
    add: (sum) => frame.add(sum),
    end: () => tail(frame.end()),
  };
}

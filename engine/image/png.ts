/**
 * A PNG writer (W3C PNG 3rd edition) that takes the picture in bands of rows and holds no more than
 * one, whatever the picture's size.
 */
import { crc32 } from "node:zlib";
import { ADLER_START, adler32Combined } from "./adler.ts";
import { BandDeflater } from "./png-band.ts";

export interface PngFacts {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** 1: grey, 3: RGB, 4: RGB with straight alpha; 8 bits each, sRGB. */
  readonly channels: 1 | 3 | 4;
  readonly pixelsPerInch: number;
  /** Latin-1 keywords of 1…79 characters and their texts. */
  readonly text?: Readonly<Record<string, string>>;
}

export interface PngWriter {
  /** Everything before the pixels. */
  head(): Uint8Array;
  /** The next rows as one chunk. Any number of whole rows, tightly packed; 256 KiB and more pay best. */
  band(rows: Uint8Array): Uint8Array;
  /** Everything after the pixels. Throws `RangeError` while rows are missing. */
  end(): Uint8Array;
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

const COLOUR_TYPE = { 1: 0, 3: 2, 4: 6 } as const;

/** sRGB chunk (§11.3.2.5): perceptual intent, fit for photographs. */
const PERCEPTUAL = 0;

const METRES_PER_INCH = 0.0254;

/** Header of a zlib stream (RFC 1950 §2.2): deflate with a window of 32 KiB, fastest compression. */
const ZLIB_HEADER = Uint8Array.of(0x78, 0x01);

/** A final deflate block without content (RFC 1951 §3.2.6), which ends the stream. */
const LAST_BLOCK = Uint8Array.of(0x03, 0x00);

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

/** Whole numbers as four bytes each, most significant first. */
function words(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [at, number] of numbers.entries()) bytes.writeUInt32BE(number, at * 4);
  return bytes;
}

function head({ width, height, channels, pixelsPerInch, text }: PngFacts): Uint8Array {
  const pixelsPerMetre = Math.round(pixelsPerInch / METRES_PER_INCH);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", words(width, height), Uint8Array.of(8, COLOUR_TYPE[channels], 0, 0, 0)),
    chunk("sRGB", Uint8Array.of(PERCEPTUAL)),
    chunk("pHYs", words(pixelsPerMetre, pixelsPerMetre), Uint8Array.of(1)),
    ...Object.entries(text ?? {}).map(([keyword, value]) =>
      chunk("tEXt", Buffer.from(`${keyword}\0${value}`, "latin1")),
    ),
  ]);
}

/**
 * Starts a PNG. Put `head()`, every `band(rows)` from the top, and `end()` one after the other.
 * Each band is one IDAT chunk. Runs synchronously and always gives the same bytes for the same bands.
 *
 * @param level deflate level 1…9 for bands where matching pays, such as flat drawings; the default
 * is the first that matches lazily, four times as fast as 6 for files larger by a few percent
 * @throws {RangeError} from `band` for a part of a row or too many rows
 */
export function createPngWriter(
  facts: PngFacts,
  { level = 4 }: { level?: number } = {},
): PngWriter {
  const stride = facts.width * facts.channels;
  const deflater = new BandDeflater(stride, facts.channels, level);
  let adler = ADLER_START;
  let missing = facts.height;
  return {
    head: () => head(facts),
    band(rows) {
      const count = rows.length / stride;
      if (count === 0 || !Number.isInteger(count) || count > missing) {
        throw new RangeError(`expected 1 to ${missing} rows of ${stride} bytes, got ${count} rows`);
      }
      const first = missing === facts.height;
      missing -= count;
      const band = deflater.deflate(rows);
      adler = adler32Combined(adler, band.adler, band.length);
      return chunk("IDAT", ...(first ? [ZLIB_HEADER] : []), band.deflated);
    },
    end() {
      if (missing > 0) throw new RangeError(`${missing} rows are missing`);
      return Buffer.concat([chunk("IDAT", LAST_BLOCK, words(adler)), chunk("IEND")]);
    },
  };
}

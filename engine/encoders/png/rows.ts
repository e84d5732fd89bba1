/**
 * Rows of pixels with PNG filters as a zlib stream (RFC 1950), compressed in bands: the content of
 * PNG's IDAT chunks and of PDF images with predictor 15.
 */
import type { Size } from "../../size.ts";
import { BandDeflater, type DeflatedBand } from "./band.ts";
import { type StreamSum, ZLIB_HEADER, ZlibFrame } from "./deflate/zlib-frame.ts";
import { type PixelPeriod, type RepeatedBand, repeatedBands } from "./repeated-bands.ts";

export interface RowLayout extends Size {
  /** 8 bits each. */
  readonly channels: 1 | 2 | 3 | 4;
}

export interface PngRows {
  /**
   * Returns the stream's bytes for the next rows, tightly packed. If matching pays, a zlib thread
   * compresses them unless they are the whole picture; `rows` may be reused on return, and the next
   * rows need not wait. Bytes that do not come as a promise are valid until the next rows of any
   * picture. Throws `RangeError` for a partial row or too many rows.
   */
  band(rows: Uint8Array): readonly Uint8Array[] | Promise<readonly Uint8Array[]>;
  /** Adds the next rows, which `compressBand` has compressed. Returns their bytes of the stream. */
  add(band: DeflatedBand): readonly Uint8Array[];
  /**
   * Replaces `band` for a picture that repeats a period: after `ZLIB_HEADER` the stream has the bytes of what this yields.
   * Throws `RangeError` for a period with other channels or partial bytes, and after a band.
   */
  encodePeriod(period: PixelPeriod): Iterable<RepeatedBand>;
  /** Returns the end of the stream. Throws `RangeError` while rows are missing. */
  end(): readonly Uint8Array[];
}

/**
 * The first deflate level with lazy matching: four times as fast as 6, for files a few percent larger.
 */
export const DEFAULT_LEVEL = 4;

/**
 * Creates a stream. The same bands always return the same bytes.
 * @param level deflate level 1…9 for bands where matching pays, such as flat drawings
 */
export function createPngRows(
  { width, height, channels }: RowLayout,
  level = DEFAULT_LEVEL,
): PngRows {
  const stride = width * channels;
  const deflater = new BandDeflater(stride, channels, level);
  const frame = new ZlibFrame();
  let missing = height;
  /** Takes rows, and returns what the stream has before them. */
  const take = (count: number): Uint8Array[] => {
    if (count === 0 || !Number.isInteger(count) || count > missing) {
      throw new RangeError(`expected 1 to ${missing} rows of ${stride} bytes, got ${count} rows`);
    }
    const start = missing === height ? [ZLIB_HEADER] : [];
    missing -= count;
    return start;
  };
  return {
    band(rows) {
      const count = rows.length / stride;
      const start = take(count);
      // Handing a single band to a zlib thread costs time and gains nothing.
      const band = count === height ? deflater.deflate(rows) : deflater.deflateAsync(rows);
      frame.add(band);
      const { deflated } = band;
      return deflated instanceof Promise
        ? deflated.then((bytes) => [...start, bytes])
        : [...start, deflated];
    },
    add(band) {
      // A filter type stands before each row.
      const start = take(band.length / (1 + stride));
      frame.add(band);
      return [...start, band.deflated];
    },
    *encodePeriod(period) {
      const fits = period.channels === channels && Number.isInteger(period.width);
      if (missing !== height || !fits) {
        throw new RangeError(`expected a whole picture of ${channels} channels to repeat`);
      }
      for (const band of repeatedBands(period, { width, height }, level)) {
        frame.add(band);
        yield band;
      }
      missing = 0;
    },
    end() {
      if (missing > 0) throw new RangeError(`${missing} rows are missing`);
      return frame.end();
    },
  };
}

/** Rows of a stream, compressed apart from those above them. */
export interface PngStrip {
  /** Returns the stream's bytes for the next rows, in memory that the next band of any picture uses again. */
  band(rows: Uint8Array): Uint8Array;
  /** Returns the checksum of the rows so far. */
  sum(): StreamSum;
}

/**
 * Creates a strip. Runs synchronously; the same bands always return the same bytes.
 * @param firstRow the strip's first row in the picture
 */
export function createPngStrip(
  { width, channels }: Omit<RowLayout, "height">,
  firstRow: number,
): PngStrip {
  const deflater = new BandDeflater(width * channels, channels, DEFAULT_LEVEL, firstRow === 0);
  const frame = new ZlibFrame();
  return {
    band(rows) {
      const band = deflater.deflate(rows);
      frame.add(band);
      return band.deflated;
    },
    sum: () => frame.sum(),
  };
}

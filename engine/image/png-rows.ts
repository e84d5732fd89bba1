/**
 * Rows of pixels, each filtered as PNG has it, as one zlib stream (RFC 1950) that is made in bands:
 * what PNG's IDAT chunks hold, and a PDF's images with predictor 15.
 */
import { BandDeflater } from "./png-band.ts";
import { type PixelPeriod, repeatedBands } from "./png-repeats.ts";
import { ZLIB_HEADER, ZlibFrame } from "./zlib-frame.ts";

export interface RowLayout {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** 8 bits each. */
  readonly channels: 1 | 2 | 3 | 4;
}

export interface PngRows {
  /**
   * Pieces of the stream for the next rows: any number of whole ones, tightly packed. Rows in which
   * matching pays are compressed by another thread unless they are the whole picture; they have been
   * read when this returns, and the next ones need not wait. Throws `RangeError` for a part of a row
   * or too many rows.
   */
  band(rows: Uint8Array): readonly Uint8Array[] | Promise<readonly Uint8Array[]>;
  /**
   * Pieces for all rows, of a picture that repeats a period; the same ones over and over. In place
   * of `band`. Throws `RangeError` for a period of other channels or not of whole bytes, and after a
   * band.
   */
  repeating(period: PixelPeriod): Iterable<Uint8Array>;
  /** The end of the stream. Throws `RangeError` while rows are missing. */
  end(): readonly Uint8Array[];
}

/**
 * The first deflate level that matches lazily, four times as fast as 6 for files larger by a few
 * percent.
 */
export const LAZY = 4;

/**
 * Starts a stream. It always has the same bytes for the same bands.
 * @param level deflate level 1…9 for bands where matching pays, such as flat drawings
 */
export function createPngRows({ width, height, channels }: RowLayout, level = LAZY): PngRows {
  const stride = width * channels;
  const deflater = new BandDeflater(stride, channels, level);
  const frame = new ZlibFrame();
  let missing = height;
  return {
    band(rows) {
      const count = rows.length / stride;
      if (count === 0 || !Number.isInteger(count) || count > missing) {
        throw new RangeError(`expected 1 to ${missing} rows of ${stride} bytes, got ${count} rows`);
      }
      const start = missing === height ? [ZLIB_HEADER] : [];
      missing -= count;
      // To hand over the only band would cost and gain nothing.
      const band = count === height ? deflater.deflate(rows) : deflater.deflateAside(rows);
      frame.add(band);
      const { deflated } = band;
      return deflated instanceof Promise
        ? deflated.then((bytes) => [...start, bytes])
        : [...start, deflated];
    },
    *repeating(period) {
      const fits = period.channels === channels && Number.isInteger(period.width);
      if (missing !== height || !fits) {
        throw new RangeError(`expected a whole picture of ${channels} channels to repeat`);
      }
      yield ZLIB_HEADER;
      for (const band of repeatedBands(period, { width, height }, level)) {
        frame.add(band);
        yield band.deflated;
      }
      missing = 0;
    },
    end() {
      if (missing > 0) throw new RangeError(`${missing} rows are missing`);
      return frame.end();
    },
  };
}

/**
 * Compresses a sheet that repeats a period into bands of a PNG's zlib stream: each band of the period
 * is compressed once, from the period's width of its rows, and reused for every period below.
 */
import { constants, deflateRawSync } from "node:zlib";
import { newBytes, reusedArray } from "../../reused-array.ts";
import type { Size } from "../../size.ts";
import { type DeflatedBand, filteredBytes, ZLIB_CHUNK_BYTES } from "./band.ts";
import { ADLER_START, adler32, adler32Combined, adler32Repeated } from "./deflate/adler.ts";
import { deflateLiterals, deflateRepeats, MAX_DISTANCE, MIN_TAIL } from "./deflate/repeats.ts";
import type { StreamSum } from "./deflate/zlib-frame.ts";
import { chooseCoding } from "./filter-selection.ts";
import { filterRows, type PixelRows, SUB } from "./filters.ts";

/** A period that a sheet repeats from its top left corner, as bytes. */
export interface PixelPeriod extends Size {
  readonly channels: 1 | 2 | 3 | 4;
  /** Returns rows, tightly packed, 8 bits a channel, in memory that the next call may use again. */
  rows(first: number, count: number): Uint8Array;
}

/** Most bytes of a band, at the period's width and at the sheet's. */
const PERIOD_BAND_BYTES = 1 << 20;
const SHEET_BAND_BYTES = 1 << 24;

/** A band, and a number that equal bands have in common. */
export interface RepeatedBand extends StreamSum {
  readonly number: number;
  /** See `DeflatedBand`, in memory that the next band uses again; null if an equal band was yielded before. */
  readonly deflated: Uint8Array | null;
}

/**
 * Yields the bands of a sheet from top to bottom.
 * @param sheet size in pixels
 * @param level deflate level 1…9 for bands where matching pays
 */
export function* repeatedBands(
  period: PixelPeriod,
  sheet: Size,
  level: number,
): Generator<RepeatedBand> {
  const stride = period.width * period.channels;
  const rowsOfPiece = Math.max(
    1,
    Math.floor(
      Math.min(PERIOD_BAND_BYTES / stride, SHEET_BAND_BYTES / (sheet.width * period.channels)),
    ),
  );
  const made = new Map<number, RepeatedBand>();
  let number = 0;
  for (let top = 0; top < sheet.height; top += period.height) {
    const rows = Math.min(period.height, sheet.height - top);
    for (let first = 0; first < rows; first += rowsOfPiece) {
      const whole = Math.min(rowsOfPiece, period.height - first);
      const count = Math.min(whole, rows - first);
      const known = count === whole ? made.get(first) : undefined;
      if (known !== undefined) {
        yield known;
        continue;
      }
      const band = { number, ...makeBand(period, sheet.width, { first, count }, level) };
      if (count === whole) made.set(first, { ...band, deflated: null });
      yield band;
      number++;
    }
  }
}

interface RowRange {
  readonly first: number;
  readonly count: number;
}

function makeBand(
  period: PixelPeriod,
  sheetWidth: number,
  part: RowRange,
  level: number,
): DeflatedBand {
  const { channels } = period;
  const stride = period.width * channels;
  const { first, count } = part;
  const above = first === 0 ? new Uint8Array(stride) : period.rows(first - 1, 1).slice();
  const rows = { bytes: period.rows(first, count), stride, pixelBytes: channels, above };
  const choice = chooseCoding(rows, level);
  // On the sheet the period's first row is either the topmost or below the period's last row.
  const typeOf = (row: number) => (first + row === 0 ? Math.min(choice.type, SUB) : choice.type);
  // One more pixel: filters see no left neighbour at the sheet's edge.
  const headPixels = period.width + 1;
  const tailLength = (sheetWidth - headPixels) * channels;
  const isCopyable = stride <= MAX_DISTANCE && tailLength >= MIN_TAIL;
  if (isCopyable && !choice.matching) {
    const heads = filterRows(widened(rows, headPixels), typeOf, filteredBytes);
    return repeatedRows(heads, { stride, tailLength, channels });
  }
  const filtered = filterRows(widened(rows, sheetWidth), typeOf, filteredBytes);
  return wholeRows(filtered, sheetWidth * channels, choice.matching, level);
}

/** Returns memory for the widened rows of a band, until those of the next one. */
const widenedBytes = reusedArray(newBytes, 1 << 22);

/** Repeats rows horizontally to `width` pixels. */
function widened({ bytes, stride, pixelBytes, above }: PixelRows, width: number): PixelRows {
  const wide = width * pixelBytes;
  const widen = (rows: Uint8Array, allocate = newBytes) => {
    const widened = allocate((rows.length / stride) * wide);
    for (let from = 0, to = 0; from < rows.length; from += stride) {
      for (let at = 0; at < wide; at += stride) {
        const part = Math.min(stride, wide - at);
        widened.set(rows.subarray(from, from + part), to + at);
      }
      to += wide;
    }
    return widened;
  };
  return { bytes: widen(bytes, widenedBytes), stride: wide, pixelBytes, above: widen(above) };
}

/** Compresses filtered rows of a period and one pixel, each followed by a tail that repeats it. */
function repeatedRows(
  heads: Uint8Array,
  {
    stride,
    tailLength,
    channels,
  }: { readonly stride: number; readonly tailLength: number; readonly channels: number },
): DeflatedBand {
  const headLength = 1 + stride + channels;
  const repeated = stride + tailLength;
  const [times, rest] = [Math.floor(repeated / stride), repeated % stride];
  let adler = ADLER_START;
  for (let from = 0; from < heads.length; from += headLength) {
    // After the filter type and the first pixel the row repeats.
    const start = from + 1 + channels;
    const end = adler32(heads.subarray(start, start + rest));
    const other = adler32(heads.subarray(start + rest, from + headLength));
    const one = adler32Combined(end, other, stride - rest);
    adler = adler32Combined(adler, adler32(heads.subarray(from, start)), 1 + channels);
    adler = adler32Combined(adler, adler32Repeated(one, stride, times), times * stride);
    adler = adler32Combined(adler, end, rest);
  }
  return {
    deflated: deflateRepeats({ heads, headLength, tailLength, distance: stride }),
    adler,
    length: (heads.length / headLength) * (headLength + tailLength),
  };
}

/** Compresses filtered rows of full width without references to earlier bytes. */
function wholeRows(
  filtered: Uint8Array,
  stride: number,
  matching: boolean,
  level: number,
): DeflatedBand {
  const deflated = matching
    ? deflateRawSync(filtered, {
        finishFlush: constants.Z_FULL_FLUSH,
        chunkSize: ZLIB_CHUNK_BYTES,
        memLevel: 9,
        level,
      })
    : deflateLiterals(filtered, 1 + stride);
  return { deflated, adler: adler32(filtered), length: filtered.length };
}

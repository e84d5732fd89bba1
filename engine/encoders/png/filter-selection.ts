/**
 * Chooses the filter and compression of a band from a few of its rows, trading size against time.
 *
 * On photographs matching finds next to nothing and takes most of the time: with zlib, Huffman codes
 * alone made files half as large as sharp's default at twice its speed (measured at 2048² with light
 * noise). On flat drawings matching is everything.
 *
 * A filter per row instead of per band, measured on unmatched bands of photographs, presets and mixes
 * of both: the filter of least entropy makes files 1 % smaller on average (from 6 % smaller to 9 %
 * larger; photographs 0.5 to 2.5 % smaller), that of the least sum of absolute differences 0.5 %;
 * without Paeth files are larger. Filtering each row five ways took 1.5 to 4 times as long. On matched
 * bands files grew by up to 28 %. So a band has one filter.
 */
import { deflateRawSync } from "node:zlib";
import { NONE, PAETH, type PixelRows, RowFilter, TYPES } from "./filters.ts";

/** Most spots of a band that are tried, and approximate bytes of each. */
const SPOTS = 4;
const SPOT_BYTES = 4096;

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Paeth takes about a third more time overall, so it has to shrink the file to this ratio. */
const PAETH_ADVANTAGE = 0.95;

/** Matching takes two to four times as long, so it has to shrink the file to this ratio. */
const MATCHING_ADVANTAGE = 0.9;

/** Of zlib's window: as long as the longest sample. The default one is twice as long and takes longer to clear. */
const SAMPLE_WINDOW_BITS = Math.log2(SPOTS * SPOT_BYTES);

export interface BandCoding {
  /** The filter type in the file. */
  readonly type: number;
  /** Whether matching pays. */
  readonly matching: boolean;
}

/**
 * Tries all filters on samples of the band and returns the one that leaves the least entropy. If
 * matching does better on that, or without a filter, tries matching after each filter: in drawings the
 * pixels may repeat better than their differences.
 * @param level deflate level 1…9 of matching
 */
export function chooseCoding(rows: PixelRows, level: number): BandCoding {
  const samples = TYPES.map((type) => sample(rows, type));
  const ideal = samples.map(entropy);
  const fast = Math.min(...ideal.slice(0, PAETH));
  const best = ideal[PAETH] < fast * PAETH_ADVANTAGE ? PAETH : ideal.indexOf(fast);
  // A Huffman code takes at least one bit per byte.
  const coded = Math.max(ideal[best], samples[best].length / 8);
  const matched = (bytes: Uint8Array) =>
    deflateRawSync(bytes, { level, windowBits: SAMPLE_WINDOW_BITS }).length;
  const pays = (type: number) => matched(samples[type]) < coded;
  if (!pays(best) && !pays(NONE)) return { type: best, matching: false };
  const lengths = samples.map(matched);
  const shortest = Math.min(...lengths);
  return shortest < coded * MATCHING_ADVANTAGE
    ? { type: lengths.indexOf(shortest), matching: true }
    : { type: best, matching: false };
}

/** Returns the size in bytes of an ideal order-0 code of `bytes`. */
function entropy(bytes: Uint8Array): number {
  const counts = new Uint32Array(256);
  for (let at = 0; at < bytes.length; at += 1) counts[bytes[at]] += 1;
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= count * Math.log2(count / bytes.length);
  return bits / 8;
}

function sample(
  { bytes: rows, stride, pixelBytes, above: last }: PixelRows,
  type: number,
): Uint8Array {
  const count = rows.length / stride;
  const width = Math.min(stride, SPOT_BYTES);
  const spots = Math.min(SPOTS, count);
  const each = Math.min(Math.max(1, Math.floor(SPOT_BYTES / stride)), Math.floor(count / spots));
  const sample = new Uint8Array(spots * each * width);
  for (let spot = 0, to = 0; spot < spots; spot += 1) {
    // Each lies in a part of its own, at no simple share of the band: there a pattern's rows are equal by
    // translations and mirrors, which are farther apart than matches reach.
    const part = count / spots;
    const first = Math.floor(spot * part + (part - each) * (((spot + 1) * GOLDEN) % 1));
    const left = Math.floor(((stride - width) * (spot + 0.5)) / spots);
    const top = first * stride + left;
    const over = first === 0 ? last.subarray(left) : rows.subarray(top - stride);
    const filter = new RowFilter(over.subarray(0, width), pixelBytes);
    for (let from = top; from < top + each * stride; from += stride, to += width) {
      sample.set(filter.next(rows.subarray(from, from + width), type), to);
    }
  }
  return sample;
}

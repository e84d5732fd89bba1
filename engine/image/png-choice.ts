/**
 * How a band of rows is filtered and compressed: chosen from a few of its rows, by size against time.
 *
 * On photographs matching finds next to nothing and costs most of the time: Huffman codes alone
 * gave files half as large as sharp's default at twice its speed when zlib made them (measured at
 * 2048² with light noise). On flat drawings matching is everything.
 *
 * A filter for each row, instead of one for a band, was measured on photographs, presets and pictures
 * that mix them, where bands are not matched. The one that leaves the least entropy in each row makes
 * files smaller by 1 % in the mean (from 6 % smaller to 9 % larger; photographs by 0.5 to 2.5 %), the
 * one with the least sum of absolute differences by 0.5 %; without Paeth files are larger. As each row
 * is filtered five ways, all took 1.5 to 4 times as long. Where matching pays, files got up to 28 %
 * larger. So a band has one filter.
 */
import { deflateRawSync } from "node:zlib";
import {
  FILTERS,
  PAETH,
  type PaddedRow,
  type PixelRows,
  paddedRow,
  ROW_START,
} from "./png-filters.ts";

/** Places in a band that are looked at, and about how many bytes at each. */
const SPOTS = 4;
const SPOT_BYTES = 4096;

/** Paeth takes about a third more time in all, so it has to make the file smaller by this much. */
const PAETH_ADVANTAGE = 0.95;

/** Matching takes two to four times as long, so it has to make the file smaller by this much. */
const MATCHING_ADVANTAGE = 0.9;

export interface BandCoding {
  /** The filter's number in the file. */
  readonly type: number;
  /** Whether it pays to look for what came before. */
  readonly matching: boolean;
}

/**
 * Tries all filters on a few places of the band and keeps the one that leaves the least entropy.
 * Where matching does as well on that, it is tried on what each filter leaves: in drawings the
 * pixels themselves may repeat better than their differences.
 * @param level deflate level 1…9 of matching
 */
export function chooseCoding(rows: PixelRows, level: number): BandCoding {
  const samples = FILTERS.map((_, type) => sample(rows, type));
  const ideal = samples.map(entropy);
  const fast = Math.min(...ideal.slice(0, PAETH));
  const best = ideal[PAETH] < fast * PAETH_ADVANTAGE ? PAETH : ideal.indexOf(fast);
  // A Huffman code spends at least one bit on a byte.
  const coded = Math.max(ideal[best], samples[best].length / 8);
  const matched = (bytes: Uint8Array) => deflateRawSync(bytes, { level }).length;
  if (matched(samples[best]) >= coded) return { type: best, matching: false };
  const lengths = samples.map(matched);
  const shortest = Math.min(...lengths);
  return shortest < coded * MATCHING_ADVANTAGE
    ? { type: lengths.indexOf(shortest), matching: true }
    : { type: best, matching: false };
}

/** Bytes that an ideal code for single bytes needs for `bytes`. */
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
  const each = Math.min(Math.max(1, Math.floor(SPOT_BYTES / stride)), Math.ceil(count / SPOTS));
  const sample = new Uint8Array(SPOTS * each * width);
  const [row, above, line]: PaddedRow[] = [paddedRow(width), paddedRow(width), paddedRow(width)];
  for (let spot = 0, to = 0; spot < SPOTS; spot += 1) {
    const first = Math.floor(((count - each) * (spot + 0.5)) / SPOTS);
    const left = Math.floor(((stride - width) * (spot + 0.5)) / SPOTS);
    for (let number = first; number < first + each; number += 1, to += width) {
      const from = number * stride + left;
      const over = number === 0 ? last.subarray(left) : rows.subarray(from - stride);
      row.bytes.set(rows.subarray(from, from + width), ROW_START);
      above.bytes.set(over.subarray(0, width), ROW_START);
      FILTERS[type](row, above, pixelBytes, line);
      sample.set(line.bytes.subarray(ROW_START, ROW_START + width), to);
    }
  }
  return sample;
}

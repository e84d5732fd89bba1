/**
 * One band of rows as a piece of a PNG's compressed stream. How it is filtered and compressed is
 * chosen for each band from a few of its rows, by size against time.
 *
 * On photographs matching finds next to nothing and costs most of the time: Huffman codes alone
 * gave files half as large as sharp's default at twice its speed (measured at 2048² with light
 * noise). On flat drawings matching is everything.
 */
import { constants, deflateRawSync } from "node:zlib";
import { adler32 } from "./adler.ts";
import { FILTERS, LINE_START, type Line, lineOf } from "./png-filters.ts";

/** Bytes that deflate can look back on. */
const WINDOW = 32768;

/** Places in a band that are looked at, and about how many bytes at each. */
const SPOTS = 4;
const SPOT_BYTES = 4096;

/** The filter's number in the file. */
const PAETH = 4;

/** Paeth takes about a third more time in all, so it has to make the file smaller by this much. */
const PAETH_ADVANTAGE = 0.95;

/** Matching takes two to four times as long, so it has to make the file smaller by this much. */
const MATCHING_ADVANTAGE = 0.9;

export interface Band {
  /** Raw deflate, ending on a byte without a final block, so that bands can be put in a row. */
  readonly deflated: Uint8Array;
  /** Adler-32 of the band's filtered bytes, as if nothing had come before. */
  readonly adler: number;
  /** Filtered bytes. */
  readonly length: number;
}

/** Bytes that an ideal code for single bytes needs for `bytes`. */
function entropy(bytes: Uint8Array): number {
  const counts = new Uint32Array(256);
  for (let at = 0; at < bytes.length; at += 1) counts[bytes[at]] += 1;
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= count * Math.log2(count / bytes.length);
  return bits / 8;
}

/** Filters and compresses the bands of one picture from top to bottom. */
export class BandDeflater {
  readonly #stride: number;
  readonly #pixelBytes: number;
  readonly #level: number;
  /** The last row of the band before; zeros at first, as the standard has it. */
  readonly #last: Uint8Array;
  /** The end of the filtered bytes so far, which matches may reach back to. */
  #window = new Uint8Array(0);

  /**
   * @param stride bytes of a row
   * @param pixelBytes bytes of a pixel, 1, 3 or 4
   * @param level deflate level 1…9 for bands that matching makes smaller
   */
  constructor(stride: number, pixelBytes: number, level: number) {
    this.#stride = stride;
    this.#pixelBytes = pixelBytes;
    this.#level = level;
    this.#last = new Uint8Array(stride);
  }

  /** The next whole rows, tightly packed. */
  deflate(rows: Uint8Array): Band {
    const { type, matching } = this.#choose(rows);
    const filtered = this.#filter(rows, type);
    const deflated = deflateRawSync(filtered, {
      finishFlush: constants.Z_SYNC_FLUSH,
      chunkSize: filtered.length + 1024,
      memLevel: 9,
      ...(matching
        ? { level: this.#level, ...(this.#window.length > 0 && { dictionary: this.#window }) }
        : { level: 1, strategy: constants.Z_HUFFMAN_ONLY }),
    });
    this.#last.set(rows.subarray(rows.length - this.#stride));
    this.#window = filtered.slice(-WINDOW);
    return { deflated, adler: adler32(filtered), length: filtered.length };
  }

  #filter(rows: Uint8Array, type: number): Uint8Array {
    const stride = this.#stride;
    const filtered = new Uint8Array(rows.length + rows.length / stride);
    let row = lineOf(stride);
    let above = lineOf(stride);
    const line = lineOf(stride);
    const result = line.bytes.subarray(LINE_START, LINE_START + stride);
    above.bytes.set(this.#last, LINE_START);
    for (let from = 0, to = 0; from < rows.length; from += stride, to += stride + 1) {
      row.bytes.set(rows.subarray(from, from + stride), LINE_START);
      FILTERS[type](row, above, this.#pixelBytes, line);
      filtered[to] = type;
      filtered.set(result, to + 1);
      [row, above] = [above, row];
    }
    return filtered;
  }

  /**
   * Tries all filters on a few places of the band and keeps the one that leaves the least entropy.
   * Where matching does as well on that, it is tried on what each filter leaves: in drawings the
   * pixels themselves may repeat better than their differences.
   */
  #choose(rows: Uint8Array): { type: number; matching: boolean } {
    const samples = FILTERS.map((_, type) => this.#sample(rows, type));
    const ideal = samples.map(entropy);
    const fast = Math.min(...ideal.slice(0, PAETH));
    const best = ideal[PAETH] < fast * PAETH_ADVANTAGE ? PAETH : ideal.indexOf(fast);
    // A Huffman code spends at least one bit on a byte.
    const coded = Math.max(ideal[best], samples[best].length / 8);
    const matched = (sample: Uint8Array) => deflateRawSync(sample, { level: this.#level }).length;
    if (matched(samples[best]) >= coded) return { type: best, matching: false };
    const lengths = samples.map(matched);
    const shortest = Math.min(...lengths);
    return shortest < coded * MATCHING_ADVANTAGE
      ? { type: lengths.indexOf(shortest), matching: true }
      : { type: best, matching: false };
  }

  #sample(rows: Uint8Array, type: number): Uint8Array {
    const stride = this.#stride;
    const count = rows.length / stride;
    const width = Math.min(stride, SPOT_BYTES);
    const each = Math.min(Math.max(1, Math.floor(SPOT_BYTES / stride)), Math.ceil(count / SPOTS));
    const sample = new Uint8Array(SPOTS * each * width);
    const [row, above, line]: Line[] = [lineOf(width), lineOf(width), lineOf(width)];
    for (let spot = 0, to = 0; spot < SPOTS; spot += 1) {
      const first = Math.floor(((count - each) * (spot + 0.5)) / SPOTS);
      const left = Math.floor(((stride - width) * (spot + 0.5)) / SPOTS);
      for (let number = first; number < first + each; number += 1, to += width) {
        const from = number * stride + left;
        const over = number === 0 ? this.#last.subarray(left) : rows.subarray(from - stride);
        row.bytes.set(rows.subarray(from, from + width), LINE_START);
        above.bytes.set(over.subarray(0, width), LINE_START);
        FILTERS[type](row, above, this.#pixelBytes, line);
        sample.set(line.bytes.subarray(LINE_START, LINE_START + width), to);
      }
    }
    return sample;
  }
}

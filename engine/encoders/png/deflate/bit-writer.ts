/**
 * Writes bits in deflate's order (RFC 1951 §3.1.1): each byte is filled from its lowest bit. A bit
 * string and its length are packed in one number.
 */

/** Packs up to 24 bits, first bit lowest, with their count in the highest byte. */
export const bitString = (bits: number, count: number) => bits | (count << 24);

const BITS = 0xffffff;
const MOST_BITS = 24;

/** Returns the same bits in as few strings as hold them in their order. */
export function joinedBits(bitStrings: readonly number[]): Uint32Array {
  const joined: number[] = [];
  let held = 0;
  let count = 0;
  for (const next of bitStrings) {
    const length = next >>> 24;
    if (count + length > MOST_BITS) {
      joined.push(bitString(held, count));
      held = 0;
      count = 0;
    }
    held |= (next & BITS) << count;
    count += length;
  }
  if (count > 0) joined.push(bitString(held, count));
  return Uint32Array.from(joined);
}

export class BitWriter {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  /** Whole bytes written; `#held` has the `#count` (0…7) bits after them. */
  #at = 0;
  #held = 0;
  #count = 0;

  /** @param output 4 bytes longer than the bits can become: writes go in 32-bit words */
  constructor(output: Uint8Array) {
    this.#bytes = output;
    this.#view = new DataView(output.buffer, output.byteOffset, output.length);
  }

  put(bitStrings: ArrayLike<number>): void {
    for (let k = 0; k < bitStrings.length; k++) {
      const held = this.#held | ((bitStrings[k] & BITS) << this.#count);
      const count = this.#count + (bitStrings[k] >>> 24);
      this.#view.setInt32(this.#at, held, true);
      this.#at += count >>> 3;
      this.#held = held >>> (count & 24);
      this.#count = count & 7;
    }
  }

  /**
   * Writes the codes of symbols `from` … `to` − 1, bit strings of at most 16 bits. Takes two symbols at a time and
   * stores unconditionally: a branch on "whole bytes ready" is mispredicted too often to pay.
   */
  putCoded(symbols: Uint8Array, from: number, to: number, codes: Uint32Array): void {
    const view = this.#view;
    let at = this.#at;
    let held = this.#held;
    let count = this.#count;
    const even = to - ((to - from) & 1);
    for (let k = from; k < even; k += 2) {
      const first = codes[symbols[k]];
      const second = codes[symbols[k + 1]];
      const length = first >>> 24;
      const both = length + (second >>> 24);
      if (both <= 24) {
        held |= ((first & BITS) | ((second & BITS) << length)) << count;
        count += both;
      } else {
        held |= (first & BITS) << count;
        count += length;
        view.setInt32(at, held, true);
        at += count >>> 3;
        held = (held >>> (count & 24)) | ((second & BITS) << (count & 7));
        count = (count & 7) + (second >>> 24);
      }
      view.setInt32(at, held, true);
      at += count >>> 3;
      held >>>= count & 24;
      count &= 7;
    }
    this.#at = at;
    this.#held = held;
    this.#count = count;
    if (even < to) this.put([codes[symbols[even]]]);
  }

  /** Returns the bytes written, the last one padded with zeros, as a view of `output`. */
  end(): Uint8Array {
    return this.#bytes.subarray(0, this.#at + (this.#count > 0 ? 1 : 0));
  }
}

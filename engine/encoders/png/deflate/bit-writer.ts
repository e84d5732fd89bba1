/**
 * Writes bits in deflate's order (RFC 1951 §3.1.1): each byte is filled from its lowest bit. A bit
 * string and its length are packed in one number.
 */
import { LENGTH_BITS } from "./literal-code.ts";
import { type BitsEnd, writeCodes } from "./literals.ts";

/** Packs up to 24 bits, first bit lowest, and below them their count. */
export const bitString = (bits: number, count: number) => (bits << LENGTH_BITS) | count;

const LENGTH = (1 << LENGTH_BITS) - 1;
const MOST_BITS = 24;

/** Returns the same bits in as few strings as hold them in their order. */
export function joinedBits(bitStrings: readonly number[]): Uint32Array {
  const joined: number[] = [];
  let held = 0;
  let count = 0;
  for (const next of bitStrings) {
    const length = next & LENGTH;
    if (count + length > MOST_BITS) {
      joined.push(bitString(held, count));
      held = 0;
      count = 0;
    }
    held |= (next >>> LENGTH_BITS) << count;
    count += length;
  }
  if (count > 0) joined.push(bitString(held, count));
  return Uint32Array.from(joined);
}

export class BitWriter {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #end: BitsEnd = { bits: 0, count: 0, at: 0 };

  /** @param output 4 bytes longer than the bits can become: writes go in 32-bit words */
  constructor(output: Uint8Array) {
    this.#bytes = output;
    this.#view = new DataView(output.buffer, output.byteOffset, output.length);
  }

  put(bitStrings: ArrayLike<number>): void {
    const end = this.#end;
    for (let k = 0; k < bitStrings.length; k++) {
      const held = end.bits | ((bitStrings[k] >>> LENGTH_BITS) << end.count);
      const count = end.count + (bitStrings[k] & LENGTH);
      this.#view.setInt32(end.at, held, true);
      end.at += count >>> 3;
      end.bits = held >>> (count & 24);
      end.count = count & 7;
    }
  }

  /** Writes the codes of bytes. @param codes bit strings of at most 15 bits, the first 256 those of the bytes */
  putCoded(bytes: Uint8Array, codes: Uint32Array): void {
    const whole = writeCodes(bytes, codes, this.#bytes, this.#end);
    for (let at = whole; at < bytes.length; at++) this.put([codes[bytes[at]]]);
  }

  /** Returns the bytes written, the last one padded with zeros, as a view of `output`. */
  end(): Uint8Array {
    const { bits, count, at } = this.#end;
    if (count === 0) return this.#bytes.subarray(0, at);
    this.#bytes[at] = bits;
    return this.#bytes.subarray(0, at + 1);
  }
}

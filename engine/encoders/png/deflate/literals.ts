/** Counts bytes and writes their prefix codes by WebAssembly: 64 bits are held at a time, which JavaScript cannot. */
import { createLiteralMemory, GROUP, type LiteralMemory, MOST } from "./literal-code.ts";

/** Made at the first use. */
let made: LiteralMemory | undefined;
/** The codes in it. */
let loadedCodes: Uint32Array | undefined;

function literals(): LiteralMemory {
  made ??= createLiteralMemory();
  return made;
}

/** Adds a histogram of `bytes` to `counts`. */
export function countBytes(bytes: Uint8Array, counts: Uint32Array): void {
  const { bytes: memory, counts: tables, count } = literals();
  tables.fill(0);
  const whole = forGroups(bytes, (some) => {
    memory.set(some);
    count(some.length);
  });
  for (let at = whole; at < bytes.length; at++) counts[bytes[at]]++;
  for (let entry = 0; entry < tables.length; entry++) counts[entry & 255] += tables[entry];
}

/** Where some bits end: bits after the last whole byte, their number 0…7, and whole bytes. */
export interface BitsEnd {
  bits: number;
  count: number;
  at: number;
}

/**
 * Writes the codes of bytes at `end`, and advances it. Returns how many bytes are coded: up to three remain.
 * @param codes that of each byte, at most 15 bits, as `bitString` packs them; must not change later
 */
export function writeCodes(
  bytes: Uint8Array,
  codes: Uint32Array,
  output: Uint8Array,
  end: BitsEnd,
): number {
  const { bytes: memory, codes: entries, coded, state, encode } = literals();
  if (loadedCodes !== codes) {
    entries.set(codes.subarray(0, entries.length));
    loadedCodes = codes;
  }
  return forGroups(bytes, (some) => {
    memory.set(some);
    encode(some.length, end.bits, end.count);
    output.set(coded.subarray(0, state[2]), end.at);
    end.bits = state[0];
    end.count = state[1];
    end.at += state[2];
  });
}

/** Calls `use` with parts of whole groups, and returns how many bytes they have. */
function forGroups(bytes: Uint8Array, use: (some: Uint8Array) => void): number {
  const whole = bytes.length - (bytes.length % GROUP);
  for (let from = 0; from < whole; from += MOST)
    use(bytes.subarray(from, Math.min(from + MOST, whole)));
  return whole;
}

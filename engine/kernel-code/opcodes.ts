/** Opcodes of WebAssembly that gpu.js's emitter lacks. */

export const RELAXED_LANESELECT = [0xfd, 0x8b, 0x02];
const RELAXED_TRUNCATE = [0xfd, 0x81, 0x02];
export const SATURATING_TRUNCATE = [0xfd, 0xf8, 0x01];

/** A module with a function that truncates a vector. */
const RELAXED_MODULE = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...[0x01, 0x06, 0x01, 0x60, 0x01, 0x7b, 0x01, 0x7b, 0x03, 0x02, 0x01, 0x00],
  ...[0x0a, 0x09, 0x01, 0x07, 0x00, 0x20, 0x00, ...RELAXED_TRUNCATE, 0x0b],
);
export const hasRelaxed =
  typeof WebAssembly !== "undefined" && WebAssembly.validate(RELAXED_MODULE);

/** An alignment of 2² bytes follows the opcode; the offset, and the lane, come after that. */
export const LOAD32_ZERO = [0xfd, 0x5c, 2];
export const LOAD32_LANE = [0xfd, 0x56, 2];
export const SHUFFLE = [0xfd, 0x0d];
/** Multiplies eight 16-bit numbers, and adds the products of each pair. */
export const DOT = [0xfd, 0xba, 0x01];
/** Extend the first eight bytes of a vector, and the last eight, to 16-bit numbers. */
export const EXTEND_BYTES = [
  [0xfd, 0x89, 0x01],
  [0xfd, 0x8a, 0x01],
];

/** Bytes of a shuffle's result that interleaves the lower halves of two vectors, and the upper ones: 16…31 are the second's. */
const interleaved = (bytes: number) =>
  [0, 8].map((half) =>
    Array.from({ length: 16 }, (_, at) => {
      const item = Math.floor(at / bytes);
      return half + 16 * (item % 2) + bytes * Math.floor(item / 2) + (at % bytes);
    }),
  );
export const PAIRS = interleaved(2);
export const WORDS = interleaved(4);
export const HALVES = interleaved(8);
/** The bytes of a shuffle's result that repeats one of four numbers. */
export const lanesOf = (lane: number) =>
  Array.from({ length: 16 }, (_, byte) => 4 * lane + (byte % 4));

/** Truncates four numbers that integers hold. */
export const TRUNCATE = hasRelaxed ? RELAXED_TRUNCATE : SATURATING_TRUNCATE;

/** Returns an unsigned number as WebAssembly stores it: 7 bits a byte, the lowest first. */
export function leb128(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push(128 + (rest % 128));
  bytes.push(rest);
  return bytes;
}

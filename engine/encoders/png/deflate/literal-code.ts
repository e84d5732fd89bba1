/** The WebAssembly module that counts bytes and writes their prefix codes. */

import {
  ADD,
  type Code,
  constant,
  createInstance,
  ELSE,
  END,
  get,
  IF,
  increase,
  type ModuleFunction,
  memoryAccess,
  SHIFT_LEFT,
  set,
  whileBelow,
} from "../../../kernel-code/module-code.ts";

/** Bytes that are counted or coded at once, of which there are whole groups. */
export const GROUP = 4;

/** Most bytes at once. */
export const MOST = 32768;

/** The lowest bits of a code's number: its length. The code follows them. */
export const LENGTH_BITS = 6;

/** Most bytes that are written: 15 bits a code, and what is written beyond the last one. */
const MOST_CODED = (MOST * 15) / 8 + 8;

/** Where everything lies in the memory, in bytes. */
const CODES = 0;
const COUNTS = CODES + 4 * 256;
const STATE = COUNTS + GROUP * 4 * 256;
const BYTES = STATE + 16;
const CODED = BYTES + MOST;
const PAGES = Math.ceil((CODED + MOST_CODED) / 65536);

const load8 = (from: number) => memoryAccess(0x2d, 0, from);
const load32 = (from: number) => memoryAccess(0x28, 2, from);
const store32 = (to: number) => memoryAccess(0x36, 2, to);
const loadLong32 = (from: number) => memoryAccess(0x35, 2, from);
const storeLong = (to: number) => memoryAccess(0x37, 0, to);
const longConstant = (value: number): Code => [0x42, ...constant(value).slice(1)];
const ABOVE_LONG = 0x56;
const ADD_LONG = 0x7c;
const AND_LONG = 0x83;
const OR_LONG = 0x84;
const SHIFT_LONG_LEFT = 0x86;
const SHIFT_LONG_RIGHT = 0x88;
const TO_LONG = 0xad;
const TO_NUMBER = 0xa7;

/** Puts the offset of a byte's entry in a table on the stack. */
const entryOf = (at: number, byte: number): Code => [
  ...[...get(at), ...load8(BYTES + byte), ...constant(2), SHIFT_LEFT],
];

/** Takes the number of bytes. Each byte of a group has a table of its own: increments of the same entry would wait for each other. */
function countFunction(): ModuleFunction {
  const [length, at, entry] = [0, 1, 2];
  return {
    name: "count",
    parameters: 1,
    locals: { numbers: 2, vectors: 0 },
    code: whileBelow(at, get(length), [
      ...[0, 1, 2, 3].flatMap((byte) => {
        const table = COUNTS + byte * 4 * 256;
        return [
          ...[...entryOf(at, byte), ...set(entry), ...get(entry)],
          ...[...get(entry), ...load32(table), ...constant(1), ADD, ...store32(table)],
        ];
      }),
      ...increase(at, GROUP),
    ]),
  };
}

/**
 * Takes the number of bytes, and the up to 7 bits that come first, with their number. Stores the bits after the last whole byte
 * that it has written, their number, and how many bytes it has written.
 */
function encodeFunction(): ModuleFunction {
  const [length, bits, bitCount] = [0, 1, 2];
  const [at, to] = [3, 4];
  const [held, count, total] = [5, 6, 7];
  const entries = [8, 9, 10, 11];
  const [pair, pairEntry] = [12, 13];
  /** The lowest bits of a sum of entries are the sum of their lengths, and a shift takes no others. */
  const lengthOf = (sum: Code): Code => [...sum, ...longConstant(63), AND_LONG];
  const codeOf = (entry: number): Code => [
    ...[...get(entry), ...longConstant(LENGTH_BITS), SHIFT_LONG_RIGHT],
  ];
  const pairOf = (first: number, second: number): Code => [
    ...[...codeOf(first), ...codeOf(second), ...get(first), SHIFT_LONG_LEFT, OR_LONG],
  ];
  const sumOf = (first: number, second: number): Code => [
    ...[...get(first), ...get(second), ADD_LONG],
  ];
  const hold = (code: Code): Code => [
    ...[...get(held), ...code, ...get(count), SHIFT_LONG_LEFT, OR_LONG, ...set(held)],
  ];
  const flush: Code = [
    ...[...get(to), ...get(held), ...storeLong(CODED)],
    ...[
      ...get(to),
      ...get(count),
      ...longConstant(3),
      SHIFT_LONG_RIGHT,
      TO_NUMBER,
      ADD,
      ...set(to),
    ],
    ...[...get(held), ...get(count), ...longConstant(56), AND_LONG, SHIFT_LONG_RIGHT, ...set(held)],
    ...[...get(count), ...longConstant(7), AND_LONG, ...set(count)],
  ];
  const [first, second, third, fourth] = entries;
  return {
    name: "encode",
    parameters: 3,
    locals: { numbers: 2, vectors: 0, longs: 9 },
    code: [
      ...[...get(bits), TO_LONG, ...set(held), ...get(bitCount), TO_LONG, ...set(count)],
      ...whileBelow(at, get(length), [
        ...entries.flatMap((entry, byte) => [
          ...[...entryOf(at, byte), ...loadLong32(CODES), ...set(entry)],
        ]),
        ...[...pairOf(first, second), ...set(pair), ...sumOf(first, second), ...set(pairEntry)],
        ...lengthOf([...get(pairEntry), ...sumOf(third, fourth), ADD_LONG]),
        ...[...get(count), ADD_LONG, ...set(total)],
        ...[...get(total), ...longConstant(63), ABOVE_LONG, ...IF],
        // Four long codes after seven bits: the first two make room.
        ...hold(get(pair)),
        ...[...get(count), ...lengthOf(get(pairEntry)), ADD_LONG, ...set(count), ...flush],
        ...hold(pairOf(third, fourth)),
        ...[...get(count), ...lengthOf(sumOf(third, fourth)), ADD_LONG, ...set(count)],
        ELSE,
        ...hold([
          ...[...get(pair), ...pairOf(third, fourth), ...get(pairEntry), SHIFT_LONG_LEFT, OR_LONG],
        ]),
        ...[...get(total), ...set(count)],
        END,
        ...flush,
        ...increase(at, GROUP),
      ]),
      ...[...constant(STATE), ...get(held), TO_NUMBER, ...store32(0)],
      ...[...constant(STATE), ...get(count), TO_NUMBER, ...store32(4)],
      ...[...constant(STATE), ...get(to), ...store32(8)],
    ],
  };
}

/** Memory in which bytes are counted and coded. */
export interface LiteralMemory {
  /** What `count` and `encode` read. */
  readonly bytes: Uint8Array;
  /** Counts of bytes, in `GROUP` tables that `count` adds to. */
  readonly counts: Uint32Array;
  /** The code of each byte: up to 15 bits, as `bitString` packs them. */
  readonly codes: Uint32Array;
  /** What `encode` has written. */
  readonly coded: Uint8Array;
  /** Bits after the last whole byte of `coded`, their number 0…7, and the number of whole bytes. */
  readonly state: Uint32Array;
  /** Counts the first bytes. @param length a multiple of `GROUP`, from `GROUP` on */
  count(length: number): void;
  /** Writes the codes of the first bytes after up to 7 bits. @param length a multiple of `GROUP`, from `GROUP` on */
  encode(length: number, bits: number, bitCount: number): void;
}

export function createLiteralMemory(): LiteralMemory {
  const { buffer, functions } = createInstance([countFunction(), encodeFunction()], PAGES);
  const { count, encode } = functions;
  return {
    bytes: new Uint8Array(buffer, BYTES, MOST),
    counts: new Uint32Array(buffer, COUNTS, GROUP * 256),
    codes: new Uint32Array(buffer, CODES, 256),
    coded: new Uint8Array(buffer, CODED, MOST_CODED),
    state: new Uint32Array(buffer, STATE, 3),
    count,
    encode,
  };
}

/** The WebAssembly module that filters rows with vectors. */
import {
  ADD,
  AND,
  type Code,
  constant,
  createInstance,
  get,
  increase,
  load,
  type ModuleFunction,
  SUBTRACT,
  set,
  store,
  vector,
  whileBelow,
} from "../../kernel-code/module-code.ts";
import { EXTEND_BYTES } from "../../kernel-code/opcodes.ts";

/** Bytes of a vector, which are filtered at once. */
const BLOCK = 16;

const XOR = vector(0x51);
const SELECT_BITS = vector(0x52);
const ONES = [...constant(1), ...vector(0x0f)];
const SUBTRACT_BYTES = vector(0x71);
const ROUNDED_MEAN = vector(0x7b);
const NARROW = vector(0x66);
const ADD_HALVES = vector(0x8e);
const SUBTRACT_HALVES = vector(0x91);
const ABSOLUTE = vector(0x80);
const SMALLER = vector(0x96);
const AT_MOST = vector(0x33);

/** Parameters: the length, and addresses of the row, of that above, of the result, and of the row's pixels on the left. */
const [LENGTH, ROW, ABOVE, INTO, LEFT] = [0, 1, 2, 3, 4];
const AT = 5;
/** Vectors: bytes on the left, above, and above on the left. */
const [A, B, C] = [6, 7, 8];
/** Their halves, and distances of a + b − c from each of them. */
const HALVES = [9, 10, 11];
const DISTANCES = [12, 13, 14];

const bytesAt = (address: number, more: Code = []): Code => [
  ...[...get(address), ...get(AT), ADD, ...more, ...load(0)],
];

/** Subtracts what `predicted` puts on the stack from each byte. */
const filterFunction = (name: string, predicted: Code): ModuleFunction => ({
  name,
  parameters: 5,
  locals: { numbers: 1, vectors: 9 },
  code: whileBelow(AT, get(LENGTH), [
    ...[...get(INTO), ...get(AT), ADD, ...bytesAt(ROW), ...predicted],
    ...[...SUBTRACT_BYTES, ...store(0), ...increase(AT, BLOCK)],
  ]),
});

/** Half of a + b, rounded down. */
const MEAN: Code = [
  ...[...bytesAt(LEFT), ...set(A), ...bytesAt(ABOVE), ...set(B)],
  ...[...get(A), ...get(B), ...ROUNDED_MEAN],
  ...[...get(A), ...get(B), ...XOR, ...ONES, ...AND, ...SUBTRACT_BYTES],
];

/** That of a, b and c from which a + b − c is the least distant, in this order. */
const paethOf = (half: number): Code => {
  const [a, b, c] = HALVES;
  const [fromA, fromB, fromC] = DISTANCES;
  return [
    ...[A, B, C].flatMap((bytes, n) => [
      ...[...get(bytes), ...EXTEND_BYTES[half], ...set(HALVES[n])],
    ]),
    ...[...get(b), ...get(c), ...SUBTRACT_HALVES, ...set(fromA)],
    ...[...get(a), ...get(c), ...SUBTRACT_HALVES, ...set(fromB)],
    ...[...get(fromA), ...get(fromB), ...ADD_HALVES, ...ABSOLUTE, ...set(fromC)],
    ...[...get(fromA), ...ABSOLUTE, ...set(fromA), ...get(fromB), ...ABSOLUTE, ...set(fromB)],
    ...get(a),
    ...[...get(b), ...get(c), ...get(fromB), ...get(fromC), ...AT_MOST, ...SELECT_BITS],
    ...[...get(fromA), ...get(fromB), ...get(fromC), ...SMALLER, ...AT_MOST, ...SELECT_BITS],
  ];
};
/** Bytes above on the left are as far from those above as the others are from the row. */
const ABOVE_LEFT = bytesAt(ABOVE, [...get(LEFT), ADD, ...get(ROW), SUBTRACT]);
const PAETH: Code = [
  ...[...bytesAt(LEFT), ...set(A), ...bytesAt(ABOVE), ...set(B), ...ABOVE_LEFT, ...set(C)],
  ...[...paethOf(0), ...paethOf(1), ...NARROW],
];

/** Two rows in memory, each after zeros, and a filtered one. */
export interface FilterMemory {
  /** Most bytes of a row. */
  readonly capacity: number;
  readonly rows: readonly [Uint8Array, Uint8Array];
  readonly filtered: Uint8Array;
  /**
   * Filters the first `length` bytes of a row.
   * @param type in the file, from 1 on
   * @param row the number of the row; the other one is that above
   */
  filter(type: number, row: 0 | 1, length: number, pixelBytes: number): void;
}

/** @param capacity most bytes of a row, a multiple of 16 */
export function createFilterMemory(capacity: number): FilterMemory {
  // The pixel on the left of a row is zero.
  const addresses = [0, 1, 2].map((n) => BLOCK + n * (capacity + BLOCK));
  const pages = Math.ceil((BLOCK + 3 * (capacity + BLOCK)) / 65536);
  const { buffer, functions } = createInstance(
    [
      filterFunction("sub", bytesAt(LEFT)),
      filterFunction("up", bytesAt(ABOVE)),
      filterFunction("average", MEAN),
      filterFunction("paeth", PAETH),
    ],
    pages,
  );
  const { sub, up, average, paeth } = functions;
  const byType = [sub, up, average, paeth];
  const [first, second, filtered] = addresses.map((from) => new Uint8Array(buffer, from, capacity));
  return {
    capacity,
    rows: [first, second],
    filtered,
    filter: (type, row, length, pixelBytes) =>
      byType[type - 1](
        length,
        addresses[row],
        addresses[1 - row],
        addresses[2],
        addresses[row] - pixelBytes,
      ),
  };
}

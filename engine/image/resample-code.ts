/** The WebAssembly module that filters rows of pixels with vectors: one for each pixel, which has linear light and alpha. */

import {
  ADD,
  AND,
  type Code,
  constant,
  constantLanes,
  createInstance,
  get,
  increase,
  load,
  type ModuleFunction,
  memoryAccess,
  offsetOf,
  SELECT,
  SHIFT_LANES_LEFT,
  SHIFT_LANES_RIGHT,
  SHIFT_LEFT,
  set,
  store,
  vector,
  whileBelow,
} from "../kernel-code/module-code.ts";
import { lanesOf, leb128, SATURATING_TRUNCATE, SHUFFLE, TRUNCATE } from "../kernel-code/opcodes.ts";
import type { Taps } from "./filter-weights.ts";
import { SRGB8_BY_LIGHT, SRGB8_TO_LINEAR } from "./transfer.ts";

/** Most pixels of a result's row. */
export const MOST_PIXELS = 1024;
/** Most pixels that such a row is made of. */
const MOST_NEEDED = 2 * MOST_PIXELS + 16;
const TAPS: readonly Taps[] = [9, 12];
const MOST_TAPS = 12;
/** Filtered rows in the memory. */
export const ROWS = 32;

/** Memory in which rows are filtered. */
export interface ResamplingMemory {
  /** Packed colours, and alpha 0…255, which `decode` reads. */
  readonly colours: Float32Array;
  readonly alphas: Uint8Array;
  /** The first pixel of those that each pixel of a row is made of, and their weights. */
  readonly first: Int32Array;
  readonly weights: Float32Array;
  /** Weights of the rows that a row is made of. */
  readonly rowWeights: Float32Array;
  /** Packed colours, and alpha 0…255, which `down` writes. */
  readonly packed: { readonly colour: Float32Array; readonly alpha: Uint8Array };
  /** Decodes the first `count` colours. */
  decode(count: number): void;
  /** Makes `count` pixels of a filtered row, each of `taps` decoded ones. */
  across(row: number, count: number, taps: Taps): void;
  /** Makes and packs `count` pixels of the result from `taps` filtered rows. */
  down(row: number, count: number, taps: Taps): void;
  /** Moves the filtered rows from `row` on to the first one. */
  keepFrom(row: number): void;
}

/** Bytes of a number and of a pixel. */
const NUMBER = 4;
const PIXEL = 16;
/** Not a power of two: what lies that far apart shares few places of a processor's cache. */
const ROW = PIXEL * (MOST_PIXELS + 4);
/** Entries of tables by 8-bit level and by light. */
const LEVELS = 256;
const LIGHTS = SRGB8_BY_LIGHT.length;

/** Where everything lies in the memory, in bytes. */
const RED = 0;
const GREEN = RED + PIXEL * LEVELS;
const BLUE = GREEN + PIXEL * LEVELS;
const SHARE = BLUE + PIXEL * LEVELS;
const LEVEL_OF_LIGHT = SHARE + NUMBER * LEVELS;
const COLOURS = LEVEL_OF_LIGHT + LIGHTS;
const ALPHAS = COLOURS + NUMBER * MOST_NEEDED;
const PIXELS = ALPHAS + MOST_NEEDED;
const FIRST = PIXELS + PIXEL * MOST_NEEDED;
const WEIGHTS = FIRST + NUMBER * MOST_PIXELS;
const ROW_WEIGHTS = WEIGHTS + NUMBER * MOST_TAPS * MOST_PIXELS;
const PACKED = ROW_WEIGHTS + NUMBER * MOST_TAPS;
const PACKED_ALPHAS = PACKED + NUMBER * MOST_PIXELS;
const FILTERED = PACKED_ALPHAS + MOST_PIXELS;
const PAGES = Math.ceil((FILTERED + ROW * ROWS) / 65536);

const load32 = (from: number) => memoryAccess(0x28, 0, from);
const load8 = (from: number) => memoryAccess(0x2d, 0, from);
const loadNumberLanes = (from: number) => vector(0x09, 0, ...leb128(from));
const storeNumber = (to: number) => memoryAccess(0x38, 0, to);
const store8 = (to: number) => memoryAccess(0x3a, 0, to);
const OR = 0x72;
const TO_NUMBER = 0xb2;
const OR_LANES = vector(0x50);
const ADD_NUMBERS = vector(0xe4);
const MULTIPLY_NUMBERS = vector(0xe6);
const DIVIDE_NUMBERS = vector(0xe7);
/** The smaller and the larger of two numbers; the first one if the second is NaN, as 0 / 0 is for transparent pixels. */
const LEAST = vector(0xea);
const MOST = vector(0xeb);
const lane = (at: number) => vector(0x1b, at);
/** Puts a vector on the stack whose lanes all have the number of one lane. */
const repeated = (local: number, from: number): Code => [
  ...[...get(local), ...get(local), ...SHUFFLE, ...lanesOf(from)],
];
const numberLanes = (value: number): Code => {
  const bytes = [...new Uint8Array(Float32Array.of(value).buffer)];
  return vector(0x0c, ...bytes, ...bytes, ...bytes, ...bytes);
};

const eachOf = (count: number, codeOf: (at: number) => Code): Code =>
  Array.from({ length: count }, (_, at) => codeOf(at)).flat();

/** Takes the number of pixels. Decodes four at a time, perhaps some after the last. */
function decodeFunction(hasAlpha: boolean): ModuleFunction {
  const [count, at] = [0, 1];
  const [packed, red, green, blue] = [2, 3, 4, 5];
  /** The offset of each level in a table of pixels. */
  const offsets = (channel: number, shift: Code) => [
    ...[...get(packed), ...shift],
    ...[...constantLanes(PIXEL * (LEVELS - 1)), ...AND, ...set(channel)],
  ];
  const decoded = (pixel: number): Code => [
    ...[...offsetOf(at, PIXEL), ...get(red), ...lane(pixel), ...load(RED)],
    ...[...get(green), ...lane(pixel), ...load(GREEN), ...OR_LANES],
    ...[...get(blue), ...lane(pixel), ...load(BLUE), ...OR_LANES],
    ...(hasAlpha
      ? [
          ...[...get(at), ...load8(ALPHAS + pixel), ...constant(2), SHIFT_LEFT],
          ...[...loadNumberLanes(SHARE), ...MULTIPLY_NUMBERS],
        ]
      : []),
    ...store(PIXELS + PIXEL * pixel),
  ];
  return {
    name: "decode",
    parameters: 1,
    locals: { numbers: 1, vectors: 4 },
    code: whileBelow(at, get(count), [
      ...[...offsetOf(at, NUMBER), ...load(COLOURS), ...TRUNCATE, ...set(packed)],
      ...offsets(red, [...constant(12), ...SHIFT_LANES_RIGHT]),
      ...offsets(green, [...constant(4), ...SHIFT_LANES_RIGHT]),
      ...offsets(blue, [...constant(4), ...SHIFT_LANES_LEFT]),
      ...[0, 1, 2, 3].flatMap(decoded),
      ...increase(at, 4),
    ]),
  };
}

/** Takes the address of the first pixel that is written, and that after the last. */
function acrossFunction(taps: number): ModuleFunction {
  const [to, end] = [0, 1];
  const [at, from, weight, sum] = [2, 3, 4, 5];
  const product = (tap: number): Code => [
    ...[...get(from), ...load(PIXELS + PIXEL * tap)],
    ...[...get(weight), ...loadNumberLanes(WEIGHTS + NUMBER * tap), ...MULTIPLY_NUMBERS],
    ...(tap > 0 ? ADD_NUMBERS : []),
  ];
  return {
    name: `across${taps}`,
    parameters: 2,
    locals: { numbers: 3, vectors: 1 },
    code: whileBelow(to, get(end), [
      ...[...get(at), ...load32(FIRST), ...constant(Math.log2(PIXEL)), SHIFT_LEFT, ...set(from)],
      ...[...eachOf(taps, product), ...set(sum), ...get(to), ...get(sum), ...store(0)],
      ...[...increase(to, PIXEL), ...increase(at, NUMBER), ...increase(weight, NUMBER * taps)],
    ]),
  };
}

/** Takes the number of pixels and the address of the first row. Makes four pixels at a time, perhaps some after the last. */
function downFunction(taps: number, hasAlpha: boolean): ModuleFunction {
  const [count, row] = [0, 1];
  const [at, from, alpha] = [2, 3, 4];
  const [share, rounded] = [5, 6];
  const sums = [7, 8, 9, 10];
  const addRow = (tap: number): Code => [
    ...[...constant(0), ...loadNumberLanes(ROW_WEIGHTS + NUMBER * tap), ...set(share)],
    ...sums.flatMap((sum, pixel) => [
      ...[...get(from), ...load(ROW * tap + PIXEL * pixel), ...get(share), ...MULTIPLY_NUMBERS],
      ...(tap > 0 ? [...get(sum), ...ADD_NUMBERS] : []),
      ...set(sum),
    ]),
  ];
  /** Takes light and alpha from the stack, and rounds them to whole parts of 1. */
  const round = (value: Code, parts: number): Code => [
    ...[...numberLanes(1), ...numberLanes(0), ...value, ...MOST, ...LEAST],
    ...[...numberLanes(parts), ...MULTIPLY_NUMBERS, ...numberLanes(0.5), ...ADD_NUMBERS],
    ...[...SATURATING_TRUNCATE, ...set(rounded)],
  ];
  const level = (channel: number): Code => [
    ...[...get(rounded), ...lane(channel), ...load8(LEVEL_OF_LIGHT)],
  ];
  const colour: Code = [
    ...[...level(0), ...constant(16), SHIFT_LEFT],
    ...[...level(1), ...constant(8), SHIFT_LEFT, OR, ...level(2), OR],
  ];
  const pack = (sum: number, pixel: number): Code => {
    if (!hasAlpha) {
      return [
        ...round(get(sum), LIGHTS - 1),
        ...[...offsetOf(at, NUMBER), ...colour, TO_NUMBER, ...storeNumber(PACKED + NUMBER * pixel)],
      ];
    }
    return [
      ...[...round(get(sum), LEVELS - 1), ...get(rounded), ...lane(3), ...set(alpha)],
      ...[...get(at), ...get(alpha), ...store8(PACKED_ALPHAS + pixel)],
      ...round([...get(sum), ...repeated(sum, 3), ...DIVIDE_NUMBERS], LIGHTS - 1),
      // Transparent pixels are black.
      ...[...offsetOf(at, NUMBER), ...colour, ...constant(0), ...get(alpha), SELECT],
      ...[TO_NUMBER, ...storeNumber(PACKED + NUMBER * pixel)],
    ];
  };
  return {
    name: `down${taps}`,
    parameters: 2,
    locals: { numbers: 3, vectors: 6 },
    code: whileBelow(at, get(count), [
      ...[...offsetOf(at, PIXEL), ...get(row), ADD, ...set(from)],
      ...[...eachOf(taps, addRow), ...sums.flatMap(pack), ...increase(at, 4)],
    ]),
  };
}

/**
 * Creates memory for pictures with or without alpha.
 * @throws where WebAssembly has no vectors
 */
export function createResamplingMemory(hasAlpha: boolean): ResamplingMemory {
  const { buffer, functions } = createInstance(
    [
      decodeFunction(hasAlpha),
      ...TAPS.flatMap((taps) => [acrossFunction(taps), downFunction(taps, hasAlpha)]),
    ],
    PAGES,
  );
  const { decode, across9, across12, down9, down12 } = functions;
  const across = { 9: across9, 12: across12 };
  const down = { 9: down9, 12: down12 };
  for (const [channel, table] of [RED, GREEN, BLUE].entries()) {
    const pixels = new Float32Array(buffer, table, 4 * LEVELS);
    for (let level = 0; level < LEVELS; level++) {
      pixels[4 * level + channel] = SRGB8_TO_LINEAR[level];
      if (table === RED) pixels[4 * level + 3] = 1;
    }
  }
  new Float32Array(buffer, SHARE, LEVELS).set(Array.from({ length: LEVELS }, (_, n) => n / 255));
  new Uint8Array(buffer, LEVEL_OF_LIGHT, LIGHTS).set(SRGB8_BY_LIGHT);
  const rows = new Uint8Array(buffer, FILTERED, ROW * ROWS);
  const addressOf = (row: number) => FILTERED + ROW * row;
  return {
    colours: new Float32Array(buffer, COLOURS, MOST_NEEDED),
    alphas: new Uint8Array(buffer, ALPHAS, MOST_NEEDED),
    first: new Int32Array(buffer, FIRST, MOST_PIXELS),
    weights: new Float32Array(buffer, WEIGHTS, MOST_TAPS * MOST_PIXELS),
    rowWeights: new Float32Array(buffer, ROW_WEIGHTS, MOST_TAPS),
    packed: {
      colour: new Float32Array(buffer, PACKED, MOST_PIXELS),
      alpha: new Uint8Array(buffer, PACKED_ALPHAS, MOST_PIXELS),
    },
    decode,
    across: (row, count, taps) => across[taps](addressOf(row), addressOf(row) + PIXEL * count),
    down: (row, count, taps) => down[taps](count, addressOf(row)),
    keepFrom: (row) => rows.copyWithin(0, ROW * row),
  };
}

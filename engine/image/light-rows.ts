/**
 * Rows of light, and a WebAssembly module that writes and mixes those of opaque pixels by vectors: a quarter of JavaScript's
 * time, and the same bits.
 */
import { leb128, TRUNCATE } from "../kernel-code/opcodes.ts";
import { LIGHT_WORDS, lightOf, writeLight } from "./light.ts";
import { mixRows, WEIGHT_BITS } from "./mix-light.ts";
import { SRGB8_BY_LIGHT } from "./transfer.ts";

/** Most pixels of a row. */
export const ROW_PIXELS = 4096;
export const ROWS = 7;

/** Memory for some rows of light. */
export interface RowMemory {
  /** Packed colours for `write`. */
  readonly colours: Float32Array;
  /** For `mix`: three for each pixel, see `Mixes`. */
  readonly weights: Int32Array;
  /** Light of pixels, from the first one on. */
  readonly rows: readonly Int32Array[];
  /** Writes the light of the first `count` colours to a row. */
  write(row: number, count: number): void;
  /**
   * Mixes the first `count` pixels of rows `near` and `far` into opaque ones of another, as `mixRows` does. If `count` is odd
   * it mixes one more pixel, by the weights that follow.
   */
  mix(
    into: number,
    start: number,
    near: number,
    far: number,
    count: number,
    firstWeight: number,
    step: 0 | 3,
  ): void;
}

/** Bytes of a light, of a packed colour, of a weight, of a pixel's light and of a row. */
const ENTRY = 2;
const COLOUR = 4;
const WEIGHT = 4;
const PIXEL = 4 * LIGHT_WORDS;
const ROW = PIXEL * ROW_PIXELS;

/** Triples of weights: one for a whole row, and two for each pixel, of which the second may stand between stretches. */
const MOST_WEIGHTS = 2 * ROW_PIXELS + 1;

/** Entries of a table by level and of one by light, which has 16 bits. */
const LEVELS = 256;
const LIGHTS = 65536;

/** Where everything lies in the module's memory, in bytes. */
const LIGHT_OF_LEVEL = 0;
const ROUNDED_LIGHT = LIGHT_OF_LEVEL + ENTRY * LEVELS;
const COLOURS = ROUNDED_LIGHT + ENTRY * LIGHTS;
const WEIGHTS = COLOURS + COLOUR * ROW_PIXELS;
const FIRST_ROW = WEIGHTS + 3 * WEIGHT * MOST_WEIGHTS;
/** Mixing an odd number of pixels at the end of the last row writes one more. */
const PAGES = Math.ceil((FIRST_ROW + ROWS * ROW + PIXEL) / 65536);

const I32 = 0x7f;
const V128 = 0x7b;
const LOOP = [0x03, 0x40];
const END = 0x0b;
const REPEAT_IF = [0x0d, 0];
const LESS_UNSIGNED = 0x49;
const ADD = 0x6a;
const SHIFT_LEFT = 0x74;

const vector = (opcode: number, ...immediates: readonly number[]) => [
  0xfd,
  ...leb128(opcode),
  ...immediates,
];
/** Aligned to bytes. */
const load = (from: number) => vector(0x00, 0, ...leb128(from));
const store = (to: number) => vector(0x0b, 0, ...leb128(to));
const load32Splat = (from: number) => vector(0x09, 0, ...leb128(from));
const load16Lane = (from: number, lane: number) => vector(0x55, 0, ...leb128(from), lane);
const SPLAT = vector(0x11);
const extractLane = (lane: number) => vector(0x1b, lane);
const AND = vector(0x4e);
const EXTEND_HALF = [vector(0xa7), vector(0xa8)];
const SHIFT_LANES_LEFT = vector(0xab);
const SHIFT_LANES_RIGHT = vector(0xac);
const ADD_LANES = vector(0xae);
const MULTIPLY_LANES = vector(0xb5);

const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];

/** Leaves a signed number: 7 bits a byte, the lowest first. */
function constant(value: number): number[] {
  const bytes = [0x41];
  let rest = value;
  for (;;) {
    const low = rest & 127;
    rest >>= 7;
    if (rest === (low & 64 ? -1 : 0)) return [...bytes, low];
    bytes.push(low | 128);
  }
}
const constantLanes = (value: number) => [...constant(value), ...SPLAT];

/** Leaves the light of two pixels of which only the alphas are there. */
const OPAQUE_PAIR = vector(
  0x0c,
  ...Array.from({ length: 8 }, (_, n) => (n % 4 === 3 ? lightOf[LEVELS - 1] : 0)).flatMap(
    (light) => [light & 255, (light >> 8) & 255],
  ),
);

/**
 * Loads the entry of a table at one of four offsets into a lane of two pixels' light.
 * @param offsets, pixels local variables
 */
const loadEntry = (table: number, offsets: number, at: number, pixels: number, lane: number) => [
  ...[...get(offsets), ...extractLane(at)],
  ...[...get(pixels), ...load16Lane(table, lane), ...set(pixels)],
];

/** Returns a function's code: repeats some for each `step` pixels of the first parameter; the local variable `at` counts them. */
const forPixels = (at: number, step: number, code: readonly number[]) => [
  ...LOOP,
  ...code,
  ...[...get(at), ...constant(step), ADD, ...set(at)],
  ...[...get(at), ...get(0), LESS_UNSIGNED, ...REPEAT_IF],
  END,
];

/** Leaves the offset in bytes of the pixel `at`. */
const offsetOf = (at: number, bytes: number) => [
  ...[...get(at), ...constant(Math.log2(bytes)), SHIFT_LEFT],
];

/** Code of the function (count, row's offset in bytes). Takes four pixels at a time, and may take some after the last. */
function writeCode(): number[] {
  const [row, at, packed, red, green, blue, pixels] = [1, 2, 3, 4, 5, 6, 7];
  const offsets = (channel: number, shift: readonly number[]) => [
    ...[...get(packed), ...shift],
    ...[...constantLanes(ENTRY * (LEVELS - 1)), ...AND, ...set(channel)],
  ];
  const writePair = (first: number) => [
    ...[...OPAQUE_PAIR, ...set(pixels)],
    ...[0, 1].flatMap((pixel) =>
      [red, green, blue].flatMap((channel, n) =>
        loadEntry(LIGHT_OF_LEVEL, channel, first + pixel, pixels, 4 * pixel + n),
      ),
    ),
    ...[...offsetOf(at, PIXEL), ...get(row), ADD],
    ...[...get(pixels), ...store(FIRST_ROW + PIXEL * first)],
  ];
  // A level's entry has two bytes: shifts are one less than the channel's.
  return [
    ...[2, 1, I32, 5, V128],
    ...forPixels(at, 4, [
      ...[...offsetOf(at, COLOUR), ...load(COLOURS), ...TRUNCATE, ...set(packed)],
      ...offsets(red, [...constant(15), ...SHIFT_LANES_RIGHT]),
      ...offsets(green, [...constant(7), ...SHIFT_LANES_RIGHT]),
      ...offsets(blue, [...constant(1), ...SHIFT_LANES_LEFT]),
      ...writePair(0),
      ...writePair(2),
    ]),
    END,
  ];
}

/** Code of the function (count, three rows' and the weights' offsets in bytes, bytes of weights). Takes two pixels at a time. */
function mixCode(): number[] {
  const [firstWeight, step] = [4, 5];
  const [at, mixed, pixels] = [6, 7, 8];
  const rows = [9, 10, 11];
  const mixOne = (pixel: number) => [
    ...rows.flatMap((row, n) => [
      ...[...get(row), ...EXTEND_HALF[pixel]],
      ...[...get(firstWeight), ...load32Splat(WEIGHTS + WEIGHT * n), ...MULTIPLY_LANES],
      ...(n > 0 ? ADD_LANES : []),
    ]),
    ...[...get(firstWeight), ...get(step), ADD, ...set(firstWeight)],
    ...[...constantLanes(1 << (WEIGHT_BITS - 1)), ...ADD_LANES],
    ...[...constant(WEIGHT_BITS), ...SHIFT_LANES_RIGHT],
    ...[...constant(Math.log2(ENTRY)), ...SHIFT_LANES_LEFT],
    // Light begins at half of its entries, below 0.
    ...[...constantLanes((ENTRY * LIGHTS) / 2), ...ADD_LANES, ...set(mixed)],
    ...[0, 1, 2].flatMap((channel) =>
      loadEntry(ROUNDED_LIGHT, mixed, channel, pixels, 4 * pixel + channel),
    ),
  ];
  return [
    ...[2, 1, I32, 5, V128],
    ...forPixels(at, 2, [
      ...rows.flatMap((row, n) => [
        ...[...offsetOf(at, PIXEL), ...get(1 + n), ADD, ...load(FIRST_ROW), ...set(row)],
      ]),
      ...[...OPAQUE_PAIR, ...set(pixels)],
      ...[...mixOne(0), ...mixOne(1)],
      ...[...offsetOf(at, PIXEL), ...get(1), ADD, ...get(pixels), ...store(FIRST_ROW)],
    ]),
    END,
  ];
}

const section = (id: number, ...content: readonly number[]) => [
  ...[id, ...leb128(content.length)],
  ...content,
];
const exported = (name: string, kind: number, index: number) => [
  ...[name.length, ...new TextEncoder().encode(name)],
  ...[kind, index],
];

/** Returns the bytes of a module with a memory and two functions. */
const moduleBytes = () =>
  Uint8Array.of(
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, 2, 0x60, 2, I32, I32, 0, 0x60, 6, I32, I32, I32, I32, I32, I32, 0),
    ...section(3, 2, 0, 1),
    ...section(5, 1, 0, ...leb128(PAGES)),
    ...section(
      7,
      3,
      ...exported("memory", 2, 0),
      ...exported("write", 0, 0),
      ...exported("mix", 0, 1),
    ),
    ...section(
      10,
      2,
      ...[writeCode(), mixCode()].flatMap((code) => [...leb128(code.length), ...code]),
    ),
  );

/** Creates rows in the memory of a module; returns null where there are no vectors. */
export function createVectorRows(): RowMemory | null {
  if (typeof WebAssembly === "undefined") return null;
  const bytes = moduleBytes();
  if (!WebAssembly.validate(bytes)) return null;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  const { buffer } = exports.memory as WebAssembly.Memory;
  const { write, mix } = exports as Record<string, (...numbers: number[]) => void>;
  new Int16Array(buffer, LIGHT_OF_LEVEL, LEVELS).set(lightOf);
  const rounded = new Int16Array(buffer, ROUNDED_LIGHT, LIGHTS);
  for (let light = 0; light < LIGHTS; light++) rounded[light] = lightOf[SRGB8_BY_LIGHT[light]];
  return {
    colours: new Float32Array(buffer, COLOURS, ROW_PIXELS),
    weights: new Int32Array(buffer, WEIGHTS, 3 * MOST_WEIGHTS),
    rows: Array.from(
      { length: ROWS },
      (_, row) => new Int32Array(buffer, FIRST_ROW + row * ROW, LIGHT_WORDS * ROW_PIXELS),
    ),
    write: (row, count) => write(count, row * ROW),
    mix: (into, start, near, far, count, firstWeight, step) =>
      mix(
        count,
        into * ROW + start * PIXEL,
        near * ROW,
        far * ROW,
        firstWeight * WEIGHT,
        step * WEIGHT,
      ),
  };
}

/** Creates rows that JavaScript writes and mixes. */
export function createPlainRows(): RowMemory {
  const colours = new Float32Array(ROW_PIXELS);
  const weights = new Int32Array(3 * MOST_WEIGHTS);
  const rows = Array.from({ length: ROWS }, () => new Int32Array(LIGHT_WORDS * ROW_PIXELS));
  return {
    colours,
    weights,
    rows,
    write: (row, count) => writeLight({ colour: colours, alpha: null }, 0, rows[row], 0, count),
    mix: (into, start, near, far, count, firstWeight, step) =>
      mixRows(rows[into], start, rows[near], rows[far], count, weights, firstWeight, step, false),
  };
}

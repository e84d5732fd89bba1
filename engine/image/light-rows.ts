/** Rows of light in memory in which vectors write and mix them: a quarter of JavaScript's time. */

import {
  ADD,
  ADD_LANES,
  type Code,
  constant,
  constantLanes,
  createInstance,
  get,
  increase,
  load,
  type ModuleFunction,
  offsetOf,
  SHIFT_LANES_LEFT,
  SHIFT_LANES_RIGHT,
  set,
  store,
  vector,
  whileBelow,
} from "../kernel-code/module-code.ts";
import { leb128 } from "../kernel-code/opcodes.ts";
import { LIGHT_WORDS, lightOf } from "./light.ts";
import { COLOUR, ENTRY, LEVELS, lightOfFour, loadEntry, OPAQUE_PAIR, PIXEL } from "./light-code.ts";
import { WEIGHT_BITS } from "./mix-light.ts";
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

/** Bytes of a weight and of a row. */
const WEIGHT = 4;
const ROW = PIXEL * ROW_PIXELS;

/** Triples of weights: one for a whole row, and two for each pixel, of which the second may stand between stretches. */
export const MOST_WEIGHTS = 2 * ROW_PIXELS + 1;

/** Entries of a table by light, which has 16 bits. */
const LIGHTS = 65536;

/** Where everything lies in the memory, in bytes. */
const LIGHT_OF_LEVEL = 0;
const ROUNDED_LIGHT = LIGHT_OF_LEVEL + ENTRY * LEVELS;
const COLOURS = ROUNDED_LIGHT + ENTRY * LIGHTS;
const WEIGHTS = COLOURS + COLOUR * ROW_PIXELS;
const FIRST_ROW = WEIGHTS + 3 * WEIGHT * MOST_WEIGHTS;
/** Mixing an odd number of pixels at the end of the last row writes one more. */
const PAGES = Math.ceil((FIRST_ROW + ROWS * ROW + PIXEL) / 65536);

const load32Splat = (from: number) => vector(0x09, 0, ...leb128(from));
const EXTEND_HALF = [vector(0xa7), vector(0xa8)];
const MULTIPLY_LANES = vector(0xb5);

/** Repeats code for each `step` pixels of the first parameter; the local variable `at` counts them. */
const forPixels = (at: number, step: number, code: Code): Code =>
  whileBelow(at, get(0), [...code, ...increase(at, step)]);

/** Takes the count and the row's offset in bytes. Writes four pixels at a time, perhaps some after the last. */
const writeFunction = (): ModuleFunction => ({
  name: "write",
  parameters: 2,
  locals: { numbers: 1, vectors: 5 },
  code: forPixels(2, 4, [
    ...[...offsetOf(2, COLOUR), ...load(COLOURS)],
    ...lightOfFour(LIGHT_OF_LEVEL, 3, [...offsetOf(2, PIXEL), ...get(1), ADD], FIRST_ROW),
  ]),
});

/** Takes the count, offsets of three rows and of the weights in bytes, and the bytes from weights to weights. */
const mixFunction = (): ModuleFunction => ({
  name: "mix",
  parameters: 6,
  locals: { numbers: 1, vectors: 5 },
  code: mixCode(),
});

function mixCode(): Code {
  const [into, weights, step] = [1, 4, 5];
  const [at, mixed, pixels] = [6, 7, 8];
  const rows = [9, 10, 11];
  const mixOne = (pixel: number) => [
    ...rows.flatMap((row, n) => [
      ...[...get(row), ...EXTEND_HALF[pixel]],
      ...[...get(weights), ...load32Splat(WEIGHTS + WEIGHT * n), ...MULTIPLY_LANES],
      ...(n > 0 ? ADD_LANES : []),
    ]),
    ...[...get(weights), ...get(step), ADD, ...set(weights)],
    ...[...constantLanes(1 << (WEIGHT_BITS - 1)), ...ADD_LANES],
    ...[...constant(WEIGHT_BITS), ...SHIFT_LANES_RIGHT],
    ...[...constant(Math.log2(ENTRY)), ...SHIFT_LANES_LEFT],
    // Light begins at half of its entries, below 0.
    ...[...constantLanes((ENTRY * LIGHTS) / 2), ...ADD_LANES, ...set(mixed)],
    ...[0, 1, 2].flatMap((channel) =>
      loadEntry(ROUNDED_LIGHT, mixed, channel, pixels, 4 * pixel + channel),
    ),
  ];
  const addressIn = (row: number) => [...offsetOf(at, PIXEL), ...get(row), ADD];
  return forPixels(at, 2, [
    ...rows.flatMap((row, n) => [...addressIn(into + n), ...load(FIRST_ROW), ...set(row)]),
    ...[...OPAQUE_PAIR, ...set(pixels)],
    ...[...mixOne(0), ...mixOne(1)],
    ...[...addressIn(into), ...get(pixels), ...store(FIRST_ROW)],
  ]);
}

/** @throws where WebAssembly has no vectors */
export function createRowMemory(): RowMemory {
  const { buffer, functions } = createInstance([writeFunction(), mixFunction()], PAGES);
  const { write, mix } = functions;
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

/** The code that the WebAssembly modules for the light of opaque pixels share. They return the same bits as `light.ts` and `mix-light.ts`. */

import {
  AND,
  constant,
  constantLanes,
  get,
  SHIFT_LANES_LEFT,
  SHIFT_LANES_RIGHT,
  set,
  store,
  vector,
} from "../kernel-code/module-code.ts";
import { leb128, TRUNCATE } from "../kernel-code/opcodes.ts";
import { LIGHT_WORDS, lightOf } from "./light.ts";

/** Bytes of a packed colour, of a pixel's light, and of a light in a table. */
export const COLOUR = 4;
export const PIXEL = 4 * LIGHT_WORDS;
export const ENTRY = 2;

/** Entries of a table of light by level. */
export const LEVELS = 256;

/** Puts the light of two pixels on the stack of which only the alphas are there. */
export const OPAQUE_PAIR = vector(
  0x0c,
  ...Array.from({ length: 8 }, (_, n) => (n % 4 === 3 ? lightOf[LEVELS - 1] : 0)).flatMap(
    (light) => [light & 255, (light >> 8) & 255],
  ),
);

/**
 * Loads the entry of a table in memory 0 at one of four offsets into a lane of two pixels' light.
 * @param offsets, pixels local variables
 */
export const loadEntry = (
  table: number,
  offsets: number,
  at: number,
  pixels: number,
  lane: number,
) => [
  ...[...get(offsets), ...vector(0x1b, at)],
  ...[...get(pixels), ...vector(0x55, 0, ...leb128(table), lane), ...set(pixels)],
];

/**
 * Takes four packed colours from the stack and stores their light.
 * @param table of light by level, in memory 0
 * @param local number of the first of five local variables for vectors
 * @param address puts the address of the first pixel's light on the stack
 * @param to offset of that in a memory
 */
export function lightOfFour(
  table: number,
  local: number,
  address: readonly number[],
  to: number,
  memory = 0,
): number[] {
  const [packed, red, green, blue, pixels] = [0, 1, 2, 3, 4].map((n) => local + n);
  const offsets = (channel: number, shift: readonly number[]) => [
    ...[...get(packed), ...shift],
    ...[...constantLanes(ENTRY * (LEVELS - 1)), ...AND, ...set(channel)],
  ];
  const pair = (first: number) => [
    ...[...OPAQUE_PAIR, ...set(pixels)],
    ...[0, 1].flatMap((pixel) =>
      [red, green, blue].flatMap((channel, n) =>
        loadEntry(table, channel, first + pixel, pixels, 4 * pixel + n),
      ),
    ),
    ...[...address, ...get(pixels), ...store(to + PIXEL * first, memory)],
  ];
  // An entry has two bytes: shifts are one less than the channel's.
  return [
    ...[...TRUNCATE, ...set(packed)],
    ...offsets(red, [...constant(15), ...SHIFT_LANES_RIGHT]),
    ...offsets(green, [...constant(7), ...SHIFT_LANES_RIGHT]),
    ...offsets(blue, [...constant(1), ...SHIFT_LANES_LEFT]),
    ...[...pair(0), ...pair(2)],
  ];
}

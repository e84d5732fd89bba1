/**
 * What the WebAssembly modules for the light of opaque pixels are made of: instructions, and the code that they share. They
 * return the same bits as `light.ts` and `mix-light.ts`.
 */
import { leb128, TRUNCATE } from "../kernel-code/opcodes.ts";
import { LIGHT_WORDS, lightOf } from "./light.ts";

/** Bytes of a packed colour, of a pixel's light, and of a light in a table. */
export const COLOUR = 4;
export const PIXEL = 4 * LIGHT_WORDS;
export const ENTRY = 2;

/** Entries of a table of light by level. */
export const LEVELS = 256;

const I32 = 0x7f;
const V128 = 0x7b;
export const LOOP = [0x03, 0x40];
export const IF = [0x04, 0x40];
export const END = 0x0b;
export const BRANCH = 0x0c;
export const BRANCH_IF = 0x0d;
export const SELECT = 0x1b;
export const LESS_UNSIGNED = 0x49;
export const ADD = 0x6a;
export const SUBTRACT = 0x6b;
const SHIFT_LEFT = 0x74;

export const vector = (opcode: number, ...immediates: readonly number[]) => [
  0xfd,
  ...leb128(opcode),
  ...immediates,
];
/** An offset in one of a module's memories, aligned to bytes. */
const place = (offset: number, memory: number) =>
  memory === 0 ? [0, ...leb128(offset)] : [0x40, memory, ...leb128(offset)];
export const load = (from: number, memory = 0) => vector(0x00, ...place(from, memory));
export const store = (to: number, memory = 0) => vector(0x0b, ...place(to, memory));
const SPLAT = vector(0x11);
const AND = vector(0x4e);
export const SHIFT_LANES_LEFT = vector(0xab);
export const SHIFT_LANES_RIGHT = vector(0xac);
export const ADD_LANES = vector(0xae);

export const get = (local: number) => [0x20, local];
export const set = (local: number) => [0x21, local];

/** Puts a signed number on the stack: 7 bits a byte, the lowest first. */
export function constant(value: number): number[] {
  const bytes = [0x41];
  let rest = value;
  for (;;) {
    const low = rest & 127;
    rest >>= 7;
    if (rest === (low & 64 ? -1 : 0)) return [...bytes, low];
    bytes.push(low | 128);
  }
}
export const constantLanes = (value: number) => [...constant(value), ...SPLAT];

/** Puts the offset in bytes of a pixel on the stack. */
export const offsetOf = (pixel: number, bytes: number) => [
  ...[...get(pixel), ...constant(Math.log2(bytes)), SHIFT_LEFT],
];

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

/** A function of a module: how many numbers it takes, its local variables and its code. */
export interface ModuleFunction {
  readonly name: string;
  readonly parameters: number;
  readonly locals: { readonly numbers: number; readonly vectors: number };
  readonly code: readonly number[];
}

/** A memory that a module imports: shared ones need a limit. */
export interface ImportedMemory {
  readonly name: string;
  readonly isShared: boolean;
}

const section = (id: number, count: number, content: readonly number[]) => {
  const bytes = [...leb128(count), ...content];
  return count === 0 ? [] : [id, ...leb128(bytes.length), ...bytes];
};
const text = (value: string) => [value.length, ...new TextEncoder().encode(value)];

/** Most pages that a memory can have. */
const MOST_PAGES = 65536;

/**
 * Compiles a module that exports functions, and its memory if it has one. Returns null where WebAssembly has no vectors, or
 * not as many memories.
 * @param pages of its own memory; 0 if there is none
 */
export function compileModule(
  functions: readonly ModuleFunction[],
  pages: number,
  imports: readonly ImportedMemory[] = [],
): WebAssembly.Module | null {
  if (typeof WebAssembly === "undefined") return null;
  const bytes = Uint8Array.of(
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(
      1,
      functions.length,
      functions.flatMap(({ parameters }) => [0x60, parameters, ...Array(parameters).fill(I32), 0]),
    ),
    ...section(
      2,
      imports.length,
      imports.flatMap(({ name, isShared }) => [
        ...[...text("memories"), ...text(name), 2],
        ...(isShared ? [3, 0, ...leb128(MOST_PAGES)] : [0, 0]),
      ]),
    ),
    ...section(
      3,
      functions.length,
      functions.map((_, n) => n),
    ),
    ...(pages > 0 ? section(5, 1, [0, ...leb128(pages)]) : []),
    ...section(7, functions.length + (pages > 0 ? 1 : 0), [
      ...(pages > 0 ? [...text("memory"), 2, 0] : []),
      ...functions.flatMap(({ name }, n) => [...text(name), 0, n]),
    ]),
    ...section(
      10,
      functions.length,
      functions.flatMap(({ locals: { numbers, vectors }, code }) => {
        const body = [2, numbers, I32, vectors, V128, ...code, END];
        return [...leb128(body.length), ...body];
      }),
    ),
  );
  return WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : null;
}

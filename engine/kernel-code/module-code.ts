/** Instructions of WebAssembly modules of our own, and how these are compiled. */
import { leb128 } from "./opcodes.ts";

/** Code that leaves nothing, or one value on the stack. */
export type Code = readonly number[];

const I32 = 0x7f;
const I64 = 0x7e;
const V128 = 0x7b;
export const LOOP = [0x03, 0x40];
export const IF = [0x04, 0x40];
export const ELSE = 0x05;
export const END = 0x0b;
export const BRANCH = 0x0c;
export const BRANCH_IF = 0x0d;
export const SELECT = 0x1b;
export const LESS_UNSIGNED = 0x49;
export const ADD = 0x6a;
export const SUBTRACT = 0x6b;
export const SHIFT_LEFT = 0x74;

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
export const AND = vector(0x4e);
export const SHIFT_LANES_LEFT = vector(0xab);
export const SHIFT_LANES_RIGHT = vector(0xac);
export const ADD_LANES = vector(0xae);

export const get = (local: number) => [0x20, local];
export const set = (local: number) => [0x21, local];

/** An instruction that reads or writes memory. @param alignment its binary logarithm: 2 for 4 bytes */
export const memoryAccess = (opcode: number, alignment: number, offset: number): Code => [
  ...[opcode, alignment, ...leb128(offset)],
];

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

/** Adds a constant to a local variable. */
export const increase = (local: number, value: number): Code => [
  ...[...get(local), ...constant(value), ADD, ...set(local)],
];

/** Runs code once, and again while a local variable is below a limit. */
export const whileBelow = (local: number, limit: Code, code: Code): Code => [
  ...[...LOOP, ...code],
  ...[...get(local), ...limit, LESS_UNSIGNED, BRANCH_IF, 0, END],
];

/** A function of a module: how many numbers it takes, its local variables and its code. */
export interface ModuleFunction {
  readonly name: string;
  readonly parameters: number;
  readonly locals: { readonly numbers: number; readonly vectors: number; readonly longs?: number };
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
      functions.flatMap(({ locals: { numbers, vectors, longs = 0 }, code }) => {
        const body = [3, numbers, I32, vectors, V128, longs, I64, ...code, END];
        return [...leb128(body.length), ...body];
      }),
    ),
  );
  return WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : null;
}

/** Functions of a module and the memory in which they work. */
export interface Instance {
  readonly buffer: ArrayBuffer;
  readonly functions: Readonly<Record<string, (...numbers: number[]) => void>>;
}

/**
 * Compiles a module with a memory of its own.
 * @throws where WebAssembly has no vectors
 */
export function createInstance(functions: readonly ModuleFunction[], pages: number): Instance {
  const module = compileModule(functions, pages);
  if (module === null) throw new Error("this machine's WebAssembly has no SIMD");
  const { memory, ...exported } = new WebAssembly.Instance(module).exports;
  const { buffer } = memory as WebAssembly.Memory;
  return { buffer, functions: exported as Instance["functions"] };
}

/**
 * Copies opaque pixels as light between memories of WebAssembly: prepared sources are in one that threads share, and kernels
 * each have their own. By way of JavaScript it takes twice the time.
 */

import {
  ADD,
  BRANCH,
  BRANCH_IF,
  compileModule,
  constant,
  END,
  get,
  IF,
  LESS_UNSIGNED,
  LOOP,
  load,
  type ModuleFunction,
  offsetOf,
  SELECT,
  SUBTRACT,
  set,
} from "../kernel-code/module-code.ts";
import { lightOf } from "./light.ts";
import { COLOUR, LEVELS, lightOfFour, PIXEL } from "./light-code.ts";

/** Fewest pixels of a row. */
export const LEAST_PIXELS = 4;

/** Rows of pixels in memory. */
export interface PixelRows {
  /** The first pixel's number. */
  readonly start: number;
  /** Pixels from row to row. */
  readonly length: number;
}

/** Copies rows of at least `LEAST_PIXELS` pixels. */
export type CopyLight = (width: number, rows: number, from: PixelRows, to: PixelRows) => void;

const TABLES = 0;
const SOURCE = 1;
const TARGET = 2;

/**
 * Takes width and rows, then the source's and the target's address and bytes from row to row. Copies four pixels at a time: of
 * a row whose width is no multiple of that, the last four again.
 */
const copyFunction = (): ModuleFunction => ({
  name: "copy",
  parameters: 6,
  locals: { numbers: 2, vectors: 5 },
  code: copyCode(),
});

function copyCode(): number[] {
  const [width, rows] = [0, 1];
  const [source, sourceStep, target, targetStep] = [2, 3, 4, 5];
  const [at, last, vectors] = [6, 7, 8];
  const next = [...get(at), ...constant(4), ADD];
  return [
    ...[...get(width), ...constant(4), SUBTRACT, ...set(last)],
    ...LOOP,
    ...[...constant(0), ...set(at)],
    ...LOOP,
    ...[...offsetOf(at, COLOUR), ...get(source), ADD, ...load(0, SOURCE)],
    ...lightOfFour(TABLES, vectors, [...offsetOf(at, PIXEL), ...get(target), ADD], 0, TARGET),
    ...[...get(at), ...get(last), LESS_UNSIGNED, ...IF],
    // The smaller one of these two numbers.
    ...[...next, ...get(last), ...next, ...get(last), LESS_UNSIGNED, SELECT, ...set(at)],
    ...[BRANCH, 1],
    ...[END, END],
    ...[...get(source), ...get(sourceStep), ADD, ...set(source)],
    ...[...get(target), ...get(targetStep), ADD, ...set(target)],
    ...[...get(rows), ...constant(1), SUBTRACT, ...set(rows)],
    ...[...get(rows), BRANCH_IF, 0],
    END,
  ];
}

interface CopyModule {
  readonly module: WebAssembly.Module;
  readonly tables: WebAssembly.Memory;
}

/** Compiled at the first use; null where WebAssembly cannot do it. */
let compiled: CopyModule | null | undefined;

function compile(): CopyModule | null {
  const module = compileModule([copyFunction()], 0, [
    { name: "tables", isShared: false },
    { name: "source", isShared: true },
    { name: "target", isShared: false },
  ]);
  if (module === null) return null;
  const tables = new WebAssembly.Memory({ initial: 1 });
  new Int16Array(tables.buffer, TABLES, LEVELS).set(lightOf);
  return { module, tables };
}

type Copy = (...numbers: number[]) => void;

/** Memories by what JavaScript sees of them. */
const memories = new WeakMap<ArrayBufferLike, WebAssembly.Memory>();
/** What copies from a shared memory to another one, by both. */
const copies = new WeakMap<WebAssembly.Memory, WeakMap<WebAssembly.Memory, Copy>>();

/** Registers a memory for `copierBetween`. */
export const registerMemory = (memory: WebAssembly.Memory): void => {
  memories.set(memory.buffer, memory);
};

/** Returns what copies packed colours to light; null if they are not in a shared and in another registered memory. */
export function copierBetween(colour: Float32Array, light: Int32Array): CopyLight | null {
  const source = memories.get(colour.buffer);
  const target = memories.get(light.buffer);
  if (source === undefined || target === undefined) return null;
  const copy = copyBetween(source, target);
  if (copy === null) return null;
  return (width, rows, from, to) =>
    copy(
      width,
      rows,
      colour.byteOffset + COLOUR * from.start,
      COLOUR * from.length,
      light.byteOffset + PIXEL * to.start,
      PIXEL * to.length,
    );
}

function copyBetween(source: WebAssembly.Memory, target: WebAssembly.Memory): Copy | null {
  const known = copies.get(target)?.get(source);
  if (known !== undefined) return known;
  if (compiled === undefined) compiled = compile();
  if (compiled === null) return null;
  const { module, tables } = compiled;
  const { exports } = new WebAssembly.Instance(module, { memories: { tables, source, target } });
  const copy = exports.copy as Copy;
  const ofTarget = copies.get(target) ?? new WeakMap();
  copies.set(target, ofTarget.set(source, copy));
  return copy;
}

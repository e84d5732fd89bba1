/** The WebAssembly module that sums bytes with vectors. */

import {
  ADD_LANES,
  type Code,
  constant,
  createInstance,
  get,
  increase,
  load,
  type ModuleFunction,
  set,
  store,
  vector,
  whileBelow,
} from "../../../kernel-code/module-code.ts";
import { DOT, EXTEND_BYTES } from "../../../kernel-code/opcodes.ts";

/** Bytes of a vector, which are summed at once. */
export const BLOCK = 16;

/** Most bytes that are summed at once: of n blocks a part of `before` is below 255 · 4 · n² / 2, and has to fit 32 bits. */
export const MOST = 1024 * BLOCK;

const SUMS = MOST;
const PAGES = 1;

const ADD_PAIRS_OF_BYTES = vector(0x7d);
const ADD_PAIRS_OF_HALVES = vector(0x7f);
/** How often a byte of each half of a vector is summed in it. */
const WEIGHTS = [0, 8].map((first) =>
  vector(0x0c, ...Array.from({ length: 8 }, (_, n) => [BLOCK - first - n, 0]).flat()),
);

/** Takes the number of bytes: whole blocks. Stores four parts of each of three sums. */
function sumFunction(): ModuleFunction {
  const [count, at] = [0, 1];
  const [bytes, sum, before, within] = [2, 3, 4, 5];
  const addTo = (local: number, value: Code): Code => [
    ...[...get(local), ...value, ...ADD_LANES, ...set(local)],
  ];
  return {
    name: "sum",
    parameters: 1,
    locals: { numbers: 1, vectors: 4 },
    code: [
      ...whileBelow(at, get(count), [
        ...[...get(at), ...load(0), ...set(bytes)],
        ...addTo(before, get(sum)),
        ...addTo(sum, [...get(bytes), ...ADD_PAIRS_OF_BYTES, ...ADD_PAIRS_OF_HALVES]),
        ...EXTEND_BYTES.flatMap((extend, half) =>
          addTo(within, [...get(bytes), ...extend, ...WEIGHTS[half], ...DOT]),
        ),
        ...increase(at, BLOCK),
      ]),
      ...[sum, before, within].flatMap((local, n) => [
        ...[...constant(BLOCK * n), ...get(local), ...store(SUMS)],
      ]),
    ],
  };
}

/** Memory for bytes, and sums of them. */
export interface ByteSums {
  readonly memory: Uint8Array;
  /** Sums the first `count` bytes, a multiple of `BLOCK`. */
  run(count: number): void;
  /** Returns the sum of the bytes. */
  sum(): number;
  /** Returns the sum of all bytes, each as often as there are bytes from it to the last. */
  weightedSum(): number;
}

export function createByteSums(): ByteSums {
  const { buffer, functions } = createInstance([sumFunction()], PAGES);
  const parts = new Uint32Array(buffer, SUMS, 12);
  const total = (first: number) =>
    parts[first] + parts[first + 1] + parts[first + 2] + parts[first + 3];
  return {
    memory: new Uint8Array(buffer, 0, MOST),
    run: functions.sum,
    sum: () => total(0),
    weightedSum: () => BLOCK * total(4) + total(8),
  };
}

/** The WebAssembly module that makes bytes of pixels with vectors. */

import {
  type Code,
  createInstance,
  get,
  increase,
  load,
  type ModuleFunction,
  offsetOf,
  set,
  store,
  whileBelow,
} from "../kernel-code/module-code.ts";
import { SATURATING_TRUNCATE, SHUFFLE } from "../kernel-code/opcodes.ts";

/** Most pixels at once. */
export const MOST_PIXELS = 4096;

/** Bytes of a number, and pixels of a vector. */
const NUMBER = 4;
const LANES = 4;

/** Where everything lies in the memory, in bytes. A vector of RGB has 12 bytes, of which 16 are written. */
const COLOURS = 0;
const ALPHAS = COLOURS + NUMBER * MOST_PIXELS;
const BYTES = ALPHAS + NUMBER * MOST_PIXELS;
const PAGES = 1;

/** Memory in which pixels become bytes. */
export interface PixelMemory {
  /** Packed colours. */
  readonly colours: Float32Array;
  /** Alpha 0…255, which `rgba` reads. */
  readonly alphas: Float32Array;
  /** What `rgb` and `rgba` write. */
  readonly bytes: Uint8Array;
  rgb(count: number): void;
  rgba(count: number): void;
}

/**
 * Takes the number of pixels. Writes four at a time, perhaps some after the last.
 * @param pixel the bytes of the first pixel: 0…3 are those of its packed colour, 16 is that of its alpha
 */
function writeFunction(name: string, pixel: readonly number[]): ModuleFunction {
  const [count, at, to] = [0, 1, 2];
  const [colours, alphas] = [3, 4];
  const order = Array.from({ length: 16 }, (_, byte) => {
    const lane = Math.floor(byte / pixel.length);
    return lane < LANES ? pixel[byte % pixel.length] + NUMBER * lane : 0;
  });
  const whole = (from: number): Code => [
    ...[...offsetOf(at, NUMBER), ...load(from), ...SATURATING_TRUNCATE],
  ];
  return {
    name,
    parameters: 1,
    locals: { numbers: 2, vectors: 2 },
    code: whileBelow(at, get(count), [
      ...[...whole(COLOURS), ...set(colours)],
      ...[...whole(ALPHAS), ...set(alphas)],
      ...[...get(to), ...get(colours), ...get(alphas), ...SHUFFLE, ...order, ...store(BYTES)],
      ...increase(at, LANES),
      ...increase(to, LANES * pixel.length),
    ]),
  };
}

export function createPixelMemory(): PixelMemory {
  const { buffer, functions } = createInstance(
    [writeFunction("rgb", [2, 1, 0]), writeFunction("rgba", [2, 1, 0, 16])],
    PAGES,
  );
  const { rgb, rgba } = functions;
  return {
    colours: new Float32Array(buffer, COLOURS, MOST_PIXELS),
    alphas: new Float32Array(buffer, ALPHAS, MOST_PIXELS),
    bytes: new Uint8Array(buffer, BYTES),
    rgb,
    rgba,
  };
}

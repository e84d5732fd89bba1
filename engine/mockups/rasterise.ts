/** Shows a print on a product: one kernel over the looks of its map. */

import { float32sOf } from "../../shaders/lib/layout.ts";
import { mockupKernel, PRINT } from "../../shaders/mockup.ts";
import { packLight } from "../image/packed.ts";
import { SRGB_TABLE_SIZE, SRGB8_TO_LINEAR, srgbBySquareRoot } from "../image/transfer.ts";
import type { BoundKernel, CompiledKernel, KernelRunner } from "../kernel-runner.ts";
import {
  BLOCK,
  BLOCK_BYTES,
  type Block,
  createBlock,
  EXPOSURE,
  LIGHT_ONE,
  type MockupMap,
  PARTS,
  sectionsOf,
} from "./map.ts";
import type { Print } from "./print.ts";
import { tableOf } from "./pyramid.ts";

/**
 * Draws a product with its print.
 * @param checkpoint called between some thousands of pixels; may throw
 * @returns RGB of 8 bits a pixel
 */
export async function rasterise(
  runner: KernelRunner,
  map: MockupMap,
  print: Print,
  checkpoint: () => Promise<void>,
): Promise<Uint8Array> {
  const { size, runs: runCount, edges: edgeCount, wholes, parts } = map.head;
  const at = sectionsOf(map.head);
  const pixels = new Uint8Array(3 * size * size);
  map.read(pixels, at.ground);
  const runs = readPairs(map, runCount, at.run);
  const edges = readPairs(map, edgeCount, at.edge);
  const transparent = print.alphas !== null;

  const kernel = bindPrint(runner, print);
  try {
    const show = createShow(kernel.run, map, print);
    const cursor = { run: 0, within: 0 };
    for (let first = 0; first < wholes; first += BLOCK) {
      const count = Math.min(BLOCK, wholes - first);
      const { run, within } = cursor;
      const gather = (bare: Float32Array) => gatherRuns(pixels, runs, { run, within }, count, bare);
      const shown = await show(at.whole, first, 1, transparent ? gather : null);
      spreadRuns(shown, pixels, runs, cursor, count);
      await checkpoint();
    }
    const under = new Uint8Array(transparent ? 3 * parts : 0);
    map.read(under, at.under);
    const colours = new Float32Array(parts);
    for (let first = 0; first < parts; first += BLOCK) {
      const count = Math.min(BLOCK, parts - first);
      const gather = (bare: Float32Array) => {
        for (let i = 0; i < count; i++) bare[i] = packedAt(under, first + i);
      };
      const shown = await show(at.part, first, EXPOSURE, transparent ? gather : null);
      colours.set(shown.subarray(0, count), first);
      await checkpoint();
    }
    addParts(pixels, edges, colours);
  } finally {
    kernel.end();
  }
  return pixels;
}

/** Texels of prints, with their smaller sizes, whose kernel is kept: 17 MB, or 22 with alpha. */
const KEPT_TEXELS = 1_400_000;

/** By whether their prints are transparent. */
const keptKernels = new WeakMap<KernelRunner, Map<boolean, BoundKernel>>();

/**
 * Returns the kernel with a print. Compiling takes as long as 200,000 pixels, so a runner keeps the
 * kernels of prints that are not large; `end` releases any other.
 */
function bindPrint(runner: KernelRunner, { texels, alphas }: Print) {
  const count = texels.length / 3;
  const isKept = count <= KEPT_TEXELS;
  const isTransparent = alphas !== null;
  const kept = keptKernels.get(runner) ?? new Map<boolean, BoundKernel>();
  keptKernels.set(runner, kept);
  const room = isKept ? KEPT_TEXELS : count;
  const kernel =
    (isKept && kept.get(isTransparent)) ||
    runner.bind(mockupKernel, {
      texels: { rows: 1, length: 3 * room },
      alphas: isTransparent ? { rows: 1, length: room } : new Float32Array(1),
      transparent: isTransparent ? 1 : 0,
      light: SRGB8_TO_LINEAR,
      transfer: srgbBySquareRoot,
      transferTop: SRGB_TABLE_SIZE - 1,
    });
  if (isKept) kept.set(isTransparent, kernel);
  kernel.write("texels", texels.length, (numbers) => numbers.set(texels));
  if (alphas !== null) kernel.write("alphas", count, (numbers) => numbers.set(alphas));
  return { run: kernel.run, end: () => isKept || kernel.release() };
}

function readPairs(map: MockupMap, count: number, at: number): Uint32Array {
  const pairs = new Uint32Array(2 * count);
  map.read(new Uint8Array(pairs.buffer), at);
  return pairs;
}

/** Returns a function that runs the kernel over the block of looks that begins with look `first`. */
function createShow(run: CompiledKernel, map: MockupMap, print: Print) {
  const [{ width, height }] = print.sizes;
  const sizes = tableOf(print.sizes);
  const block = createBlock();
  const looks = new Float32Array(8 * BLOCK);
  const plane = (k: number) => looks.subarray(k * BLOCK, (k + 1) * BLOCK);
  const [lit, gloss, bare] = [plane(5), plane(6), plane(7)];
  return (
    section: number,
    first: number,
    exposure: number,
    gather: ((bare: Float32Array) => void) | null,
  ) => {
    map.read(block.bytes, section + (first / BLOCK) * BLOCK_BYTES);
    [block.u, block.v, block.across, block.down, block.askew].forEach((from, k) => {
      looks.set(from, k * BLOCK);
    });
    scale(block.lit, exposure / LIGHT_ONE, lit);
    scale(block.gloss, exposure / LIGHT_ONE, gloss);
    gather?.(bare);
    const laid = {
      across: width / print.width,
      down: height / print.height,
      last: print.sizes.length - 1,
      repeats: print.repeats ? 1 : 0,
      bare: exposure / EXPOSURE,
    };
    return run(BLOCK, [looks, BLOCK, float32sOf(laid, PRINT), sizes]);
  };
}

function scale(from: Block["lit"], one: number, to: Float32Array): void {
  for (let i = 0; i < BLOCK; i++) to[i] = from[i] * one;
}

/** Where one is in the runs of pixels: how much of which one is done. */
interface Cursor {
  run: number;
  within: number;
}

/** Calls back with the pixels of the next `count` looks, a piece of a run at a time. */
function takeRuns(
  runs: Uint32Array,
  cursor: Cursor,
  count: number,
  piece: (look: number, pixel: number, length: number) => void,
): void {
  for (let look = 0; look < count; ) {
    const length = Math.min(runs[2 * cursor.run + 1] - cursor.within, count - look);
    piece(look, runs[2 * cursor.run] + cursor.within, length);
    look += length;
    cursor.within += length;
    if (cursor.within < runs[2 * cursor.run + 1]) continue;
    cursor.run++;
    cursor.within = 0;
  }
}

function gatherRuns(
  pixels: Uint8Array,
  runs: Uint32Array,
  cursor: Cursor,
  count: number,
  bare: Float32Array,
): void {
  takeRuns(runs, cursor, count, (look, pixel, length) => {
    for (let i = 0; i < length; i++) bare[look + i] = packedAt(pixels, pixel + i);
  });
}

function spreadRuns(
  shown: Float32Array,
  pixels: Uint8Array,
  runs: Uint32Array,
  cursor: Cursor,
  count: number,
): void {
  takeRuns(runs, cursor, count, (look, pixel, length) => {
    for (let i = 0; i < length; i++) put(pixels, pixel + i, shown[look + i]);
  });
}

/** Adds what the parts of pixels show to what is seen beside it. */
function addParts(pixels: Uint8Array, edges: Uint32Array, colours: Float32Array): void {
  const share = 1 / PARTS / EXPOSURE;
  for (let edge = 0, part = 0; edge < edges.length; edge += 2) {
    const pixel = edges[edge];
    let red = SRGB8_TO_LINEAR[pixels[3 * pixel]];
    let green = SRGB8_TO_LINEAR[pixels[3 * pixel + 1]];
    let blue = SRGB8_TO_LINEAR[pixels[3 * pixel + 2]];
    for (const end = part + edges[edge + 1]; part < end; part++) {
      const packed = colours[part];
      red += share * SRGB8_TO_LINEAR[(packed >> 16) & 255];
      green += share * SRGB8_TO_LINEAR[(packed >> 8) & 255];
      blue += share * SRGB8_TO_LINEAR[packed & 255];
    }
    put(pixels, pixel, packLight(red, green, blue));
  }
}

function put(pixels: Uint8Array, pixel: number, packed: number): void {
  pixels[3 * pixel] = packed >> 16;
  pixels[3 * pixel + 1] = packed >> 8;
  pixels[3 * pixel + 2] = packed;
}

const packedAt = (pixels: Uint8Array, pixel: number): number =>
  (pixels[3 * pixel] << 16) | (pixels[3 * pixel + 1] << 8) | pixels[3 * pixel + 2];

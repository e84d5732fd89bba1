/** Draws a print on a product: one kernel over the samples of its map. */

import { float32sOf } from "../../shaders/lib/layout.ts";
import { mockupKernel, PRINT } from "../../shaders/mockup.ts";
import { packLight } from "../image/packed.ts";
import { SRGB_TABLE_SIZE, SRGB8_TO_LINEAR, srgbBySquareRoot } from "../image/transfer.ts";
import type { BoundKernel, KernelRunner } from "../kernel-runner.ts";
import {
  BLOCK,
  BLOCK_BYTES,
  EXPOSURE,
  FLOAT_PLANES,
  LIGHT_ONE,
  LIGHT_PLANES,
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
  const { size, runs: runCount, edges: edgeCount, wholes, parts } = map.header;
  const at = sectionsOf(map.header);
  const pixels = new Uint8Array(3 * size * size);
  map.read(pixels, at.background);
  const runs = readPairs(map, runCount, at.run);
  const edges = readPairs(map, edgeCount, at.edge);
  const transparent = print.alphas !== null;

  const kernel = bindPrint(runner, print);
  try {
    const renderBlock = createBlockRenderer(kernel, map, print);
    const cursor = { run: 0, within: 0 };
    for (let first = 0; first < wholes; first += BLOCK) {
      const count = Math.min(BLOCK, wholes - first);
      const { run, within } = cursor;
      const gather = (bare: Float32Array) => gatherRuns(pixels, runs, { run, within }, count, bare);
      const shown = await renderBlock(at.whole, first, 1, transparent ? gather : null);
      scatterRuns(shown, pixels, runs, cursor, count);
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
      const shown = await renderBlock(at.part, first, EXPOSURE, transparent ? gather : null);
      colours.set(shown.subarray(0, count), first);
      await checkpoint();
    }
    addParts(pixels, edges, colours);
  } finally {
    kernel.end();
  }
  return pixels;
}

/** Texels of prints, with their smaller sizes, whose kernel is kept: 6 MB, or 11 with alpha. */
const KEPT_TEXELS = 1_400_000;

/** By whether their prints are transparent. */
const keptKernels = new WeakMap<KernelRunner, Map<boolean, BoundKernel>>();

/**
 * Returns the kernel with a print. Compiling takes as long as 200,000 pixels, so a runner keeps the
 * kernels of prints that are not large, for one mockup at a time; `end` releases any other.
 */
function bindPrint(runner: KernelRunner, { texels, alphas }: Print) {
  const count = texels.length;
  const isKept = count <= KEPT_TEXELS;
  const isTransparent = alphas !== null;
  const kept = keptKernels.get(runner) ?? new Map<boolean, BoundKernel>();
  keptKernels.set(runner, kept);
  const room = isKept ? KEPT_TEXELS : count;
  const kernel =
    (isKept && kept.get(isTransparent)) ||
    runner.bind(mockupKernel, {
      samples: { rows: 8, length: BLOCK },
      texels: { rows: 1, length: room },
      alphas: isTransparent ? { rows: 1, length: room } : new Float32Array(1),
      transparent: isTransparent ? 1 : 0,
      light: Float32Array.from(SRGB8_TO_LINEAR),
      transfer: srgbBySquareRoot,
      transferTop: SRGB_TABLE_SIZE - 1,
    });
  if (isKept) kept.set(isTransparent, kernel);
  kernel.write("texels", count, (numbers) => numbers.set(texels));
  if (alphas !== null) kernel.write("alphas", count, (numbers) => numbers.set(alphas));
  return { ...kernel, end: () => isKept || kernel.release() };
}

function readPairs(map: MockupMap, count: number, at: number): Uint32Array {
  const pairs = new Uint32Array(2 * count);
  map.read(new Uint8Array(pairs.buffer), at);
  return pairs;
}

/** Returns a function that runs the kernel over the block whose first sample is `first`. */
function createBlockRenderer({ run, write }: BoundKernel, map: MockupMap, print: Print) {
  const [{ width, height }] = print.sizes;
  const sizes = tableOf(print.sizes);
  const light = new Uint16Array(LIGHT_PLANES * BLOCK);
  return (
    section: number,
    first: number,
    exposure: number,
    gather: ((bare: Float32Array) => void) | null,
  ) => {
    const at = section + (first / BLOCK) * BLOCK_BYTES;
    write("samples", 8 * BLOCK, (samples) => {
      const floats = samples.subarray(0, FLOAT_PLANES * BLOCK);
      map.read(new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength), at);
      map.read(new Uint8Array(light.buffer), at + floats.byteLength);
      samples.set(light, floats.length);
      gather?.(samples.subarray(floats.length + light.length));
    });
    const placement = {
      across: width / print.width,
      down: height / print.height,
      last: print.sizes.length - 1,
      repeats: print.repeats ? 1 : 0,
      light: exposure / LIGHT_ONE,
      bare: exposure / EXPOSURE,
    };
    return run(BLOCK, [float32sOf(placement, PRINT), sizes]);
  };
}

/** Position in the runs of pixels. */
interface Cursor {
  run: number;
  within: number;
}

/** Calls `piece` with the pixels of the next `count` samples, for each part of a run. */
function forEachRun(
  runs: Uint32Array,
  cursor: Cursor,
  count: number,
  piece: (sample: number, pixel: number, length: number) => void,
): void {
  for (let sample = 0; sample < count; ) {
    const length = Math.min(runs[2 * cursor.run + 1] - cursor.within, count - sample);
    piece(sample, runs[2 * cursor.run] + cursor.within, length);
    sample += length;
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
  forEachRun(runs, cursor, count, (sample, pixel, length) => {
    for (let i = 0; i < length; i++) bare[sample + i] = packedAt(pixels, pixel + i);
  });
}

function scatterRuns(
  shown: Float32Array,
  pixels: Uint8Array,
  runs: Uint32Array,
  cursor: Cursor,
  count: number,
): void {
  forEachRun(runs, cursor, count, (sample, pixel, length) => {
    for (let i = 0; i < length; i++) setPixel(pixels, pixel + i, shown[sample + i]);
  });
}

/** Adds the colours of partial samples to the background of their pixels. */
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
    setPixel(pixels, pixel, packLight(red, green, blue));
  }
}

function setPixel(pixels: Uint8Array, pixel: number, packed: number): void {
  pixels[3 * pixel] = packed >> 16;
  pixels[3 * pixel + 1] = packed >> 8;
  pixels[3 * pixel + 2] = packed;
}

const packedAt = (pixels: Uint8Array, pixel: number): number =>
  (pixels[3 * pixel] << 16) | (pixels[3 * pixel + 1] << 8) | pixels[3 * pixel + 2];

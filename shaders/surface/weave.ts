/** Kernel of plain weave, over one and under one, for canvas and linen. */

import type { Kernel, KernelThis } from "../kernel.ts";
import { float32sOf, layout } from "../lib/layout.ts";
import { ditherAt, entryOf, smooth } from "../lib/noise.ts";
import { packDithered, unpack } from "../lib/pack.ts";
import { mix, pixelAt, saturate } from "../lib/paint.ts";
import { stages } from "../lib/stages.ts";
import { lightOf, shaded, shading } from "./shading.ts";

/** Parameters of a cloth. */
export interface Cloth {
  readonly strength: number;
  /** Distance between neighbouring threads in pixels. */
  readonly size: number;
  /** How unequal in thickness threads are, 0…1. */
  readonly irregularity: number;
  /** Correlation length of a thread's thickness, in threads. */
  readonly evenness: number;
  /** How dark or light a thread can be beside the others, as a share of the light. */
  readonly tones: number;
  /** Amount of slubs, places where a thread is thick and light: 0…1. */
  readonly slubs: number;
  /** How steeply the threads rise and sink. */
  readonly relief: number;
  /** How dark the holes between the threads are, as a share of the light. */
  readonly holes: number;
  /** How much the twist of the yarn shows. */
  readonly twist: number;
  /** Share of their colour that highlights lose. */
  readonly bleached: number;
}

const CLOTH = layout({
  strength: 1,
  size: 1,
  irregularity: 1,
  evenness: 1,
  tones: 1,
  slubs: 1,
  relief: 1,
  holes: 1,
  twist: 1,
  bleached: 1,
});

/** A cloth as the kernel reads it. */
export function clothNumbers(cloth: Cloth): Float32Array {
  // Threads of two pixels or less show no shape, only their tone.
  const shown = Math.min(Math.max((cloth.size - 1.2) / 3, 0), 1);
  const twisted = Math.min(Math.max((cloth.size - 5) / 6, 0), 1);
  const record = {
    ...cloth,
    irregularity: 0.75 * cloth.irregularity,
    relief: cloth.relief * shown,
    holes: cloth.holes * shown,
    twist: cloth.twist * twisted,
  };
  return float32sOf(record, CLOTH);
}

/**
 * Returns the thread at a pixel, the pixel's position on it (−½…½) and its tone. Across the threads (`u`,
 * counted in threads) the sheet is stretched and squeezed by noise that changes slowly along them
 * (`v`), which makes them thick and thin without gaps.
 * @param salt chooses a part of the table
 */
function threadAt(
  u: number,
  v: number,
  salt: number,
  cloth: Cloth,
  table: Float32Array,
): { readonly thread: number; readonly across: number; readonly tone: number } {
  const i = Math.floor(u);
  const j = Math.floor(v);
  const tv = smooth(v - j);
  const left = entryOf(table, i) + (j + salt);
  const right = entryOf(table, i + 1) + (j + salt);
  const a0 = entryOf(table, left);
  const a1 = entryOf(table, left + 1);
  const b0 = entryOf(table, right);
  const b1 = entryOf(table, right + 1);
  const before = (a0 + (a1 - a0) * tv) / 4096 - 0.5;
  const after = (b0 + (b1 - b0) * tv) / 4096 - 0.5;
  const drawn = u + cloth.irregularity * (before + (after - before) * (u - i));

  const thread = Math.floor(drawn);
  // Tone and slubs of this very thread, on a longer scale.
  const far = v * 0.37 + thread * 0.61;
  const k = Math.floor(far);
  const share = smooth(far - k);
  const own = entryOf(table, thread) + k + 911 + salt;
  const c0 = entryOf(table, own) / 4096;
  const c1 = entryOf(table, own + 1) / 4096;
  const p0 = c0 * c0 * c0 * c0;
  const p1 = c1 * c1 * c1 * c1;
  const tone = c0 + (c1 - c0) * share;
  const slub = p0 * p0 + (p1 * p1 - p0 * p0) * share;
  return {
    thread,
    across: drawn - thread - 0.5,
    tone: cloth.tones * (tone - 0.5) + cloth.slubs * (slub - 0.11) * 0.4,
  };
}

/** Yarn is twisted: fine stripes aslant on each thread, −1…1. */
function stripeAt(along: number, across: number): number {
  const turn = along * 2.6 + across * 2.2;
  return Math.abs(turn - Math.floor(turn) - 0.5) * 4 - 1;
}

/**
 * Returns the lightness at a crossing of two threads. A thread is a rounded ridge that rises where it is
 * on top; the higher one is visible, and where neither is high there is a hole. Edges of
 * threads are in holes, so the result is continuous.
 * @param u, v place of the pixel, counted in threads
 */
function crossingShade(
  u: number,
  v: number,
  warp: { readonly thread: number; readonly across: number; readonly tone: number },
  weft: { readonly thread: number; readonly across: number; readonly tone: number },
  cloth: Cloth,
): number {
  const half = Math.floor((warp.thread + weft.thread) / 2);
  const over = warp.thread + weft.thread - 2 * half < 0.5 ? 1 : -1;
  // Round across: (1 − 4d²)², whose slope is 0 at the edge; up and down along: ±(1 − 4d²).
  const a = 1 - 4 * warp.across * warp.across;
  const b = 1 - 4 * weft.across * weft.across;
  const warpRise = 1 + 0.75 * over * b;
  const weftRise = 1 - 0.75 * over * a;
  const warpHeight = a * a * warpRise;
  const weftHeight = b * b * weftRise;
  const top = smooth(saturate(0.5 + 1.6 * (warpHeight - weftHeight)));
  // Slopes to the right and down, of the warp and of the weft; light from the upper left.
  const warpSlope =
    0.64 * (-16 * warp.across * a * warpRise) * 0.35 - 0.77 * (6 * over * weft.across) * a * a;
  const weftSlope =
    0.77 * (-16 * weft.across * b * weftRise) * 0.35 + 0.64 * (6 * over * warp.across) * b * b;
  const slope = 0.25 * (weftSlope + (warpSlope - weftSlope) * top);
  const high = weftHeight + (warpHeight - weftHeight) * top;
  const tone = weft.tone * b + (warp.tone * a - weft.tone * b) * top;
  const warpStripe = stripeAt(v, warp.across);
  const weftStripe = stripeAt(u, weft.across);
  const stripe = weftStripe * b + (warpStripe * a - weftStripe * b) * top;
  const lit = (cloth.relief * slope) / Math.sqrt(1 + slope * slope);
  const shut = Math.min(high, 1) - 0.72;
  return lit + cloth.holes * shut + tone + cloth.twist * stripe;
}

/** The warp's threads run down the sheet, the weft's across. */
function weave(
  this: KernelThis,
  colour: Float32Array,
  firstRow: number,
  width: number,
  // biome-ignore lint/correctness/noUnusedFunctionParameters: all effects are called alike
  height: number,
  cloth: Cloth,
  table: Float32Array,
): number {
  const { row, column: x } = pixelAt(this.thread.x, width);
  const y = row + firstRow;
  const { strength, size } = cloth;
  const length = size * cloth.evenness;
  const u = (x + 0.5) / size;
  const v = (y + 0.5) / size;
  const warp = threadAt(u + 0.31, (y + 0.5) / length, 0, cloth, table);
  const weft = threadAt(v + 0.31, (x + 0.5) / length, 1733, cloth, table);
  const random = ditherAt(table, x, y);
  const fuzz = 0.05 * (random - 0.5);
  const shade = crossingShade(u, v, warp, weft, cloth) + fuzz;
  const light = Math.max(1 + strength * (shade - 0.08), 0.02);
  const gloss = 65025 * 0.01 * strength * Math.max(1 + 2.5 * shade, 0);

  const { red, green, blue } = unpack(colour[this.thread.x]);
  const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  const grey = { red: luma, green: luma, blue: luma };
  const bleached = strength * cloth.bleached * saturate(0.4 + shade * 2);
  const yarn = mix({ red, green, blue }, grey, bleached);
  return packDithered(shaded(lightOf(yarn), light, gloss), random);
}

/** Plain weave. */
export const weaveKernel: Kernel = {
  run: weave,
  helpers: [threadAt, crossingShade, stripeAt, ...shading, ...stages],
  records: { cloth: CLOTH },
};

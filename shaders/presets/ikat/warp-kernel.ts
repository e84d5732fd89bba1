/** Weaves motifs from threads that were dyed before: each thread carries them a little off. */

import type { Kernel, KernelThis } from "../../kernel.ts";
import type { Rgb } from "../../lib/layout.ts";
import { periodicNoise } from "../../lib/noise.ts";
import { packRgb } from "../../lib/pack.ts";
import { lit, mix, nearest, pixelAt, saturate, sum } from "../../lib/paint.ts";
import { stages } from "../../lib/stages.ts";
import { CLOTH, type ClothRecord } from "./cloth.ts";
import { MOTIF, type MotifRecord } from "./motifs.ts";
import { SAMPLES } from "./outlines.ts";

/**
 * How far a thread has slipped along itself, how full its colour is, and what makes it stand out:
 * five noises, the finest a thread wide. Those finer than pixels blur instead.
 */
function threadAt(
  u: number,
  v: number,
  cloth: ClothRecord,
  pixel: number,
  height: number,
  table: Float32Array,
): { readonly slip: number; readonly blur: number; readonly tone: number; readonly bare: number } {
  let slip = 0;
  let blur = cloth.bleeding * cloth.bleeding + 0.25 / (height * height);
  let tone = 0;
  let bare = 0;
  for (let octave = 0; octave < 5; octave++) {
    const across = cloth.across[octave];
    const down = cloth.down[octave];
    const seen = saturate(1.7 - 2 * across * pixel);
    const value = periodicNoise(table, u * across, v * down, across, down, octave * 600);
    const noise = (seen * value) / 4096 - 0.5 * seen;
    slip += cloth.slips[octave] * noise;
    tone += cloth.tones[octave] * noise;
    bare += cloth.bareness[octave] * noise;
    const lost = cloth.slips[octave] * (1 - seen) * 0.29;
    blur += lost * lost;
  }
  return { slip, blur: Math.sqrt(blur), tone, bare };
}

/** An outline's width at a height that counts in samples. */
function widthAt(outlines: Float32Array, row: number, height: number): number {
  const at = row * SAMPLES + Math.floor(height);
  return outlines[at] + (outlines[at + 1] - outlines[at]) * (height - Math.floor(height));
}

/** How much of a pixel a motif covers, `dx` and `t` half widths and heights from its middle. */
function coverOf(
  motif: MotifRecord,
  outlines: Float32Array,
  dx: number,
  t: number,
  soft: number,
  step: number,
): number {
  // Where the outline runs a little above and a little below: the pixel, and the blur.
  const above = Math.min(Math.max((t - soft + 1) * 32, 0), 63.999);
  const below = Math.min(Math.max((t + soft + 1) * 32, 0), 63.999);
  const first = widthAt(outlines, motif.outline, above);
  const second = widthAt(outlines, motif.outline, below);
  const outside = (0.5 * (first + second) - dx) / (Math.abs(first - second) + step) + 0.5;
  const third = widthAt(outlines, motif.inside, above);
  const fourth = widthAt(outlines, motif.inside, below);
  const inside = (dx - 0.5 * (third + fourth)) / (Math.abs(third - fourth) + step) + 0.5;
  const ends = (1 - Math.abs(t)) / (2 * soft) + 0.5;
  return saturate(Math.min(Math.min(outside, inside), ends));
}

/** The motifs as the dye has run, from the lowest up. */
function dyedAt(
  u: number,
  v: number,
  blur: number,
  pixel: number,
  motifs: readonly MotifRecord[],
  count: number,
  outlines: Float32Array,
  cloth: ClothRecord,
): Rgb {
  let colour: Rgb = cloth.ground;
  const { x: repeatsX, y: repeatsY } = cloth.repeats;
  const cellX = u * repeatsX;
  const cellY = v * repeatsY;
  for (let index = 0; index < count; index++) {
    const motif = motifs[index];
    const dy = nearest(cellY - motif.y);
    const tall = motif.tall;
    const soft = (blur * repeatsY) / tall;
    const t = dy / tall;
    if (Math.abs(t) < 1 + soft) {
      const dx = Math.abs(nearest(cellX - motif.x)) / motif.wide;
      const step = (pixel * repeatsX) / motif.wide;
      colour = mix(colour, motif.colour, coverOf(motif, outlines, dx, t, soft, step));
    }
  }
  return colour;
}

/** The light on warp and weft, which fades where pixels are wider than threads. */
function lightAt(
  u: number,
  v: number,
  tone: number,
  cloth: ClothRecord,
  pixel: number,
  height: number,
): number {
  const threads = cloth.across[4];
  const thread = u * threads - Math.floor(u * threads) - 0.5;
  const shoot = v * cloth.shoots - Math.floor(v * cloth.shoots) - 0.5;
  const warpSeen = saturate(1.7 - 2 * threads * pixel);
  const weftSeen = saturate(1.7 - (2 * cloth.shoots) / height);
  return (
    (1 + tone) *
    (1 + cloth.warpLight * warpSeen * (0.08 - thread * thread)) *
    (1 + cloth.weftLight * weftSeen * (0.08 - shoot * shoot))
  );
}

/**
 * `motifs`: `count` of them, from the lowest up; `outlines`: a row of `SAMPLES` numbers each;
 * `table`: 4096-entry permutation.
 */
function weaveMotifs(
  this: KernelThis,
  width: number,
  height: number,
  motifs: readonly MotifRecord[],
  count: number,
  outlines: Float32Array,
  cloth: ClothRecord,
  table: Float32Array,
): number {
  const { row, column } = pixelAt(this.thread.x, width);
  const v = (row + 0.5) / height;
  // Threads are finer than the pixels of a small picture: there each pixel is the mean of up to
  // four beside each other.
  const taps = Math.min(Math.ceil(1024 / width), 4);
  const pixel = 1 / (width * taps);
  let mean: Rgb = { red: 0, green: 0, blue: 0 };
  for (let tap = 0; tap < taps; tap++) {
    const u = (column + (tap + 0.5) / taps) / width;
    const { slip, blur, tone, bare } = threadAt(u, v, cloth, pixel, height, table);
    const dyed = dyedAt(u, v + slip, blur, pixel, motifs, count, outlines, cloth);
    // Threads that took little dye show their own colour.
    const pale = saturate((bare - cloth.bareAt) * 4) * cloth.bareShown;
    const colour = mix(dyed, cloth.bare, pale);
    mean = sum(mean, lit(colour, lightAt(u, v, tone, cloth, pixel, height)));
  }
  return packRgb({ red: mean.red / taps, green: mean.green / taps, blue: mean.blue / taps });
}

export const warpKernel: Kernel = {
  run: weaveMotifs,
  helpers: [threadAt, widthAt, coverOf, dyedAt, lightAt, ...stages],
  records: { motifs: MOTIF, cloth: CLOTH },
  literals: { SAMPLES },
};

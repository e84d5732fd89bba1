/** Paints discs from the lowest up, each with its shadow, its hand's wobble and its brush. */

import type { Kernel, KernelThis } from "../../kernel.ts";
import { type Rgb, recordAt } from "../../lib/layout.ts";
import { bilinear, periodicNoise, smooth } from "../../lib/noise.ts";
import { packRgb } from "../../lib/pack.ts";
import { coverage, lit, mix, nearest, pixelAt, saturate } from "../../lib/paint.ts";
import { stages } from "../../lib/stages.ts";
import { DOT, type DotRecord, GRID, PAINT, type PaintRecord } from "./dot-table.ts";

/** The ground's tooth: value noise on lattices that wrap; what is finer than a pixel fades out. */
function toothAt(u: number, v: number, pixel: number, table: Float32Array): number {
  let tooth = 0;
  let size = 31;
  for (let octave = 0; octave < 3; octave++) {
    const noise = periodicNoise(table, u * size, v * size, size, size, octave * 700);
    tooth += (noise / 4096 - 0.5) * saturate(1.6 - 2.4 * size * pixel);
    size = size * 2 + 9;
  }
  return tooth;
}

/** Value noise, −½…½, for places that lie between 0 and some dozens. */
function strokeNoise(table: Float32Array, x: number, y: number, offset: number): number {
  const x0 = Math.floor(x);
  const y0 = Math.floor(y);
  const tx = smooth(x - x0);
  const ty = smooth(y - y0);
  const left = table[x0 + offset] + y0;
  const right = table[x0 + 1 + offset] + y0;
  const n00 = table[left < 4096 ? left : left - 4096];
  const n01 = table[left + 1 < 4096 ? left + 1 : left - 4095];
  const n10 = table[right < 4096 ? right : right - 4096];
  const n11 = table[right + 1 < 4096 ? right + 1 : right - 4095];
  return bilinear(n00, n10, n01, n11, tx, ty) / 4096 - 0.5;
}

/**
 * Irregularity of the hand. The rim's noise is sampled around a circle, so that it closes; that of the
 * streaks is long along the brush.
 * @param along, over the place in the brush's own directions, in radii
 */
function handAt(
  dx: number,
  dy: number,
  away: number,
  along: number,
  over: number,
  bleeding: number,
  offset: number,
  table: Float32Array,
): { readonly rim: number; readonly streak: number } {
  const round = 1 / (away + 0.000001);
  let rim = 0;
  let streak = 0;
  for (let octave = 0; octave < 4; octave++) {
    const x =
      octave < 2
        ? dx * round * (0.9 + octave * 1.9) + 40
        : along * (octave - 1.2) * (0.5 + 3 * bleeding) + 40;
    const y =
      octave < 2 ? dy * round * (0.9 + octave * 1.9) + 40 : over * (octave * 4.6 - 5.7) + 40;
    const noise = strokeNoise(table, x, y, offset);
    if (octave < 2) rim += noise * (1.3 - 0.8 * octave);
    else streak += noise * (1.1 - 0.2 * octave);
  }
  return { rim, streak };
}

/** A dot over what lies beneath it, `dx` and `dy` from its middle. */
function brushed(
  under: Rgb,
  dot: DotRecord,
  paint: PaintRecord,
  dx: number,
  dy: number,
  away: number,
  pixel: number,
  table: Float32Array,
): Rgb {
  const radius = dot.radius;
  const along = (dx * dot.axis.x + dy * dot.axis.y) / radius;
  const over = (dy * dot.axis.x - dx * dot.axis.y) / radius;
  const { rim, streak } = handAt(dx, dy, away, along, over, paint.bleeding, dot.offset, table);
  const depth = radius * (1 + paint.wobble * (rim + 0.35 * streak)) - away;
  // A brush runs dry in streaks, sooner towards the rim.
  const dry = saturate((streak - paint.dryAt - 0.9 * Math.min(depth / radius, 0.3)) * 9);
  const cover = coverage(depth, pixel) * dot.opacity * (1 - paint.bare * dry);
  // Two halves, or one colour that runs into another.
  const split = along * Math.min(dot.split, radius / pixel);
  const share = saturate(0.5 + split + paint.bleeding * streak);
  // Pigment gathers where wet paint ends.
  const edge = 1 / (1 + (depth * depth) / (radius * radius * 0.004));
  const light =
    (1 + paint.streaks * streak) * (1 - paint.pooling * edge) * (1 - paint.dome * (along + over));
  return mix(under, lit(mix(dot.colour, dot.to, share), light), cover);
}

/** The shadow that a dot throws which lies `lift` above the ground. */
function shadeOf(dx: number, dy: number, radius: number, lift: number, shadow: number): number {
  const sx = dx - lift;
  const sy = dy - lift * 1.3;
  const away = Math.sqrt(sx * sx + sy * sy) - radius;
  const dark = saturate(0.5 - away / (4 * lift));
  return 1 - shadow * dark * dark * (3 - 2 * dark);
}

/** `list` and `starts`: the dots that reach each cell of the grid; `table`: 4096-entry permutation. */
function paintDots(
  this: KernelThis,
  width: number,
  height: number,
  dots: readonly DotRecord[],
  list: Float32Array,
  starts: Float32Array,
  paint: PaintRecord,
  table: Float32Array,
): number {
  const { row, column } = pixelAt(this.thread.x, width);
  const u = (column + 0.5) / width;
  const v = (row + 0.5) / height;
  const pixel = 1 / width;
  const tooth = toothAt(u, v, pixel, table);

  let colour: Rgb = paint.ground;
  const cell = Math.floor(v * GRID) * GRID + Math.floor(u * GRID);
  const end = starts[cell + 1];
  for (let entry = starts[cell]; entry < end; entry += 1) {
    const dot = recordAt(dots, list[entry]);
    const dx = nearest(u - dot.x);
    const dy = nearest(v - dot.y);
    const radius = dot.radius;
    const lift = dot.lift;
    if (lift > 0) colour = lit(colour, shadeOf(dx, dy, radius, lift, paint.shadow));
    const away = Math.sqrt(dx * dx + dy * dy);
    if (away < radius * (1 + paint.wobble) + pixel) {
      colour = brushed(colour, dot, paint, dx, dy, away, pixel, table);
    }
  }
  return packRgb(lit(colour, 1 + tooth * paint.tooth));
}

export const dotKernel: Kernel = {
  run: paintDots,
  helpers: [toothAt, strokeNoise, handAt, brushed, shadeOf, ...stages],
  records: { dots: DOT, paint: PAINT },
  literals: { GRID },
};

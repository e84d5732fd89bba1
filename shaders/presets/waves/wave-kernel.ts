/** Paints waves that lie one before the other: scales in rows, or swells with a sun between. */

import type { Kernel, KernelThis } from "../../kernel.ts";
import {
  BAND,
  type BandRecord,
  BUCKETS,
  bandAt,
  bandStages,
  sumWithin,
} from "../../lib/band-table.ts";
import { type Rgb, recordAt } from "../../lib/layout.ts";
import { periodicNoise } from "../../lib/noise.ts";
import { packRgb } from "../../lib/pack.ts";
import { coverage, lit, nearest, pixelAt, saturate, sum, wrap } from "../../lib/paint.ts";
import { stages } from "../../lib/stages.ts";
import { LOOK, type LookRecord } from "./looks.ts";
import { SWELL, type SwellRecord } from "./swells.ts";

/**
 * Value noise on lattices that wrap: a hand that strays (the first three, two apiece for across
 * and down), then the paper's tooth and the wood of the block; what is too fine fades out.
 */
function handAt(
  u: number,
  v: number,
  pixel: number,
  table: Float32Array,
): { readonly tooth: number; readonly strayU: number; readonly strayV: number } {
  let tooth = 0;
  let strayU = 0;
  let strayV = 0;
  for (let octave = 0; octave < 8; octave++) {
    const fine = Math.floor(octave / 2);
    let across = 7 + fine * 16;
    let down = across;
    if (octave === 6) {
      across = 5;
      down = 130;
    }
    if (octave === 7) {
      across = 160;
      down = 160;
    }
    const value = periodicNoise(table, u * across, v * down, across, down, octave * 300);
    const noise = value / 4096 - 0.5;
    const weight = 1 / (1 + fine * 2.5);
    if (octave === 0 || octave === 2 || octave === 4) strayU += noise * weight;
    if (octave === 1 || octave === 3 || octave === 5) strayV += noise * weight;
    if (octave > 5) tooth += noise * saturate(1.6 - 2.4 * down * pixel);
  }
  return { tooth, strayU, strayV };
}

/**
 * How far inside a shape a pixel lies (to first order), the depth along its profile, how much of
 * that a pixel covers, and which profile it is.
 */
interface Shape {
  readonly inside: number;
  readonly depth: number;
  readonly grade: number;
  readonly profile: number;
}

/** `profiles`: that of each scale, row after row. */
function scaleAt(
  u: number,
  v: number,
  lane: number,
  wrapped: number,
  look: LookRecord,
  profiles: Float32Array,
): Shape {
  const count = look.count;
  const radius = look.radius;
  const shift = wrapped - 2 * Math.floor((wrapped + 0.5) / 2) > 0.5 ? 0.5 / count : 0;
  const place = Math.floor((u - shift) * count + 0.5);
  const dx = u - shift - place / count;
  const dy = v - lane / look.rows;
  const low = dy - look.eccentric * radius;
  const whole = radius * (1 + Math.abs(look.eccentric));
  return {
    inside: radius - Math.sqrt(dx * dx + dy * dy),
    depth: Math.sqrt(dx * dx + low * low) / whole,
    grade: 1 / whole,
    profile: profiles[wrapped * count + wrap(place, count)],
  };
}

/** Two waves, each between round and pointed, leaning forwards; `fall` is the way below troughs. */
function swellAt(swell: SwellRecord, u: number, fall: number, look: LookRecord): Shape {
  let crest = 0;
  let slope = 0;
  for (let index = 0; index < 2; index++) {
    const wave = swell.waves[index];
    const x = (u - swell.lean * fall) * wave.count + wave.begin;
    const t = x - Math.floor(x);
    const s = 2 * Math.abs(t - 0.5);
    const way = t < 0.5 ? -2 : 2;
    const sharp = look.sharp;
    crest += wave.height * (sharp * (1 - s) * (1 - s) + (1 - sharp) * (1 - s * s * (3 - 2 * s)));
    slope -= wave.height * wave.count * way * (1 - s) * (2 * sharp + (1 - sharp) * 6 * s);
  }
  const rise = 1 - swell.lean * slope;
  const steep = Math.sqrt(slope * slope + rise * rise) + 0.05;
  return {
    inside: (fall + crest) / steep,
    depth: (fall + crest) / look.body,
    grade: steep / look.body,
    profile: swell.profile,
  };
}

/** The sun behind a swell. */
function sunAt(swell: SwellRecord, u: number, fall: number): Shape {
  const { x, rise, radius, profile } = swell.sun;
  const dx = nearest(u - x);
  const dy = fall - rise;
  const away = Math.sqrt(dx * dx + dy * dy);
  return { inside: radius - away, depth: away / radius, grade: 1 / radius, profile };
}

/** What a lane has in front, or behind that. */
function shapeAt(
  u: number,
  v: number,
  lane: number,
  lanes: number,
  behind: number,
  look: LookRecord,
  profiles: Float32Array,
  swells: readonly SwellRecord[],
): Shape {
  const wrapped = wrap(lane, lanes);
  const turn = Math.floor((lane + 0.5) / lanes);
  let shape: Shape = { inside: -1, depth: 0, grade: 0, profile: 0 };
  if (look.kind < 0.5) {
    if (behind < 0.5) shape = scaleAt(u, v, lane, wrapped, look, profiles);
  } else {
    const swell = swells[wrapped];
    const fall = v - swell.y - turn;
    if (behind < 0.5) {
      shape = swellAt(swell, u, fall, look);
    } else if (swell.sun.radius > 0) {
      shape = sunAt(swell, u, fall);
    }
  }
  const { inside, depth, grade, profile } = shape;
  return { inside, depth, grade, profile };
}

/**
 * The mean of a profile over the depths that the pixel covers, cut off where the profile ends: a
 * pixel on the rim shows the rim alone.
 */
function profileAt(
  shape: Shape,
  pixel: number,
  profiles: number,
  weight: number,
  bands: readonly BandRecord[],
  buckets: Float32Array,
): Rgb {
  const half = (0.5 * shape.grade * pixel) / profiles;
  const least = shape.profile / profiles;
  const most = (shape.profile + 1) / profiles;
  const middle = (shape.profile + shape.depth) / profiles;
  const from = Math.min(Math.max(middle - half, least), most - 0.00002);
  const to = Math.max(Math.min(middle + half, most), from + 0.00002);
  const none: Rgb = { red: 0, green: 0, blue: 0 };
  let colour: Rgb = { red: 0, green: 0, blue: 0 };
  for (let end = 0; end < 2; end++) {
    const part = end < 1 ? from : to;
    const band = recordAt(bands, bandAt(bands, buckets, part));
    colour = sum(colour, lit(sumWithin(band, part - band.start, 0, none), end < 1 ? -1 : 1));
  }
  return lit(colour, weight / (to - from));
}

/**
 * `profiles` of scales and `swells` are the same numbers: a look has either. `bands` and
 * `buckets`: all profiles in one sequence as lib/band-table.ts makes it; `table`: 4096-entry
 * permutation. From the foremost shape backwards, each takes its share of what is still open of
 * the pixel.
 */
function paintWaves(
  this: KernelThis,
  width: number,
  height: number,
  profiles: Float32Array,
  swells: readonly SwellRecord[],
  bands: readonly BandRecord[],
  buckets: Float32Array,
  look: LookRecord,
  table: Float32Array,
): number {
  const { row, column } = pixelAt(this.thread.x, width);
  const left = (column + 0.5) / width;
  const top = (row + 0.5) / height;
  const pixel = 1 / width;
  const { tooth, strayU, strayV } = handAt(left, top, pixel, table);
  const u = left + look.hand * strayU;
  const v = top + look.hand * strayV;

  const lanes = look.kind < 0.5 ? look.rows : look.count;
  const foremost = Math.floor((v + look.reach) * lanes);
  let colour: Rgb = { red: 0, green: 0, blue: 0 };
  let open = 1;
  for (let step = 0; step < 60; step++) {
    const lane = foremost - Math.floor((step + 0.5) / 2);
    const behind = step - 2 * Math.floor((step + 0.5) / 2);
    const shape = shapeAt(u, v, lane, lanes, behind, look, profiles, swells);
    const inside = shape.inside;
    const cover = coverage(inside, pixel);
    if (cover > 0) {
      const part = profileAt(shape, pixel, look.profiles, open * cover, bands, buckets);
      colour = sum(colour, part);
    }
    open = open * (1 - cover);
    if (open < 0.003) break;
    // Shapes cast shadows on those behind them.
    if (inside > -look.shadowReach && inside < 0.5 * pixel) {
      const near = 1 + Math.min(inside, 0) / look.shadowReach;
      open = open * (1 - look.shadow * near * near);
    }
  }
  return packRgb(lit(colour, 1 + tooth * look.tooth));
}

export const waveKernel: Kernel = {
  run: paintWaves,
  helpers: [handAt, shapeAt, scaleAt, swellAt, sunAt, profileAt, ...bandStages, ...stages],
  records: { swells: SWELL, bands: BAND, look: LOOK },
  literals: { BUCKETS },
};

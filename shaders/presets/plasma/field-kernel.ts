/** Paints the levels of a warped field: silk, cut paper, contour lines, grain. */

import type { Kernel, KernelThis } from "../../kernel.ts";
import {
  BAND,
  type BandRecord,
  BUCKETS,
  bandAt,
  bandStages,
  meanColour,
} from "../../lib/band-table.ts";
import { type Rgb, recordAt } from "../../lib/layout.ts";
import { slopedNoise, smooth } from "../../lib/noise.ts";
import { packRgb } from "../../lib/pack.ts";
import { coverage, glossed, lit, mix, pixelAt, saturate } from "../../lib/paint.ts";
import { stages } from "../../lib/stages.ts";
import { TERM, type TermRecord } from "./field-terms.ts";
import { LOOK, type LookRecord } from "./looks.ts";

/** The field at a pixel, with slopes on the sheet: `Across` to the right, `Down` downwards. */
interface Field {
  /** Where the pixel has been moved to. */
  readonly u: number;
  readonly v: number;
  readonly uAcross: number;
  readonly uDown: number;
  readonly vAcross: number;
  readonly vDown: number;
  readonly level: number;
  readonly levelAcross: number;
  readonly levelDown: number;
  readonly tint: number;
  readonly ray: number;
}

/**
 * Adds up the noises. Each is read where those before it have moved the pixel to; their slopes are
 * carried along by the chain rule, so that the field's slope on the sheet is exact.
 */
function fieldAt(
  left: number,
  top: number,
  terms: readonly TermRecord[],
  count: number,
  table: Float32Array,
): Field {
  let u = left;
  let v = top;
  let uAcross = 1;
  let uDown = 0;
  let vAcross = 0;
  let vDown = 1;
  let level = 0;
  let levelAcross = 0;
  let levelDown = 0;
  let tint = 0;
  let ray = 0;
  for (let index = 0; index < count; index++) {
    const term = terms[index];
    const across = term.across;
    const down = term.down;
    const noise = slopedNoise(table, across * u, down * v, across, down, term.offset);
    const slopeX = (across * noise.slopeX) / 31.5;
    const slopeY = (down * noise.slopeY) / 31.5;
    const noiseAcross = slopeX * uAcross + slopeY * vAcross;
    const noiseDown = slopeX * uDown + slopeY * vDown;
    u += term.warp.x * noise.value;
    uAcross += term.warp.x * noiseAcross;
    uDown += term.warp.x * noiseDown;
    v += term.warp.y * noise.value;
    vAcross += term.warp.y * noiseAcross;
    vDown += term.warp.y * noiseDown;
    level += term.level * noise.value;
    levelAcross += term.level * noiseAcross;
    levelDown += term.level * noiseDown;
    tint += term.tint * noise.value;
    ray += term.ray * noise.value;
  }
  return { u, v, uAcross, uDown, vAcross, vDown, level, levelAcross, levelDown, tint, ray };
}

/**
 * Grain: value noise that scatters the levels, as sprayed or printed colour does. Divided by the
 * root of the weights' squares, it varies as much between its points as on them.
 */
function grainAt(table: Float32Array, x: number, y: number, seen: number): number {
  const x0 = Math.floor(x);
  const y0 = Math.floor(y);
  const tx = x - x0;
  const ty = y - y0;
  const left = table[x0] + y0;
  const right = table[x0 + 1 < GRAIN ? x0 + 1 : 0] + y0;
  const next = y0 + 1 < GRAIN ? 1 : 1 - GRAIN;
  const i00 = left < 4096 ? left : left - 4096;
  const i10 = right < 4096 ? right : right - 4096;
  const i01 = left + next < 4096 ? left + next : left + next - 4096;
  const i11 = right + next < 4096 ? right + next : right + next - 4096;
  const norm = 1 / Math.sqrt(((1 - tx) * (1 - tx) + tx * tx) * ((1 - ty) * (1 - ty) + ty * ty));
  const upper = table[i00] + (table[i10] - table[i00]) * tx - 2047.5;
  const lower = table[i01] + (table[i11] - table[i01]) * tx - 2047.5;
  return ((upper + (lower - upper) * ty) / 4096) * norm * seen;
}

/**
 * Where two bands meet, `below` and `above` a pixel: the band above lies on top and throws its
 * shadow, longer away from the light at the upper left; then there may be a line.
 * @param slope how much the field rises to the right and downwards, over how steep it is
 */
function withEdges(
  colour: Rgb,
  look: LookRecord,
  below: number,
  above: number,
  pixel: number,
  slope: number,
): Rgb {
  const away = 0.62 - slope;
  const near = Math.max(0, 1 - above / (look.shadowReach * away));
  // Where the edge runs through the pixel, the part of it that lies below is in shade.
  const under = Math.max(
    Math.min(above / pixel + 0.5, 1) * near * near,
    Math.max(0.5 - below / pixel, 0),
  );
  const shade = 1 - look.shadow * under;
  const drawn = Math.max(look.lineWidth, 0.6 * pixel);
  const line =
    look.line *
    coverage(drawn - Math.min(below, above), pixel) *
    Math.min((look.lineWidth / drawn) * Math.min((below + above) / (4 * drawn), 1), 1);
  return mix(lit(colour, shade), look.lineColour, line);
}

/** A second field lays one colour over its heights and another over its depths. */
function tinted(colour: Rgb, look: LookRecord, tint: number, grain: number): Rgb {
  const first = smooth(saturate((tint + look.tintGrain * grain) * 2.6 - 0.15)) * look.tint;
  const second = smooth(saturate((0 - tint + look.tintGrain * grain) * 2.6 - 0.15)) * look.tint;
  return {
    red: tintedChannel(colour.red, look.heights.red, first, look.depths.red, second),
    green: tintedChannel(colour.green, look.heights.green, first, look.depths.green, second),
    blue: tintedChannel(colour.blue, look.heights.blue, first, look.depths.blue, second),
  };
}

const tintedChannel = (value: number, high: number, first: number, low: number, second: number) =>
  value + ((high - value) * first + (low - value) * second);

/**
 * `bands` and `buckets`: the colours from level to level as lib/band-table.ts makes them;
 * `table`: 4096-entry permutation.
 */
function paintField(
  this: KernelThis,
  width: number,
  height: number,
  terms: readonly TermRecord[],
  count: number,
  bands: readonly BandRecord[],
  buckets: Float32Array,
  look: LookRecord,
  table: Float32Array,
): number {
  const { row, column } = pixelAt(this.thread.x, width);
  const pixel = 1 / width;
  const left = (column + 0.5) / width;
  const top = (row + 0.5) / height;
  const field = fieldAt(left, top, terms, count, table);

  // Levels also rise steadily, in whole steps over the picture, so that they close.
  const { x, y } = look.course;
  const place = look.cycles * field.level + x * field.u + y * field.v + look.begin;
  const rise = look.cycles * field.levelAcross + x * field.uAcross + y * field.vAcross;
  const fall = look.cycles * field.levelDown + x * field.uDown + y * field.vDown;
  const steep = Math.sqrt(rise * rise + fall * fall) + 0.0001;

  const seen = saturate(width / GRAIN - 0.6);
  const grain = grainAt(table, (column + 0.5) * pixel * GRAIN, top * GRAIN, seen);
  // Grain sets in after a round's first edge and ends before its last, which so stay sharp.
  const round = place - Math.floor(place);
  const scatter = 4 * look.grain * round * (1 - round);
  // Finer than a pixel, the grain is the mean over all that it scatters.
  const foot = Math.max(steep * pixel + scatter * 0.5 * (1 - seen), 0.00002);
  let level = place + scatter * grain;
  if (look.held > 0.5) {
    const half = Math.min(foot * 0.5, 0.5);
    level = Math.min(Math.max(level, half), 1 - half);
  }

  const part = level - Math.floor(level);
  const band = recordAt(bands, bandAt(bands, buckets, part));
  const run = part - band.start;
  let below = run / steep;
  let above = (band.length - run) / steep;
  // Where levels are held no band comes before the first and none after the last.
  if (look.held > 0.5 && level < bands[0].length) below = 1;
  if (look.held > 0.5 && level > 1 - bands[0].length) above = 1;

  let colour = meanColour(level, foot, bands, buckets, look.total);
  colour = withEdges(colour, look, below, above, pixel, (0.27 * (rise + fall)) / steep);
  colour = tinted(colour, look, field.tint, grain);

  // Light falls from the upper left; folds catch it and shine where they face it.
  const lean = (0 - rise - fall) * 0.7 * look.depth;
  const face = lean / Math.sqrt(1 + steep * steep * look.depth * look.depth);
  const light = (1 + look.light * face) * (1 + look.rays * field.ray) * (1 + 0.06 * grain);
  const shine = Math.max(face - 0.35, 0);
  return packRgb(glossed(colour, light, look.gloss * shine * shine));
}

/** Cells of the grain along an edge. */
const GRAIN = 420;

export const fieldKernel: Kernel = {
  run: paintField,
  helpers: [fieldAt, grainAt, withEdges, tinted, tintedChannel, ...bandStages, ...stages],
  records: { terms: TERM, bands: BAND, look: LOOK },
  literals: { GRAIN, BUCKETS },
};

/** Paints medallions: rings of parts, folded into one sector by the mirrors of their order. */

import type { Kernel, KernelThis } from "../../kernel.ts";
import { type Rgb, recordAt } from "../../lib/layout.ts";
import { smooth, unevenness } from "../../lib/noise.ts";
import { packRgb } from "../../lib/pack.ts";
import { coverage, lit, mix, nearest, pixelAt, saturate, sum } from "../../lib/paint.ts";
import { stages } from "../../lib/stages.ts";
import { GRID, MEDALS, type MedalRecord, type MedalsRecord } from "./medals.ts";
import { OUTERMOST, PART, type PartRecord, RINGS } from "./parts.ts";

/** A place beside a line from the centre. */
interface Place {
  readonly along: number;
  readonly beside: number;
}

/** A place beside the spoke nearest to it: spokes come in opposite pairs, each a turn from the last. */
function besideSpoke(
  medal: MedalRecord,
  dx: number,
  dy: number,
): { readonly along: number; readonly across: number } {
  let spokeX = medal.spoke.x;
  let spokeY = medal.spoke.y;
  let along = 0;
  let across = 0;
  let most = -1;
  const pairs = medal.pairs;
  for (let pair = 0; pair < pairs; pair++) {
    const dot = dx * spokeX + dy * spokeY;
    if (Math.abs(dot) > most) {
      most = Math.abs(dot);
      along = most;
      across = (dy * spokeX - dx * spokeY) * (dot < 0 ? -1 : 1);
    }
    const turned = spokeX * medal.turn.x - spokeY * medal.turn.y;
    spokeY = spokeX * medal.turn.y + spokeY * medal.turn.x;
    spokeX = turned;
  }
  return { along, across };
}

/** A part's paint over what lies beneath it. */
function painted(
  under: Rgb,
  part: PartRecord,
  depth: number,
  beside: number,
  s: number,
  pixel: number,
): Rgb {
  const near = Math.max(0, 1 + Math.min(depth, 0) / 0.035);
  const shaded = lit(under, 1 - part.shadow * near * near);
  // Lines thinner than a pixel are drawn fainter instead.
  const line = part.lineWidth;
  const faint = Math.min(line / pixel, 1);
  const cover = coverage(depth, pixel);
  const body = coverage(depth - line, pixel);
  const gap = 0.4 * line - Math.abs(depth - part.echo);
  const echo = part.echo > 0 ? saturate(gap / pixel + 0.5) * Math.min((0.8 * line) / pixel, 1) : 0;
  const vein =
    coverage(part.vein - beside, pixel) *
    Math.min((2 * part.vein) / pixel, 1) *
    saturate((0.86 - s) * 8);
  const drawn = Math.max(Math.max(echo, vein), (1 - body) * (line > 0 ? 1 : 0));
  const inked = body > 0.999 ? drawn : Math.max(drawn * faint, Math.max(echo, vein));
  const solid = part.solid;
  // Where the fill is not solid only the lines cover.
  const weight = cover * (solid + (1 - solid) * inked);
  const ink = inked / Math.max(solid + (1 - solid) * inked, 0.0001);
  const fill = mix(part.fill, part.end, smooth(saturate(s)));
  return mix(shaded, mix(fill, part.line, ink), weight);
}

/** A position folded by the mirrors of a medallion: relative to each kind of line with parts. */
interface Folds {
  /** The line between two spokes. */
  readonly alongMid: number;
  readonly besideMid: number;
  /** The nearer of that and the spoke. */
  readonly alongTwice: number;
  readonly besideTwice: number;
  /** The line between those two. */
  readonly alongGap: number;
  readonly besideGap: number;
}

function foldsAt(along: number, beside: number, medal: MedalRecord): Folds {
  const alongMid = along * medal.half.x + beside * medal.half.y;
  const besideMid = Math.abs(beside * medal.half.x - along * medal.half.y);
  const alongTwice = beside < besideMid ? along : alongMid;
  const besideTwice = Math.min(beside, besideMid);
  const alongGap = alongTwice * medal.quarter.x + besideTwice * medal.quarter.y;
  const besideGap = Math.abs(besideTwice * medal.quarter.x - alongTwice * medal.quarter.y);
  return { alongMid, besideMid, alongTwice, besideTwice, alongGap, besideGap };
}

/** The place that a part sees; folds are numbered in parts.ts. */
function foldedAt(fold: number, along: number, beside: number, folds: Folds): Place {
  let p = along;
  let q = beside;
  if (fold === 1) {
    p = folds.alongMid;
    q = folds.besideMid;
  }
  if (fold === 2) {
    p = folds.alongTwice;
    q = folds.besideTwice;
  }
  if (fold === 3) {
    p = folds.alongGap;
    q = folds.besideGap;
  }
  if (fold === 4) {
    p = folds.besideTwice < folds.besideGap ? folds.alongTwice : folds.alongGap;
    q = Math.min(folds.besideTwice, folds.besideGap);
  }
  return { along: p, beside: q };
}

/** A petal: its half width over its length and the slope of that, by the product rule. */
function petalDepth(part: PartRecord, q: number, s: number, across: number): number {
  const { long, wide, tip, bend } = part;
  const inner = saturate(s);
  const size = Math.abs(long);
  const side = bend === 0 ? q : Math.abs(across - bend * inner * inner * 2 * size);
  const foot = Math.sqrt(inner + 0.0001);
  const taper = 1 - tip;
  const rest = Math.sqrt(1.0001 - inner);
  const head = (1 - inner) * (taper + tip * rest);
  const slope = (wide * ((0.5 / foot) * head - foot * (taper + 1.5 * tip * rest))) / (2 * size);
  const steep = Math.min(Math.abs(slope) + Math.abs(2 * bend * inner), 3);
  return Math.min(
    (wide * foot * head - side) / Math.sqrt(1 + steep * steep),
    Math.min(s, 1 - s) * 2 * size,
  );
}

/**
 * Distance to a part's rim, positive inside; kinds are numbered in parts.ts.
 * @param x, q from its middle outwards and to the side
 * @param s how far along it, 0…1
 * @param across to the side of the spoke, not folded
 */
function depthIn(
  part: PartRecord,
  x: number,
  q: number,
  s: number,
  away: number,
  across: number,
): number {
  const kind = part.kind;
  const long = part.long;
  const wide = part.wide;
  let depth = long - Math.abs(away - part.at);
  if (kind === 1) depth = long - Math.sqrt(x * x + q * q);
  if (kind === 2) {
    // A lens between two circles.
    const bow = (long * long + wide * wide) / (2 * wide);
    depth = bow - Math.sqrt(x * x + (q + bow - wide) * (q + bow - wide));
  }
  if (kind === 3) depth = petalDepth(part, q, s, across);
  if (kind === 4) {
    const rim = (1 - Math.abs(x) / long - q / wide) * long * wide;
    depth = rim / Math.sqrt(long * long + wide * wide);
  }
  if (kind === 5) {
    // A triangle that points outwards.
    const lean = Math.sqrt(4 * long * long + wide * wide);
    depth = Math.min(x + long, ((wide * (1 - s) - q) * 2 * long) / lean);
  }
  if (kind === 6) depth = Math.min(wide - q, long - Math.abs(x));
  return depth;
}

/** A medallion over what lies beneath it; lengths in its radii, `dx` and `dy` from its centre. */
function medallion(
  under: Rgb,
  medal: MedalRecord,
  dx: number,
  dy: number,
  away: number,
  pixel: number,
  parts: readonly PartRecord[],
  list: Float32Array,
  starts: Float32Array,
): Rgb {
  let colour = under;
  const { along, across } = besideSpoke(medal, dx, dy);
  const beside = Math.abs(across);
  const folds = foldsAt(along, beside, medal);
  const ring = medal.firstRing + Math.floor((away / OUTERMOST) * RINGS);
  const last = starts[ring + 1];
  for (let entry = starts[ring]; entry < last; entry += 1) {
    const part = recordAt(parts, list[entry]);
    const place = foldedAt(part.fold, along, beside, folds);
    const x = place.along - part.at;
    const s = (x / part.long + 1) * 0.5;
    const depth = depthIn(part, x, place.beside, s, away, across);
    colour = painted(colour, part, depth, place.beside, s, pixel);
  }
  return colour;
}

/** The colour of a point: the ground and the medallions that touch its cell. */
function colourAt(
  u: number,
  v: number,
  pixels: number,
  medals: MedalsRecord,
  medalList: Float32Array,
  medalStarts: Float32Array,
  parts: readonly PartRecord[],
  partList: Float32Array,
  partStarts: Float32Array,
): Rgb {
  let colour: Rgb = medals.ground;
  const cell = Math.floor(v * GRID) * GRID + Math.floor(u * GRID);
  const last = medalStarts[cell + 1];
  for (let item = medalStarts[cell]; item < last; item += 1) {
    const medal = recordAt(medals.all, medalList[item]);
    const radius = medal.radius;
    const dx = nearest(u - medal.x) / radius;
    const dy = nearest(v - medal.y) / radius;
    const away = Math.sqrt(dx * dx + dy * dy);
    if (away < 1.14) {
      const pixel = 1 / (pixels * radius);
      colour = medallion(colour, medal, dx, dy, away, pixel, parts, partList, partStarts);
    }
  }
  return colour;
}

/**
 * `medalList` and `medalStarts`: the medallions that touch each cell of the grid; `partList` and
 * `partStarts`: the parts that reach into each ring of each design, the lowest first; `table`:
 * 4096-entry permutation. WebGPU promises 8 buffers a kernel, the result's among them.
 */
function paintMedals(
  this: KernelThis,
  width: number,
  height: number,
  medals: MedalsRecord,
  medalList: Float32Array,
  medalStarts: Float32Array,
  parts: readonly PartRecord[],
  partList: Float32Array,
  partStarts: Float32Array,
  table: Float32Array,
): number {
  const { row, column } = pixelAt(this.thread.x, width);
  // Line work is finer than the pixels of a small picture: there each pixel is the mean of up to
  // sixteen, so that the work is that of a picture of 1024 pixels at most.
  const taps = Math.min(Math.ceil(1024 / width), 4);
  const pixels = width * taps;
  let mean: Rgb = { red: 0, green: 0, blue: 0 };
  for (let tap = 0; tap < taps * taps; tap++) {
    const tapRow = Math.floor((tap + 0.5) / taps);
    const u = (column + (tap - tapRow * taps + 0.5) / taps) / width;
    const v = (row + (tapRow + 0.5) / taps) / height;
    mean = sum(
      mean,
      colourAt(u, v, pixels, medals, medalList, medalStarts, parts, partList, partStarts),
    );
  }
  const print = 1 + medals.unevenness * unevenness(table, column, row);
  return packRgb(lit(mean, print / (taps * taps)));
}

export const partKernel: Kernel = {
  run: paintMedals,
  helpers: [
    colourAt,
    medallion,
    besideSpoke,
    foldsAt,
    foldedAt,
    depthIn,
    petalDepth,
    painted,
    ...stages,
  ],
  records: { medals: MEDALS, parts: PART },
  literals: { GRID, OUTERMOST, RINGS },
};

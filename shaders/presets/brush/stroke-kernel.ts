/** Paints strokes of a brush: bristles that run dry, ragged ends, the rim that a wash leaves. */

import type { Kernel, KernelThis } from "../../kernel.ts";
import { layout, type RecordOf, RGB, type Rgb, recordAt } from "../../lib/layout.ts";
import { periodicNoise, valueNoise } from "../../lib/noise.ts";
import { packRgb } from "../../lib/pack.ts";
import { coverage, lit, mix, nearest, pixelAt, saturate, sum } from "../../lib/paint.ts";
import { stages } from "../../lib/stages.ts";
import { GRID, STROKE, type StrokeRecord } from "./strokes.ts";

/** The paper: its colour and how uneven it is. */
const GROUND = layout({ colour: RGB, unevenness: 1 });

/** The tooth of the paper, which a dry brush does not fill: two noises on lattices that wrap. */
function toothAt(u: number, v: number, pixel: number, table: Float32Array): number {
  let tooth = 0;
  for (let octave = 0; octave < 2; octave++) {
    const waves = octave === 0 ? 149 : 307;
    const noise = periodicNoise(table, u * waves, v * waves, waves, waves, octave * 1000);
    tooth += saturate(1.7 - 2 * waves * pixel) * (noise / 4096 - 0.5);
  }
  return tooth;
}

/** A place along a stroke and beside its middle line. */
interface Place {
  readonly along: number;
  readonly across: number;
}

function placeOn(stroke: StrokeRecord, kind: number, u: number, v: number): Place {
  const { x: axisX, y: axisY } = stroke.axis;
  const dx = nearest(u - stroke.x);
  const dy = nearest(v - stroke.y);
  let along = dx * axisX + dy * axisY;
  let across = dy * axisX - dx * axisY;
  if (kind === RING) {
    // A diamond angle, 0…4, in place of the angle.
    const slant = across / (Math.abs(along) + Math.abs(across) + 0.000001);
    let around = along < 0 ? 2 - slant : slant;
    around = around < 0 ? around + 4 : around;
    const radius = stroke.bend;
    across = Math.sqrt(along * along + across * across) - radius;
    along = (around - 2) * 1.5708 * radius;
  } else {
    across = across - stroke.bend * ((along * along) / stroke.long - stroke.long * 0.33);
  }
  if (kind === BAND) along = axisX > 0.5 ? u : v;
  return { along, across };
}

/** Texture of the bristles: patches, coarse and fine streaks; those finer than pixels fade out. */
interface Bristles {
  readonly patch: number;
  readonly coarse: number;
  readonly fine: number;
}

function bristlesAt(
  stroke: StrokeRecord,
  place: Place,
  pixel: number,
  table: Float32Array,
): Bristles {
  let patch = 0;
  let coarse = 0;
  let fine = 0;
  for (let octave = 0; octave < 3; octave++) {
    const thin = octave === 0 ? 0.1 : octave * octave * 0.25;
    const x = place.along * stroke.streaks * (octave + 1);
    const y = place.across * stroke.bristles * thin + 300;
    const period = stroke.period * (octave + 1);
    const value = valueNoise(table, x, y, period, stroke.offset);
    const noise = saturate(1.7 - 2 * stroke.bristles * thin * pixel) * (value / 4096 - 0.5);
    patch = octave === 0 ? noise : patch;
    coarse = octave === 1 ? noise : coarse;
    fine = octave === 2 ? noise : fine;
  }
  return { patch, coarse, fine };
}

/** How far inside a place lies: from the sides, which taper towards the ends, and from the ends. */
function depthsAt(
  stroke: StrokeRecord,
  kind: number,
  place: Place,
  part: number,
  bristles: Bristles,
  streak: number,
): { readonly sides: number; readonly depth: number } {
  const { along, across } = place;
  const { patch, coarse } = bristles;
  const long = stroke.long;
  const wide = stroke.wide;
  const taper = part > 0 ? stroke.tapers.end : stroke.tapers.begin;
  const span = Math.sqrt(Math.max(1.0001 - taper * part * part, 0.0001));
  const half = wide * span * (1 + stroke.wobble * (patch + 0.3 * coarse));
  const slope = Math.min(Math.abs((wide * taper * part) / (long * span)), 3);
  const sides = (half - Math.abs(across)) / Math.sqrt(1 + slope * slope);
  const frayed = stroke.frayed * (along > 0 ? 1 : 0.4) * (0.5 + streak + 0.4 * patch);
  const ends = kind === BAND ? 1 : long - Math.abs(along) - frayed;
  return { sides, depth: Math.min(sides, ends) };
}

/** A stroke's paint over what lies beneath it; `part` is −1…1 along the stroke. */
function painted(
  under: Rgb,
  stroke: StrokeRecord,
  kind: number,
  part: number,
  depths: { readonly sides: number; readonly depth: number },
  bristles: Bristles,
  streak: number,
  surface: { readonly tooth: number; readonly pixel: number; readonly crisp: number },
): Rgb {
  const { patch, coarse, fine } = bristles;
  const { sides, depth } = depths;
  const { tooth, pixel, crisp } = surface;
  // Paint is used up along the stroke; bristles and tooth show where little is left.
  const spent = stroke.dry * (kind === BAND ? 0.5 + 1.1 * patch : 0.5 + 0.5 * part);
  const rim = Math.max(0, 1 - sides / (stroke.wide * 0.5));
  const laid = stroke.load - 1.25 * spent - 0.25 * stroke.dry * rim + streak + 0.5 * patch;
  const filled = saturate((laid + 0.35 * tooth) * crisp + 0.5);
  const cover = coverage(depth, Math.max(pixel, 0.0014)) * filled * stroke.opacity;
  const edge = Math.max(0, 1 - depth / 0.007);
  const pool = 1 - stroke.pool * (edge * edge - 0.2 + 0.5 * patch);
  const blend = saturate(0.5 + 1.5 * coarse + 0.9 * patch + 0.25 * part);
  const paint = lit(mix(stroke.colour, stroke.other, blend), (1 + 0.22 * fine) * pool);
  return mix(under, glazed(paint, under, stroke.glaze), cover);
}

/** A glaze filters what lies beneath it. */
function glazed(paint: Rgb, under: Rgb, glaze: number): Rgb {
  return {
    red: paint.red * (1 - glaze + glaze * under.red),
    green: paint.green * (1 - glaze + glaze * under.green),
    blue: paint.blue * (1 - glaze + glaze * under.blue),
  };
}

/** The colour of a point: the paper and the strokes of its cell, the lowest first. */
function colourAt(
  u: number,
  v: number,
  pixel: number,
  strokes: readonly StrokeRecord[],
  list: Float32Array,
  starts: Float32Array,
  ground: RecordOf<typeof GROUND>,
  table: Float32Array,
): Rgb {
  // The edge between bare paper and paint is as sharp as the pixels allow.
  const crisp = Math.min(Math.max(0.006 / pixel, 4), 14);
  const tooth = toothAt(u, v, pixel, table);
  let colour = lit(ground.colour, 1 + ground.unevenness * tooth);
  const cell = Math.floor(v * GRID) * GRID + Math.floor(u * GRID);
  const end = starts[cell + 1];
  for (let entry = starts[cell]; entry < end; entry += 1) {
    const stroke = recordAt(strokes, list[entry]);
    const kind = stroke.kind;
    const place = placeOn(stroke, kind, u, v);
    if (Math.abs(place.across) < stroke.wide * 1.35 + pixel) {
      const bristles = bristlesAt(stroke, place, pixel, table);
      const streak = 0.6 * bristles.coarse + 0.55 * bristles.fine;
      const part = kind === BAND ? 0 : Math.min(Math.max(place.along / stroke.long, -1), 1);
      const depths = depthsAt(stroke, kind, place, part, bristles, streak);
      if (depths.depth > -pixel) {
        const surface = { tooth, pixel, crisp };
        colour = painted(colour, stroke, kind, part, depths, bristles, streak, surface);
      }
    }
  }
  return colour;
}

/** `list` and `starts`: the strokes that touch each cell of the grid; `table`: 4096-entry permutation. */
function paintStrokes(
  this: KernelThis,
  width: number,
  height: number,
  strokes: readonly StrokeRecord[],
  list: Float32Array,
  starts: Float32Array,
  ground: RecordOf<typeof GROUND>,
  table: Float32Array,
): number {
  const { row, column } = pixelAt(this.thread.x, width);
  // Bristles are finer than the pixels of a small picture: there each pixel is the mean of up to
  // sixteen, so that the work is that of a picture of 1024 pixels at most.
  const taps = Math.min(Math.ceil(1024 / width), 4);
  const pixel = 1 / (width * taps);
  let colour: Rgb = { red: 0, green: 0, blue: 0 };
  for (let tap = 0; tap < taps * taps; tap++) {
    const tapRow = Math.floor((tap + 0.5) / taps);
    const u = (column + (tap - tapRow * taps + 0.5) / taps) / width;
    const v = (row + (tapRow + 0.5) / taps) / height;
    colour = sum(colour, colourAt(u, v, pixel, strokes, list, starts, ground, table));
  }
  return packRgb(lit(colour, 1 / (taps * taps)));
}

/** Kinds of strokes beside plain ones. */
const RING = 1;
const BAND = 2;

export const strokeKernel: Kernel = {
  run: paintStrokes,
  helpers: [colourAt, toothAt, placeOn, bristlesAt, depthsAt, painted, glazed, ...stages],
  records: { strokes: STROKE, ground: GROUND },
  literals: { GRID, RING, BAND },
};

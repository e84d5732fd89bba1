/** Creases of a folded sheet. */

import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { float32sOf, layout, type RecordOf, type Rgb } from "../lib/layout.ts";
import { bilinear, ditherAt, entryOf, smooth } from "../lib/noise.ts";
import { packDithered, unpack } from "../lib/pack.ts";
import { pixelAt, saturate } from "../lib/paint.ts";
import { between, randomSequence } from "../lib/random.ts";
import { stages } from "../lib/stages.ts";
import { Seed, Strength } from "../parameters.ts";
import { defineSurfaceEffect } from "./effect.ts";
import { lightOf, shaded, shading } from "./shading.ts";

/** Creases each way, the sheet's edges among them. */
const CREASES = 16;

const CREASE = layout({
  /** Pixels from the sheet's left or upper edge. */
  place: 1,
  /** Pixels aside for a pixel along. */
  lean: 1,
  /** 1 for a mountain, −1 for a valley. */
  turn: 1,
});

const PARAMS = layout({
  strength: 1,
  /** Width of a crease in pixels. */
  width: 1,
  /** Wavelengths of a crease's wandering in pixels, and the size of a flake of ink. */
  slow: 1,
  quick: 1,
  flake: 1,
  wear: 1,
  columns: 1,
  rows: 1,
  /** How far a crease bends the sheet, in pixels. */
  bend: 1,
  /** Those that run down the sheet, then those across. */
  creases: [CREASE, 2 * CREASES],
  /** How light each panel is: rows of 16, and one more row for sheets with a single one. */
  panels: (CREASES + 1) * CREASES,
});
type Params = RecordOf<typeof PARAMS>;

/** Distance of a missing crease. */
const FAR = 100000;

/** How far a crease is from straight: two noises along it, the quick one also for its edge. */
function wobbleAt(along: number, row: number, params: Params, table: Float32Array) {
  const slow = along / params.slow;
  const i = Math.floor(slow);
  const slowFrom = entryOf(table, row + i);
  const slowTo = entryOf(table, row + i + 1);
  const quick = along / params.quick;
  const j = Math.floor(quick);
  const share = smooth(quick - j);
  const from = entryOf(table, row + 2000 + j);
  const to = entryOf(table, row + 2001 + j);
  return {
    wander:
      ((slowFrom + (slowTo - slowFrom) * smooth(slow - i)) / 4096 - 0.5) * 0.6 +
      ((from + (to - from) * share) / 4096 - 0.5) * 0.35,
    thickness: 0.3 + (0.9 * from + 0.9 * (to - from) * share) / 4096,
  };
}

/**
 * Effect of the nearest crease of a direction on a pixel. It ends before the middle of its panels,
 * where another crease is nearest, so it is continuous.
 * @param way 0 for creases that run down the sheet, 1 for those across
 * @param length of the sheet across the creases, `other` along them
 */
function creaseAt(
  way: number,
  across: number,
  along: number,
  length: number,
  other: number,
  panels: number,
  params: Params,
  table: Float32Array,
) {
  const middle = Math.floor((across * panels) / length + 0.5);
  const nearest = Math.min(Math.max(middle, 1), Math.max(panels - 1, 1));
  const crease = params.creases[way * CREASES + nearest];
  const { wander, thickness } = wobbleAt(along, nearest * 61 + way * 1021, params, table);
  const straight = across + 0.5 - crease.place - crease.lean * (along - other / 2);
  const distance = panels < 2 ? FAR : straight - wander * params.width;
  const near = distance / params.width;
  const bell = 1 / (1 + near * near);
  const far = distance / params.bend;
  const open = Math.max(1 - far * far, 0);
  // Flat on the crease itself, steepest beside it, flattening out towards the panel.
  const curve = open * (near * bell * 0.55 + (far / (0.06 + Math.abs(far))) * open * 0.4);
  // Rubbed through on the edge, in a width that changes, and scuffed beside it.
  const line = Math.max(1 - Math.abs(near) / thickness, 0);
  const scuff = Math.max(1 - Math.abs(near) / 4, 0);
  const blend = saturate(0.5 + distance / (6 * params.width));
  return {
    distance,
    isEven: nearest - 2 * Math.floor(nearest / 2) < 0.5 ? 1 : -1,
    slope: crease.turn * curve,
    rubbed: 0.85 * line + 0.42 * scuff * scuff,
    /** The panel before the crease, and the share of the one after it. */
    panel: nearest - 1,
    share: panels < 2 ? 0 : smooth(blend),
  };
}

/** Ink breaks off in flakes, more of it the nearer to a crease: the share that is gone. */
function wornAt(x: number, y: number, rubbed: number, params: Params, table: Float32Array): number {
  const u = (x + 0.5) / params.flake;
  const v = (y + 0.5) / params.flake;
  const column = Math.floor(u);
  const row = Math.floor(v);
  const left = entryOf(table, column) + row;
  const right = entryOf(table, column + 1) + row;
  const h00 = entryOf(table, left);
  const h01 = entryOf(table, left + 1);
  const h10 = entryOf(table, right);
  const h11 = entryOf(table, right + 1);
  const flake = bilinear(h00, h10, h01, h11, u - column, v - row) / 4096;
  const broken = (rubbed * (0.4 + 0.9 * params.wear) - flake * 0.9) * 3.2;
  return saturate(broken) * Math.min(params.wear * 1.6, 1) * params.strength * 0.92;
}

/** The bare paper, a little warm, in place of a share of the ink. */
function barePaper(ink: Rgb, share: number): Rgb {
  return {
    red: ink.red + (61000 - ink.red) * share,
    green: ink.green + (59500 - ink.green) * share,
    blue: ink.blue + (56000 - ink.blue) * share,
  };
}

/**
 * A crease across was folded while the sheet lay doubled: it changes from mountain to valley wherever
 * it meets one that runs down.
 */
function foldSheet(
  this: KernelThis,
  colour: Float32Array,
  firstRow: number,
  width: number,
  height: number,
  params: Params,
  table: Float32Array,
): number {
  const { row, column: x } = pixelAt(this.thread.x, width);
  const y = row + firstRow;
  const { strength } = params;
  const down = creaseAt(0, x, y, width, height, params.columns, params, table);
  const across = creaseAt(1, y, x, height, width, params.rows, params, table);
  const beside = down.isEven * down.distance;
  const turned = Math.min(Math.max(beside / (3 * params.width), -1), 1);
  const relief = down.slope * 0.75 + across.slope * turned;

  const panel = across.panel * CREASES + down.panel;
  const tilt = bilinear(
    params.panels[panel],
    params.panels[panel + 1],
    params.panels[panel + CREASES],
    params.panels[panel + CREASES + 1],
    down.share,
    across.share,
  );

  const worn = wornAt(x, y, down.rubbed + across.rubbed, params, table);
  const light = Math.max(1 + strength * (0.62 * relief + tilt), 0.05);
  // Inks shine a little where they face the light.
  const gloss = 65025 * 0.02 * strength * Math.max(relief, 0);
  const paper = barePaper(lightOf(unpack(colour[this.thread.x])), worn);
  return packDithered(shaded(paper, light, gloss), ditherAt(table, x, y));
}

/** Wavelengths of a crease's wandering, and the size of a flake, in millimetres. */
const SLOW = 7.6;
const QUICK = 0.25;
const FLAKE = 0.195;

export const folds = defineSurfaceEffect({
  id: "folds",
  title: "Folds",
  description:
    "Creases of a folded sheet: creases that catch the light, ink worn off along them, and slightly tilted panels.",
  params: Type.Object(
    {
      strength: Strength(0.5, "Visibility of the folds."),
      columns: Type.Integer({
        minimum: 1,
        maximum: 16,
        default: 4,
        description: "Number of panels side by side: one more than the vertical creases.",
      }),
      rows: Type.Integer({
        minimum: 1,
        maximum: 16,
        default: 3,
        description: "Number of panels from top to bottom: one more than the horizontal creases.",
      }),
      width: Type.Number({
        minimum: 0.1,
        maximum: 3,
        default: 0.35,
        description: "Width of a crease in millimetres.",
      }),
      wear: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.45,
        description: "Amount of ink worn off along the creases; 0 is none.",
      }),
      shading: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.5,
        description: "Difference of the panels' lighting; 0 is none.",
      }),
      seed: Seed("Seed of the creases and panels."),
    },
    { additionalProperties: false },
  ),
  prepare({ strength, columns, rows, wear, shading, seed, ...given }, sheet) {
    const random = randomSequence(seed, 0xf01d);
    const panel = Math.min(sheet.width / columns, sheet.height / rows);
    // The effect of a crease has to end within its panels.
    const width = Math.min(given.width * sheet.pixelsPerMillimetre, panel / 10);
    const creases = (panels: number, side: number, other: number) =>
      Array.from({ length: CREASES }, (_, index) => [
        (side * index) / panels + between(random, -0.01, 0.01) * panel,
        (between(random, -0.012, 0.012) * panel) / other,
        random() < 0.5 ? 1 : -1,
      ]).flat();
    const record = {
      strength,
      width,
      slow: SLOW * sheet.pixelsPerMillimetre,
      quick: QUICK * sheet.pixelsPerMillimetre + width,
      flake: FLAKE * sheet.pixelsPerMillimetre,
      wear,
      columns,
      rows,
      bend: 0.4 * panel,
      creases: [
        ...creases(columns, sheet.width, sheet.height),
        ...creases(rows, sheet.height, sheet.width),
      ],
      panels: Array.from(
        { length: PARAMS.fields.panels },
        () => between(random, -0.26, 0.06) * shading,
      ),
    };
    return float32sOf(record, PARAMS);
  },
  detail: ({ wear }) => (wear === 0 ? Infinity : FLAKE),
  kernel: {
    run: foldSheet,
    helpers: [creaseAt, wobbleAt, wornAt, barePaper, ...shading, ...stages],
    records: { params: PARAMS },
    literals: { CREASES, FAR },
  },
});

/** A sheet that was folded and opened again. */
import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { between, randomSequence } from "../lib/random.ts";
import { Seed, Strength } from "../parameters.ts";
import { defineSurfaceEffect } from "./effect.ts";

/**
 * `params`: strength, width of a crease, wear, columns, rows, and how far a crease bends the
 * sheet (pixels, see below); 16 × 3 numbers for the creases that run down the sheet (place in
 * pixels, lean, mountain 1 or valley −1), as many for those across; then 16 × 16 panels and how
 * light each is.
 *
 * A pixel sees the nearest crease each way. What a crease does ends before the middle of its
 * panels, where another crease is nearest, so nothing jumps there. A crease across was folded
 * while the sheet lay doubled: it changes from mountain to valley wherever it meets one that
 * runs down.
 *
 * Light is taken as the square of the encoded value.
 */
function foldSheet(
  this: KernelThis,
  colour: Float32Array,
  firstRow: number,
  width: number,
  height: number,
  params: Float32Array,
  table: Float32Array,
): number {
  const local = Math.floor((this.thread.x + 0.5) / width);
  const x = this.thread.x - local * width;
  const y = local + firstRow;
  const strength = params[0];
  const crease = params[1];
  const columns = params[3];
  const rows = params[4];
  const bend = params[5];

  let relief = 0;
  let core = 0;
  let beside = 100000;
  let panelLeft = 0;
  let panelAcross = 0;
  let panelUpper = 0;
  let panelDown = 0;
  for (let way = 0; way < 2; way++) {
    const panels = way < 1 ? columns : rows;
    const across = way < 1 ? x : y;
    const along = way < 1 ? y : x;
    const length = way < 1 ? width : height;
    const other = way < 1 ? height : width;
    const nearest = Math.min(
      Math.max(Math.floor((across * panels) / length + 0.5), 1),
      Math.max(panels - 1, 1),
    );
    const at = 6 + way * 48 + nearest * 3;
    // Creases are not quite straight: two noises along them.
    const row = nearest * 61 + way * 1021;
    const slow = along / 90;
    const i = Math.floor(slow);
    const s = slow - i;
    const ts = s * s * (3 - 2 * s);
    const s0 = table[row + i - Math.floor((row + i) / 4096) * 4096];
    const s1 = table[row + i + 1 - Math.floor((row + i + 1) / 4096) * 4096];
    const quick = along / (3 + crease);
    const j = Math.floor(quick);
    const q = quick - j;
    const tq = q * q * (3 - 2 * q);
    const q0 = table[row + 2000 + j - Math.floor((row + 2000 + j) / 4096) * 4096];
    const q1 = table[row + 2001 + j - Math.floor((row + 2001 + j) / 4096) * 4096];
    const wander =
      ((s0 + (s1 - s0) * ts) / 4096 - 0.5) * 0.6 + ((q0 + (q1 - q0) * tq) / 4096 - 0.5) * 0.35;
    const off = across + 0.5 - params[at] - params[at + 1] * (along - other / 2) - wander * crease;
    const distance = panels < 2 ? 100000 : off;
    const near = distance / crease;
    const bell = 1 / (1 + near * near);
    const far = distance / bend;
    const open = Math.max(1 - far * far, 0);
    // Flat on the crease itself, steepest beside it, flattening out towards the panel.
    const curve = open * (near * bell * 0.55 + (far / (0.06 + Math.abs(far))) * open * 0.4);
    const turned = way < 1 ? 1 : Math.min(Math.max(beside / (3 * crease), -1), 1);
    relief += params[at + 2] * turned * curve * (way < 1 ? 0.75 : 1);
    // Rubbed through on the edge, in a width that changes, and scuffed beside it.
    const thick = 0.3 + (0.9 * q0 + 0.9 * (q1 - q0) * tq) / 4096;
    const line = Math.max(1 - Math.abs(near) / thick, 0);
    const scuff = Math.max(1 - Math.abs(near) / 4, 0);
    core += 0.85 * line + 0.42 * scuff * scuff;
    const blend = Math.min(Math.max(0.5 + distance / (6 * crease), 0), 1);
    if (way < 1) {
      beside = nearest - 2 * Math.floor(nearest / 2) < 0.5 ? distance : -distance;
      panelLeft = nearest - 1;
      panelAcross = panels < 2 ? 0 : blend * blend * (3 - 2 * blend);
    } else {
      panelUpper = nearest - 1;
      panelDown = panels < 2 ? 0 : blend * blend * (3 - 2 * blend);
    }
  }

  const panel = 102 + panelUpper * 16 + panelLeft;
  const upper = params[panel] + (params[panel + 1] - params[panel]) * panelAcross;
  const lower = params[panel + 16] + (params[panel + 17] - params[panel + 16]) * panelAcross;
  const tilt = upper + (lower - upper) * panelDown;

  // Ink breaks off in flakes, more of it the nearer to the crease.
  const fx = x / 2.3;
  const fy = y / 2.3;
  const column = Math.floor(fx);
  const flakeRow = Math.floor(fy);
  const tx = fx - column;
  const ty = fy - flakeRow;
  const left = table[column - Math.floor(column / 4096) * 4096] + flakeRow;
  const right = table[column + 1 - Math.floor((column + 1) / 4096) * 4096] + flakeRow;
  const h00 = table[left - Math.floor(left / 4096) * 4096];
  const h01 = table[left + 1 - Math.floor((left + 1) / 4096) * 4096];
  const h10 = table[right - Math.floor(right / 4096) * 4096];
  const h11 = table[right + 1 - Math.floor((right + 1) / 4096) * 4096];
  const first = h00 + (h10 - h00) * tx;
  const flake = (first + (h01 + (h11 - h01) * tx - first) * ty) / 4096;
  const broken = (core * (0.4 + 0.9 * params[2]) - flake * 0.9) * 3.2;
  const worn = Math.min(Math.max(broken, 0), 1) * Math.min(params[2] * 1.6, 1) * strength * 0.92;

  const seat = table[x - Math.floor(x / 4096) * 4096] + y;
  const dither = (table[seat - Math.floor(seat / 4096) * 4096] + 0.5) / 4096;
  const light = Math.max(1 + strength * (0.62 * relief + tilt), 0.05);
  // Inks shine a little where they face the light.
  const lift = 65025 * 0.02 * strength * Math.max(relief, 0);
  const packed = colour[this.thread.x];
  const red = Math.floor(packed / 65536);
  const green = Math.floor(packed / 256) - red * 256;
  const blue = packed - red * 65536 - green * 256;
  // The bare paper, a little warm.
  const r = red * red + (61000 - red * red) * worn;
  const g = green * green + (59500 - green * green) * worn;
  const b = blue * blue + (56000 - blue * blue) * worn;
  return (
    Math.floor(Math.min(Math.sqrt(r * light + lift) + dither, 255)) * 65536 +
    Math.floor(Math.min(Math.sqrt(g * light + lift) + dither, 255)) * 256 +
    Math.floor(Math.min(Math.sqrt(b * light + lift) + dither, 255))
  );
}

export const folds = defineSurfaceEffect({
  id: "folds",
  title: "Folds",
  description:
    "A sheet that was folded up and opened again: creases that catch the light, ink worn off along them, and panels that lie a little aslant.",
  params: Type.Object(
    {
      strength: Strength(0.5, "How much the folds show."),
      columns: Type.Integer({
        minimum: 1,
        maximum: 16,
        default: 4,
        description: "Panels beside each other: one more than creases that run down the sheet.",
      }),
      rows: Type.Integer({
        minimum: 1,
        maximum: 16,
        default: 3,
        description: "Panels above each other: one more than creases that run across the sheet.",
      }),
      width: Type.Number({
        minimum: 1,
        maximum: 32,
        default: 4,
        description: "Width of a crease in pixels.",
      }),
      wear: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.45,
        description: "How much ink has come off along the creases; 0 is none.",
      }),
      shading: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.5,
        description: "How differently the panels catch the light; 0 is all alike.",
      }),
      seed: Seed("Number that decides how the creases run and the panels lie."),
    },
    { additionalProperties: false },
  ),
  prepare({ strength, columns, rows, wear, shading, seed, ...given }, sheet) {
    const random = randomSequence(seed, 0xf01d);
    const panel = Math.min(sheet.width / columns, sheet.height / rows);
    // What a crease does has to end within its panels.
    const width = Math.min(given.width, panel / 10);
    const creases = (panels: number, side: number, other: number) =>
      Array.from({ length: 16 }, (_, index) => [
        (side * index) / panels + between(random, -0.01, 0.01) * panel,
        (between(random, -0.012, 0.012) * panel) / other,
        random() < 0.5 ? 1 : -1,
      ]).flat();
    return Float32Array.from([
      strength,
      width,
      wear,
      columns,
      rows,
      0.4 * panel,
      ...creases(columns, sheet.width, sheet.height),
      ...creases(rows, sheet.height, sheet.width),
      // A panel more each way, for sheets with a single one.
      ...Array.from({ length: 17 * 16 }, () => between(random, -0.26, 0.06) * shading),
    ]);
  },
  kernel: { run: foldSheet },
});

/** Paints petals: for each pixel those that can reach it, from the uppermost down. */

import type { Kernel, KernelThis } from "../../kernel.ts";
import { layout, type RecordOf, RGB, type Rgb, recordAt } from "../../lib/layout.ts";
import { smooth } from "../../lib/noise.ts";
import { packRgb } from "../../lib/pack.ts";
import { lit, mix, nearest, pixelAt, saturate, sum } from "../../lib/paint.ts";
import { stages } from "../../lib/stages.ts";
import { GRID, PETAL, type PetalRecord } from "./petal-tables.ts";

const COLOURS = layout({ ground: RGB, ink: RGB });

/** Half a petal's width where it is `s` (0 base … 1 tip) of its length, and the slope of that. */
function outlineAt(
  petal: PetalRecord,
  s: number,
): { readonly half: number; readonly slope: number } {
  const base = petal.base;
  const tip = petal.tip;
  const belly = petal.belly;
  const rootFoot = Math.sqrt(s + 0.00001);
  const rootHead = Math.sqrt(1.00001 - s);
  const foot = rootFoot * (1 - base) + s * base;
  const head = rootHead * (1 - tip) + (1 - s) * tip;
  const round = 1 + belly * (s - 0.5);
  return {
    half: petal.halfWidth * foot * head * round,
    // The product rule, term by term.
    slope:
      petal.halfWidth *
      (((0.5 * (1 - base)) / rootFoot + base) * head * round -
        ((0.5 * (1 - tip)) / rootHead + tip) * foot * round +
        foot * head * belly),
  };
}

/**
 * Lines: veins run from base to tip, ribs slant off the midrib. A line is drawn a pixel wide at
 * least, and fainter instead of thinner.
 */
function linesAt(
  petal: PetalRecord,
  along: number,
  q: number,
  half: number,
  length: number,
  pixel: number,
): number {
  const veins = petal.veins;
  const ribs = petal.ribs;
  let line = 0;
  if (veins > 0) {
    const phase = q * veins * 0.5;
    const gap = (Math.abs(nearest(phase)) * 2 * half) / veins;
    const thick = 0.0015 + 0.0009 * (0.3 - along * along);
    const drawn = Math.max(thick, 1.2 * pixel);
    line = (Math.max(0, 1 - gap / drawn) * thick) / drawn;
  }
  if (ribs > 0) {
    const phase = (along - Math.abs(q) * 0.16) * ribs;
    const gap = (Math.abs(nearest(phase)) * length) / ribs;
    const drawn = Math.max(0.0013, 1.2 * pixel);
    line = Math.max(line, (Math.max(0, 1 - gap / drawn) * 0.001) / drawn);
  }
  return line;
}

/** A petal's own colour, with its lines and its rim in ink. */
function colourAt(
  petal: PetalRecord,
  ink: Rgb,
  along: number,
  q: number,
  half: number,
  depth: number,
  pixel: number,
): Rgb {
  const blend = smooth(saturate((along - petal.blendFrom) * petal.blendRate));
  const light = 1 + petal.shade * q;
  const line = linesAt(petal, along, q, half, petal.length, pixel);
  const rim = petal.rim * saturate((0.0018 - depth) / pixel + 0.5) * Math.min(0.0018 / pixel, 1);
  const dark = Math.max(rim, line * petal.lines);
  return sum(lit(mix(petal.from, petal.to, blend), (1 - dark) * light), lit(ink, dark));
}

/** `list` and `starts`: the petals that reach each cell of the grid, the uppermost first. */
function paintPetals(
  this: KernelThis,
  width: number,
  height: number,
  shapes: readonly PetalRecord[],
  list: Float32Array,
  starts: Float32Array,
  colours: RecordOf<typeof COLOURS>,
): number {
  const { row, column } = pixelAt(this.thread.x, width);
  const u = (column + 0.5) / width;
  const v = (row + 0.5) / height;
  const pixel = 1 / width;
  const cell = Math.floor(v * GRID) * GRID + Math.floor(u * GRID);
  const end = starts[cell + 1];
  let colour: Rgb = { red: 0, green: 0, blue: 0 };
  // Share of the pixel that the petals so far leave open.
  let open = 1;
  for (let entry = starts[cell]; entry < end; entry += 1) {
    const petal = recordAt(shapes, list[entry]);
    const dx = nearest(u - petal.x);
    const dy = nearest(v - petal.y);
    const length = petal.length;
    const along = (dx * petal.axisX + dy * petal.axisY) / length;
    if (along * length > -pixel && (1 - along) * length > -pixel) {
      const bend = petal.bend;
      const across = dy * petal.axisX - dx * petal.axisY - bend * along * along * length;
      const side = Math.abs(across);
      const reach = Math.max(0, 1 - side / petal.halfWidth);
      const notched = along + petal.notch * reach * reach * along * along * along;
      const s = saturate(notched);
      const { half, slope } = outlineAt(petal, s);
      const steep = Math.abs(slope) / length + 2 * Math.abs(bend) * s;
      // Distance to the rim, to first order, and to the lines across both ends; positive inside.
      // Outside the slope is bounded: at a round end it is so steep that all would seem near.
      const room = half - side;
      const tilt = room > 0 ? steep : Math.min(steep, 3);
      const ends = Math.min(along, 1 - notched) * length;
      const depth = Math.min(room / Math.sqrt(1 + tilt * tilt), ends);
      if (depth > -0.5 * pixel) {
        const rise = Math.min((depth + 0.5 * pixel) / Math.max(pixel, petal.soft), 1);
        const weight = open * (smooth(rise) * petal.opacity);
        const q = Math.min(Math.max(across / (half + 0.000001), -1), 1);
        const own = colourAt(petal, colours.ink, along, q, half, depth, pixel);
        colour = sum(colour, lit(own, weight));
        open = open - weight;
        if (open < 0.002) break;
      }
    }
  }
  return packRgb(sum(colour, lit(colours.ground, open)));
}

export const petalKernel: Kernel = {
  run: paintPetals,
  helpers: [outlineAt, linesAt, colourAt, ...stages],
  records: { shapes: PETAL, colours: COLOURS },
  literals: { GRID },
};

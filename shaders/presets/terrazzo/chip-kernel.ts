/** Paints chips of stone that lie in cement, all ground flat. */

import type { Kernel, KernelThis } from "../../kernel.ts";
import { type Rgb, recordAt } from "../../lib/layout.ts";
import { periodicNoise, smooth, valueNoise } from "../../lib/noise.ts";
import { packRgb } from "../../lib/pack.ts";
import { coverage, lit, mix, nearest, pixelAt, saturate, wrap } from "../../lib/paint.ts";
import { stages } from "../../lib/stages.ts";
import { CHIP, type ChipRecord, GRID, SIDE, type SideRecord } from "./chips.ts";
import { LOOK, type LookRecord, type SandRecord } from "./look.ts";

/**
 * Broken stone is not straight: places are moved a little, twice coarsely and twice finely. The
 * same noises are the clouds in the cement.
 */
function shiftAt(
  u: number,
  v: number,
  look: LookRecord,
  table: Float32Array,
): { readonly x: number; readonly y: number; readonly cloud: number } {
  let x = 0;
  let y = 0;
  let cloud = 0;
  for (let octave = 0; octave < 5; octave++) {
    const waves = look.waves[octave];
    const value = periodicNoise(table, u * waves, v * waves, waves, waves, octave * 500);
    const noise = value / 4096 - 0.5;
    x += look.across[octave] * noise;
    y += look.down[octave] * noise;
    cloud += look.clouds[octave] * noise;
  }
  return { x, y, cloud };
}

/**
 * Sand over the cement: one grain at most in a cell of the lattice, never over its rim. The clouds
 * warp the lattice, so that its rows are not seen.
 */
function sanded(
  cement: Rgb,
  u: number,
  v: number,
  cloud: number,
  pixel: number,
  sand: SandRecord,
  offset: number,
  look: LookRecord,
  table: Float32Array,
): Rgb {
  let colour = cement;
  const count = sand.cells;
  const x = (u + cloud * 0.02) * count;
  const y = (v - cloud * 0.014) * count;
  const x0 = Math.floor(x);
  const y0 = Math.floor(y);
  const seat = table[wrap(x0, count) + offset] + y0 - Math.floor((y0 + 0.5) / count) * count;
  const lot = table[seat < 4096 ? seat : seat - 4096];
  const place = table[lot];
  const form = table[place];
  if (lot < sand.grains) {
    const low = Math.floor(place / 64);
    const slim = Math.floor(form / 64);
    const radius = sand.least + sand.spread * (form - slim * 64) * 0.015625;
    const room = 1 - 2.2 * radius;
    const dx = x - x0 - 0.5 - (low * 0.015625 - 0.5) * room;
    const dy = y - y0 - 0.5 - ((place - low * 64) * 0.015625 - 0.5) * room;
    // A grain is an octagon, drawn out one way or the other.
    const long = 1 + (slim * 0.015625 - 0.5) * 0.8;
    const ax = Math.abs(dx + dy * (slim * 0.03 - 1) * 0.4) * long;
    const ay = Math.abs(dy) / long;
    const away = Math.max(Math.max(ax, ay), (ax + ay) * 0.74);
    const footprint = pixel * count;
    const cover =
      coverage(radius - away, footprint) *
      Math.min((3 * radius * radius) / (footprint * footprint), 1) *
      sand.opacity;
    colour = mix(colour, look.colours[lot - Math.floor(lot / 8) * 8], cover);
  }
  return colour;
}

/** The chip that a place lies in, or the nearest: how deep inside its sides; −1 where there is none. */
function chipAt(
  u: number,
  v: number,
  begin: number,
  end: number,
  list: Float32Array,
  chips: readonly ChipRecord[],
  sides: readonly SideRecord[],
): { readonly home: number; readonly depth: number; readonly px: number; readonly py: number } {
  let depth = -1;
  let home = -1;
  let px = 0;
  let py = 0;
  for (let entry = begin; entry < end; entry += 1) {
    const at = list[entry];
    const chip = recordAt(chips, at);
    const dx = nearest(u - chip.x);
    const dy = nearest(v - chip.y);
    let inside = 1;
    const last = chip.endOfSides;
    for (let place = chip.firstSide; place < last; place += SIDE_SIZE) {
      const side = recordAt(sides, place);
      inside = Math.min(inside, side.offset - dx * side.x - dy * side.y);
    }
    if (inside > depth) {
      depth = inside;
      home = at;
      px = dx;
      py = dy;
    }
  }
  return { home, depth, px, py };
}

/** What a stone has inside: clouds along its grain, veins and crystals. */
function veinsAt(
  along: number,
  across: number,
  home: number,
  pixel: number,
  table: Float32Array,
): { readonly clouds: number; readonly course: number; readonly crystals: number } {
  let clouds = 0;
  let crystals = 0;
  let course = 0;
  let waves = 26;
  for (let octave = 0; octave < 5; octave++) {
    const x = along * waves * 0.62 + 900 + home * 0.37;
    const value = valueNoise(table, x, across * waves + 900, 4096, 0);
    // Waves that are finer than the pixels fade out.
    const noise = saturate(1.6 - 2 * waves * pixel) * (value / 4096 - 0.5);
    clouds += octave < 3 ? noise / (1 + octave) : 0;
    course += octave < 2 ? noise / (1 + 2 * octave) : 0;
    crystals += octave < 3 ? 0 : noise;
    waves = waves * 2.1;
  }
  return { clouds, course, crystals };
}

/** A chip's colour at `px`, `py` from its middle and `depth` inside its sides. */
function stoneAt(
  chip: ChipRecord,
  home: number,
  px: number,
  py: number,
  depth: number,
  pixel: number,
  look: LookRecord,
  table: Float32Array,
): Rgb {
  const { x: grainX, y: grainY } = chip.grain;
  const along = px * grainX + py * grainY;
  const across = py * grainX - px * grainY;
  const { clouds, course, crystals } = veinsAt(along, across, home, pixel, table);
  const blend = smooth(saturate(0.5 + clouds * 1.1 * chip.clouds));
  const vein = Math.max(0, 1 - Math.abs(course + 0.1) / 0.07) * chip.veins;
  const speck = saturate((crystals - 0.28) * 5) * chip.crystals;
  const split = coverage(px * chip.facet.x + py * chip.facet.y, pixel) - 0.5;
  const light =
    (1 + chip.facetLight * split) *
    (1 + crystals * 0.22 * chip.crystals) *
    (1 - chip.rim * Math.max(0, 1 - depth / 0.006));
  const veined = mix(mix(chip.colour, chip.other, blend), look.veins, vein);
  return mix(lit(veined, light), look.crystals, speck);
}

/**
 * `sides`: those of all chips; `list` and `starts`: the chips that touch each cell of the grid;
 * `table`: 4096-entry permutation. WebGPU promises 8 buffers a kernel, the result's among them.
 */
function paintChips(
  this: KernelThis,
  width: number,
  height: number,
  chips: readonly ChipRecord[],
  sides: readonly SideRecord[],
  list: Float32Array,
  starts: Float32Array,
  look: LookRecord,
  table: Float32Array,
): number {
  const { row, column } = pixelAt(this.thread.x, width);
  const u = (column + 0.5) / width;
  const v = (row + 0.5) / height;
  const pixel = 1 / width;
  const shift = shiftAt(u, v, look, table);
  const cloud = shift.cloud;
  let colour = lit(look.cement, 1 + cloud);
  for (let size = 0; size < 2; size++) {
    colour = sanded(colour, u, v, cloud, pixel, look.sand[size], size * 700, look, table);
  }

  const cell = Math.floor(v * GRID) * GRID + Math.floor(u * GRID);
  const begin = starts[cell];
  const end = starts[cell + 1];
  const { home, depth, px, py } = chipAt(u + shift.x, v + shift.y, begin, end, list, chips, sides);
  if (home >= 0 && depth > -0.01) {
    const stone = stoneAt(recordAt(chips, home), home, px, py, depth, pixel, look, table);
    // Cement is a little darker where it meets stone.
    const seam = 1 - look.seam * Math.max(0, 1 + Math.min(depth, 0) / 0.004);
    colour = mix(lit(colour, seam), stone, coverage(depth, pixel));
  }
  return packRgb(colour);
}

const SIDE_SIZE = SIDE.size;

export const chipKernel: Kernel = {
  run: paintChips,
  helpers: [shiftAt, sanded, chipAt, veinsAt, stoneAt, ...stages],
  records: { chips: CHIP, sides: SIDE, look: LOOK },
  literals: { GRID, SIDE_SIZE },
};

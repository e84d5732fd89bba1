/** Paints the cells of a power diagram with rounded borders: panes, pebbles or slices. */

import type { Kernel, KernelThis } from "../../kernel.ts";
import { recordAt } from "../../lib/layout.ts";
import { smooth, valueNoise } from "../../lib/noise.ts";
import { packRgb } from "../../lib/pack.ts";
import { glossed, lit, mix, nearest, pixelAt, saturate } from "../../lib/paint.ts";
import { stages } from "../../lib/stages.ts";
import { LOOK, type LookRecord } from "./looks.ts";
import { GRID, SITE, type SiteRecord } from "./sites.ts";

/** The cell that a pixel lies in: the site with the least power distance. */
function homeOf(
  u: number,
  v: number,
  sites: readonly SiteRecord[],
  list: Float32Array,
  begin: number,
  end: number,
): { readonly home: number; readonly least: number; readonly dx: number; readonly dy: number } {
  let home = 0;
  let least = 100;
  let dx = 0;
  let dy = 0;
  for (let entry = begin; entry < end; entry += 1) {
    const at = list[entry];
    const site = recordAt(sites, at);
    const x = nearest(u - site.x);
    const y = nearest(v - site.y);
    const power = x * x + y * y - site.weight;
    if (power < least) {
      least = power;
      home = at;
      dx = x;
      dy = y;
    }
  }
  return { home, least, dx, dy };
}

/**
 * Distance to the border: the distances to all sides as one mean of order −4, which rounds the
 * corners the more the farther inside. Sides fade out with distance, so that the short list of
 * sites is never seen.
 */
function depthIn(
  u: number,
  v: number,
  cell: { readonly home: number; readonly least: number; readonly dx: number; readonly dy: number },
  sites: readonly SiteRecord[],
  list: Float32Array,
  begin: number,
  end: number,
  range: number,
): number {
  let sum = 0.000001;
  for (let other = begin; other < end; other += 1) {
    const at = list[other];
    if (at !== cell.home) {
      const site = recordAt(sites, at);
      const x = nearest(u - site.x);
      const y = nearest(v - site.y);
      const square = x * x + y * y;
      const near = Math.max(0, 1 - square / (range * range));
      const ax = cell.dx - x;
      const ay = cell.dy - y;
      const side =
        Math.max(square - site.weight - cell.least, 0.0000001) /
        (2 * Math.sqrt(ax * ax + ay * ay) * range);
      const share = 1 / (side * side);
      sum += share * share * near * near;
    }
  }
  return range / Math.sqrt(Math.sqrt(sum));
}

/**
 * Three octaves of value noise, flowing along the cell's own direction: what glass and stone have
 * inside.
 */
function streakAt(
  along: number,
  across: number,
  home: number,
  look: LookRecord,
  table: Float32Array,
): number {
  let streak = 0;
  let weight = 0.5;
  let frequency = look.waves;
  for (let octave = 0; octave < 3; octave++) {
    const x = along * frequency * look.stretch + 700 + home;
    const y = across * frequency + 700;
    streak += (weight * valueNoise(table, x, y, 4096, 0)) / 4096;
    weight = weight * 0.5;
    frequency = frequency * 2.3;
  }
  return streak - 0.4375;
}

/** Bands along the border: −½…½ as `band` runs to and fro. */
function bandedAt(band: number): number {
  const phase = band - 2 * Math.floor(band * 0.5);
  return smooth(phase < 1 ? phase : 2 - phase) - 0.5;
}

/** `list` and `starts`: the sites near each cell of the grid; `table`: 4096-entry permutation. */
function paintCells(
  this: KernelThis,
  width: number,
  height: number,
  sites: readonly SiteRecord[],
  list: Float32Array,
  starts: Float32Array,
  look: LookRecord,
  table: Float32Array,
): number {
  const { row, column } = pixelAt(this.thread.x, width);
  const u = (column + 0.5) / width;
  const v = (row + 0.5) / height;
  const seat = Math.floor(v * GRID) * GRID + Math.floor(u * GRID);
  const begin = starts[seat];
  const end = starts[seat + 1];
  const cell = homeOf(u, v, sites, list, begin, end);
  const depth = depthIn(u, v, cell, sites, list, begin, end, look.range);

  const { home, dx, dy } = cell;
  const site = recordAt(sites, home);
  const { x: cx, y: cy } = site.grain;
  const size = site.radius;
  const along = (dx * cx + dy * cy) / size;
  const across = (dy * cx - dx * cy) / size;
  const streak = streakAt(along, across, home, look, table);

  // The inside: two colours along the cell's direction, bands along its border, light.
  const blend = smooth(saturate(0.5 + along * 0.55 + streak * look.marbling));
  const band = bandedAt((depth / size) * look.bands + streak * 1.1);
  const rise = 1 - Math.min((depth - look.joint) / (size * look.bevelReach), 1);
  const shineX = dx + size * 0.3;
  const shineY = dy + size * 0.34;
  const shine = Math.max(0, 1 - (shineX * shineX + shineY * shineY) / (size * size * 0.16));
  const light =
    (1 + band * look.banding) *
    (1 + streak * look.streaks) *
    (1 - look.bevel * rise * rise) *
    (1 - (look.light * (dx + dy)) / size);
  const colour = mix(site.colour, site.other, blend);
  const pane = glossed(colour, light, look.gloss * shine * shine);

  // The joint, a little lighter along its middle.
  const inside = saturate((depth - look.joint) * width + 0.5);
  const middle = 1 - Math.min(depth / look.joint, 1);
  const joint = lit(look.jointColour, 1 + look.jointShine * middle * middle * (1 + streak));
  return packRgb(mix(joint, pane, inside));
}

export const cellKernel: Kernel = {
  run: paintCells,
  helpers: [homeOf, depthIn, streakAt, bandedAt, ...stages],
  records: { sites: SITE, look: LOOK },
  literals: { GRID },
};

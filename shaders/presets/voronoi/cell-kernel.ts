/** Paints the cells of a power diagram with rounded borders: panes, pebbles or slices. */
import type { Kernel, KernelThis } from "../../kernel.ts";
import { encodeChannel, packLinear } from "../../lib/pack.ts";

/**
 * `sites`: 12 numbers each (order in sites.ts); `list` and `starts`: the sites near each of 24²
 * grid cells; `look`: order in looks.ts; `table`: 4096-entry permutation.
 */
function paintCells(
  this: KernelThis,
  width: number,
  height: number,
  sites: Float32Array,
  list: Float32Array,
  starts: Float32Array,
  look: Float32Array,
  table: Float32Array,
): number {
  const row = Math.floor((this.thread.x + 0.5) / width);
  const column = this.thread.x - row * width;
  const u = (column + 0.5) / width;
  const v = (row + 0.5) / height;
  const cell = Math.floor(v * 24) * 24 + Math.floor(u * 24);
  const begin = starts[cell];
  const end = starts[cell + 1];

  // The cell that the pixel lies in: the site with the least power distance.
  let home = 0;
  let least = 100;
  let dx = 0;
  let dy = 0;
  for (let entry = begin; entry < end; entry += 1) {
    const at = list[entry];
    let x = u - sites[at];
    x = x - Math.floor(x + 0.5);
    let y = v - sites[at + 1];
    y = y - Math.floor(y + 0.5);
    const power = x * x + y * y - sites[at + 2];
    if (power < least) {
      least = power;
      home = at;
      dx = x;
      dy = y;
    }
  }

  // Distance to the border: the distances to all sides as one mean of order −4, which rounds the
  // corners the more the farther inside. Sides fade out with distance, so that the short list of
  // sites is never seen.
  let sum = 0.000001;
  const range = look[0];
  for (let other = begin; other < end; other += 1) {
    const at = list[other];
    if (at !== home) {
      let x = u - sites[at];
      x = x - Math.floor(x + 0.5);
      let y = v - sites[at + 1];
      y = y - Math.floor(y + 0.5);
      const square = x * x + y * y;
      const near = Math.max(0, 1 - square / (range * range));
      const ax = dx - x;
      const ay = dy - y;
      const side =
        Math.max(square - sites[at + 2] - least, 0.0000001) /
        (2 * Math.sqrt(ax * ax + ay * ay) * range);
      const share = 1 / (side * side);
      sum += share * share * near * near;
    }
  }
  const depth = range / Math.sqrt(Math.sqrt(sum));

  // Three octaves of value noise, flowing along the cell's own direction: what glass and stone
  // have inside.
  const cx = sites[home + 9];
  const cy = sites[home + 10];
  const size = sites[home + 11];
  const along = (dx * cx + dy * cy) / size;
  const across = (dy * cx - dx * cy) / size;
  let streak = 0;
  let weight = 0.5;
  let frequency = look[1];
  for (let octave = 0; octave < 3; octave++) {
    const x = along * frequency * look[2] + 700 + home;
    const y = across * frequency + 700;
    const x0 = Math.floor(x);
    const y0 = Math.floor(y);
    let tx = x - x0;
    let ty = y - y0;
    tx = tx * tx * (3 - 2 * tx);
    ty = ty * ty * (3 - 2 * ty);
    const left = table[x0 - Math.floor(x0 / 4096) * 4096] + y0;
    const right = table[x0 + 1 - Math.floor((x0 + 1) / 4096) * 4096] + y0;
    const n00 = table[left - Math.floor(left / 4096) * 4096];
    const n01 = table[left + 1 - Math.floor((left + 1) / 4096) * 4096];
    const n10 = table[right - Math.floor(right / 4096) * 4096];
    const n11 = table[right + 1 - Math.floor((right + 1) / 4096) * 4096];
    const upper = n00 + (n10 - n00) * tx;
    const lower = n01 + (n11 - n01) * tx;
    streak += (weight * (upper + (lower - upper) * ty)) / 4096;
    weight = weight * 0.5;
    frequency = frequency * 2.3;
  }
  streak = streak - 0.4375;

  // The inside: two colours along the cell's direction, bands along its border, light.
  let blend = Math.min(Math.max(0.5 + along * 0.55 + streak * look[3], 0), 1);
  blend = blend * blend * (3 - 2 * blend);
  let red = sites[home + 3] + (sites[home + 6] - sites[home + 3]) * blend;
  let green = sites[home + 4] + (sites[home + 7] - sites[home + 4]) * blend;
  let blue = sites[home + 5] + (sites[home + 8] - sites[home + 5]) * blend;
  let band = (depth / size) * look[5] + streak * 1.1;
  band = band - 2 * Math.floor(band * 0.5);
  band = band < 1 ? band : 2 - band;
  band = band * band * (3 - 2 * band) - 0.5;
  const rise = 1 - Math.min((depth - look[9]) / (size * look[7]), 1);
  const shine = Math.max(
    0,
    1 -
      ((dx + size * 0.3) * (dx + size * 0.3) + (dy + size * 0.34) * (dy + size * 0.34)) /
        (size * size * 0.16),
  );
  const light =
    (1 + band * look[4]) *
    (1 + streak * look[10]) *
    (1 - look[6] * rise * rise) *
    (1 - (look[8] * (dx + dy)) / size);
  const gloss = look[11] * shine * shine;
  red = red * light + (1 - red) * gloss;
  green = green * light + (1 - green) * gloss;
  blue = blue * light + (1 - blue) * gloss;

  // The joint, a little lighter along its middle.
  const inside = Math.min(Math.max((depth - look[9]) * width + 0.5, 0), 1);
  const middle = 1 - Math.min(depth / look[9], 1);
  const joint = 1 + look[12] * middle * middle * (1 + streak);
  return packLinear(
    look[13] * joint + (red - look[13] * joint) * inside,
    look[14] * joint + (green - look[14] * joint) * inside,
    look[15] * joint + (blue - look[15] * joint) * inside,
  );
}

export const cellKernel: Kernel = { run: paintCells, helpers: [packLinear, encodeChannel] };

/** Paints chips of stone that lie in cement, all ground flat. */
import type { Kernel, KernelThis } from "../../kernel.ts";
import { encodeChannel, packLinear } from "../../lib/pack.ts";

/**
 * `chips`: 20 numbers each and `sides`: 3 numbers each (both in chips.ts); `list` and `starts`:
 * the chips that touch each of 40² grid cells; `look`: order in look.ts; `table`: 4096-entry
 * permutation. WebGPU promises 8 buffers a kernel, the result's among them.
 *
 * Noise is value noise on lattices that wrap, in full because webasm takes no arrays in helpers.
 */
function paintChips(
  this: KernelThis,
  width: number,
  height: number,
  chips: Float32Array,
  sides: Float32Array,
  list: Float32Array,
  starts: Float32Array,
  look: Float32Array,
  table: Float32Array,
): number {
  const row = Math.floor((this.thread.x + 0.5) / width);
  const column = this.thread.x - row * width;
  const u = (column + 0.5) / width;
  const v = (row + 0.5) / height;
  const pixel = 1 / width;

  // Broken stone is not straight: places are moved a little, twice coarsely and twice finely.
  // The same noises are the clouds in the cement.
  let shiftX = 0;
  let shiftY = 0;
  let cloud = 0;
  for (let octave = 0; octave < 5; octave++) {
    const waves = look[octave];
    const x = u * waves;
    const y = v * waves;
    const x0 = Math.floor(x);
    const y0 = Math.floor(y);
    let tx = x - x0;
    let ty = y - y0;
    tx = tx * tx * (3 - 2 * tx);
    ty = ty * ty * (3 - 2 * ty);
    const x1 = x0 + 1 < waves ? x0 + 1 : 0;
    const y1 = y0 + 1 < waves ? y0 + 1 : 0;
    const left = table[x0 + octave * 500];
    const right = table[x1 + octave * 500];
    const i00 = left + y0;
    const i10 = right + y0;
    const i01 = left + y1;
    const i11 = right + y1;
    const h00 = table[i00 < 4096 ? i00 : i00 - 4096];
    const h10 = table[i10 < 4096 ? i10 : i10 - 4096];
    const h01 = table[i01 < 4096 ? i01 : i01 - 4096];
    const h11 = table[i11 < 4096 ? i11 : i11 - 4096];
    const upper = h00 + (h10 - h00) * tx;
    const lower = h01 + (h11 - h01) * tx;
    const noise = (upper + (lower - upper) * ty) / 4096 - 0.5;
    shiftX += look[octave + 5] * noise;
    shiftY += look[octave + 10] * noise;
    cloud += look[octave + 15] * noise;
  }

  // The cement with its sand: one grain at most in a cell of the lattice, never over its rim. The
  // clouds warp the lattice, so that its rows are not seen.
  const dust = 1 + cloud;
  let red = look[21] * dust;
  let green = look[22] * dust;
  let blue = look[23] * dust;
  for (let size = 0; size < 2; size++) {
    const at = 30 + size * 5;
    const count = look[at];
    const x = (u + cloud * 0.02) * count;
    const y = (v - cloud * 0.014) * count;
    const x0 = Math.floor(x);
    const y0 = Math.floor(y);
    const seat =
      table[x0 - Math.floor((x0 + 0.5) / count) * count + size * 700] +
      y0 -
      Math.floor((y0 + 0.5) / count) * count;
    const lot = table[seat < 4096 ? seat : seat - 4096];
    const place = table[lot];
    const form = table[place];
    if (lot < look[at + 1]) {
      const low = Math.floor(place / 64);
      const slim = Math.floor(form / 64);
      const radius = look[at + 2] + look[at + 3] * (form - slim * 64) * 0.015625;
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
        Math.min(Math.max((radius - away) / footprint + 0.5, 0), 1) *
        Math.min((3 * radius * radius) / (footprint * footprint), 1) *
        look[at + 4];
      const tint = 40 + (lot - Math.floor(lot / 8) * 8) * 3;
      red += (look[tint] - red) * cover;
      green += (look[tint + 1] - green) * cover;
      blue += (look[tint + 2] - blue) * cover;
    }
  }

  // The chip that the pixel lies in, or the nearest: how deep inside its sides.
  const cell = Math.floor(v * 40) * 40 + Math.floor(u * 40);
  const end = starts[cell + 1];
  let depth = -1;
  let home = -1;
  let px = 0;
  let py = 0;
  for (let entry = starts[cell]; entry < end; entry += 1) {
    const at = list[entry];
    let dx = u + shiftX - chips[at];
    dx = dx - Math.floor(dx + 0.5);
    let dy = v + shiftY - chips[at + 1];
    dy = dy - Math.floor(dy + 0.5);
    let inside = 1;
    const last = chips[at + 4];
    for (let side = chips[at + 3]; side < last; side += 3) {
      inside = Math.min(inside, sides[side + 2] - dx * sides[side] - dy * sides[side + 1]);
    }
    if (inside > depth) {
      depth = inside;
      home = at;
      px = dx;
      py = dy;
    }
  }
  if (home >= 0 && depth > -0.01) {
    // Inside the stone: clouds along its grain, and crystals.
    const along = px * chips[home + 11] + py * chips[home + 12];
    const across = py * chips[home + 11] - px * chips[home + 12];
    let clouds = 0;
    let crystals = 0;
    let course = 0;
    let waves = 26;
    for (let octave = 0; octave < 5; octave++) {
      const x = along * waves * 0.62 + 900 + home * 0.37;
      const y = across * waves + 900;
      const x0 = Math.floor(x);
      const y0 = Math.floor(y);
      let tx = x - x0;
      let ty = y - y0;
      tx = tx * tx * (3 - 2 * tx);
      ty = ty * ty * (3 - 2 * ty);
      const left = table[x0 - Math.floor((x0 + 0.5) / 4096) * 4096] + y0;
      const right = table[x0 + 1 - Math.floor((x0 + 1.5) / 4096) * 4096] + y0;
      const h00 = table[left - Math.floor((left + 0.5) / 4096) * 4096];
      const h01 = table[left + 1 - Math.floor((left + 1.5) / 4096) * 4096];
      const h10 = table[right - Math.floor((right + 0.5) / 4096) * 4096];
      const h11 = table[right + 1 - Math.floor((right + 1.5) / 4096) * 4096];
      const upper = h00 + (h10 - h00) * tx;
      const lower = h01 + (h11 - h01) * tx;
      // Waves that are finer than the pixels fade out.
      const seen = Math.min(Math.max(1.6 - 2 * waves * pixel, 0), 1);
      const noise = seen * ((upper + (lower - upper) * ty) / 4096 - 0.5);
      clouds += octave < 3 ? noise / (1 + octave) : 0;
      course += octave < 2 ? noise / (1 + 2 * octave) : 0;
      crystals += octave < 3 ? 0 : noise;
      waves = waves * 2.1;
    }
    let blend = Math.min(Math.max(0.5 + clouds * 1.1 * chips[home + 13], 0), 1);
    blend = blend * blend * (3 - 2 * blend);
    const vein = Math.max(0, 1 - Math.abs(course + 0.1) / 0.07) * chips[home + 14];
    const speck = Math.min(Math.max((crystals - 0.28) * 5, 0), 1) * chips[home + 15];
    const facet = px * chips[home + 16] + py * chips[home + 17];
    const split = Math.min(Math.max(facet / pixel + 0.5, 0), 1) - 0.5;
    const light =
      (1 + chips[home + 18] * split) *
      (1 + crystals * 0.22 * chips[home + 15]) *
      (1 - chips[home + 19] * Math.max(0, 1 - depth / 0.006));
    let inRed = chips[home + 5] + (chips[home + 8] - chips[home + 5]) * blend;
    let inGreen = chips[home + 6] + (chips[home + 9] - chips[home + 6]) * blend;
    let inBlue = chips[home + 7] + (chips[home + 10] - chips[home + 7]) * blend;
    inRed = (inRed + (look[24] - inRed) * vein) * light;
    inGreen = (inGreen + (look[25] - inGreen) * vein) * light;
    inBlue = (inBlue + (look[26] - inBlue) * vein) * light;
    inRed += (look[27] - inRed) * speck;
    inGreen += (look[28] - inGreen) * speck;
    inBlue += (look[29] - inBlue) * speck;
    const cover = Math.min(Math.max(depth / pixel + 0.5, 0), 1);
    // Cement is a little darker where it meets stone.
    const seam = 1 - look[20] * Math.max(0, 1 + Math.min(depth, 0) / 0.004);
    red = red * seam + (inRed - red * seam) * cover;
    green = green * seam + (inGreen - green * seam) * cover;
    blue = blue * seam + (inBlue - blue * seam) * cover;
  }
  return packLinear(red, green, blue);
}

export const chipKernel: Kernel = { run: paintChips, helpers: [packLinear, encodeChannel] };

/** Paints petals: for each pixel those that can reach it, from the uppermost down. */
import type { Kernel, KernelThis } from "../../kernel.ts";
import { encodeChannel, packLinear } from "../../lib/pack.ts";

/**
 * `shapes`, `list` and `starts` as petal-tables.ts makes them; strides and the grid's size stand
 * here as literals, for a kernel sees no constants. `colours`: ground and ink, linear light.
 */
function paintPetals(
  this: KernelThis,
  width: number,
  height: number,
  shapes: Float32Array,
  list: Float32Array,
  starts: Float32Array,
  colours: Float32Array,
): number {
  const row = Math.floor((this.thread.x + 0.5) / width);
  const column = this.thread.x - row * width;
  const u = (column + 0.5) / width;
  const v = (row + 0.5) / height;
  const pixel = 1 / width;
  const cell = Math.floor(v * 48) * 48 + Math.floor(u * 48);
  const end = starts[cell + 1];
  let red = 0;
  let green = 0;
  let blue = 0;
  // Share of the pixel that the petals so far leave open.
  let open = 1;
  for (let entry = starts[cell]; entry < end; entry += 1) {
    const at = list[entry];
    let dx = u - shapes[at];
    dx = dx - Math.floor(dx + 0.5);
    let dy = v - shapes[at + 1];
    dy = dy - Math.floor(dy + 0.5);
    const length = shapes[at + 4];
    const along = (dx * shapes[at + 2] + dy * shapes[at + 3]) / length;
    if (along * length > -pixel && (1 - along) * length > -pixel) {
      const bend = shapes[at + 6];
      const across = dy * shapes[at + 2] - dx * shapes[at + 3] - bend * along * along * length;
      const side = Math.abs(across);
      const reach = Math.max(0, 1 - side / shapes[at + 5]);
      const notched = along + shapes[at + 10] * reach * reach * along * along * along;
      const s = Math.min(Math.max(notched, 0), 1);
      // The outline and its slope, the product rule term by term.
      const base = shapes[at + 8];
      const tip = shapes[at + 7];
      const belly = shapes[at + 9];
      const rootFoot = Math.sqrt(s + 0.00001);
      const rootHead = Math.sqrt(1.00001 - s);
      const foot = rootFoot * (1 - base) + s * base;
      const head = rootHead * (1 - tip) + (1 - s) * tip;
      const round = 1 + belly * (s - 0.5);
      const half = shapes[at + 5] * foot * head * round;
      const slope =
        shapes[at + 5] *
        (((0.5 * (1 - base)) / rootFoot + base) * head * round -
          ((0.5 * (1 - tip)) / rootHead + tip) * foot * round +
          foot * head * belly);
      const steep = Math.abs(slope) / length + 2 * Math.abs(bend) * s;
      // Distance to the rim, to first order, and to the lines across both ends; positive inside.
      // Outside the slope is bounded: at a round end it is so steep that all would seem near.
      const room = half - side;
      const tilt = room > 0 ? steep : Math.min(steep, 3);
      const depth = Math.min(
        room / Math.sqrt(1 + tilt * tilt),
        Math.min(along, 1 - notched) * length,
      );
      if (depth > -0.5 * pixel) {
        const rise = Math.min((depth + 0.5 * pixel) / Math.max(pixel, shapes[at + 24]), 1);
        const cover = rise * rise * (3 - 2 * rise) * shapes[at + 25];
        const q = Math.min(Math.max(across / (half + 0.000001), -1), 1);
        let blend = Math.min(Math.max((along - shapes[at + 17]) * shapes[at + 18], 0), 1);
        blend = blend * blend * (3 - 2 * blend);
        const light = 1 + shapes[at + 23] * q;
        // Lines: veins run from base to tip, ribs slant off the midrib. A line is drawn a pixel
        // wide at least, and fainter instead of thinner.
        const veins = shapes[at + 19];
        const ribs = shapes[at + 20];
        let line = 0;
        if (veins > 0) {
          const phase = q * veins * 0.5;
          const gap = (Math.abs(phase - Math.floor(phase + 0.5)) * 2 * half) / veins;
          const thick = 0.0015 + 0.0009 * (0.3 - along * along);
          const drawn = Math.max(thick, 1.2 * pixel);
          line = (Math.max(0, 1 - gap / drawn) * thick) / drawn;
        }
        if (ribs > 0) {
          const phase = (along - Math.abs(q) * 0.16) * ribs;
          const gap = (Math.abs(phase - Math.floor(phase + 0.5)) * length) / ribs;
          const drawn = Math.max(0.0013, 1.2 * pixel);
          line = Math.max(line, (Math.max(0, 1 - gap / drawn) * 0.001) / drawn);
        }
        const rim =
          shapes[at + 22] *
          Math.min(Math.max((0.0018 - depth) / pixel + 0.5, 0), 1) *
          Math.min(0.0018 / pixel, 1);
        const dark = Math.max(rim, line * shapes[at + 21]);
        const bright = (1 - dark) * light;
        const weight = open * cover;
        red +=
          weight *
          (bright * (shapes[at + 11] + (shapes[at + 14] - shapes[at + 11]) * blend) +
            dark * colours[3]);
        green +=
          weight *
          (bright * (shapes[at + 12] + (shapes[at + 15] - shapes[at + 12]) * blend) +
            dark * colours[4]);
        blue +=
          weight *
          (bright * (shapes[at + 13] + (shapes[at + 16] - shapes[at + 13]) * blend) +
            dark * colours[5]);
        open = open - weight;
        if (open < 0.002) break;
      }
    }
  }
  return packLinear(red + open * colours[0], green + open * colours[1], blue + open * colours[2]);
}

export const petalKernel: Kernel = { run: paintPetals, helpers: [packLinear, encodeChannel] };

/** Paints medallions: rings of parts, folded into one sector by the mirrors of their order. */
import type { Kernel, KernelThis } from "../../kernel.ts";
import { encodeChannel, packLinear } from "../../lib/pack.ts";

/**
 * `medals`: the ground in linear light, the print's unevenness, then 13 numbers each (medals.ts);
 * `medalList` and `medalStarts`: those that touch each of 24² grid cells; `parts`: 21 numbers each
 * (parts.ts); `partList` and `partStarts`: for each design 48 rings of equal width out to 1.15
 * radii, and the parts that reach into them, the lowest first; `table`: 4096-entry permutation.
 * WebGPU promises 8 buffers a kernel, the result's among them.
 */
function paintMedals(
  this: KernelThis,
  width: number,
  height: number,
  medals: Float32Array,
  medalList: Float32Array,
  medalStarts: Float32Array,
  parts: Float32Array,
  partList: Float32Array,
  partStarts: Float32Array,
  table: Float32Array,
): number {
  const row = Math.floor((this.thread.x + 0.5) / width);
  const column = this.thread.x - row * width;
  // Line work is finer than the pixels of a small picture: there each pixel is the mean of up to
  // sixteen, so that the work is that of a picture of 1024 pixels at most.
  const taps = Math.min(Math.ceil(1024 / width), 4);
  let sumRed = 0;
  let sumGreen = 0;
  let sumBlue = 0;
  for (let tap = 0; tap < taps * taps; tap++) {
    const tapRow = Math.floor((tap + 0.5) / taps);
    const u = (column + (tap - tapRow * taps + 0.5) / taps) / width;
    const v = (row + (tapRow + 0.5) / taps) / height;
    let red = medals[0];
    let green = medals[1];
    let blue = medals[2];
    const cell = Math.floor(v * 24) * 24 + Math.floor(u * 24);
    const lastMedal = medalStarts[cell + 1];
    for (let item = medalStarts[cell]; item < lastMedal; item += 1) {
      const medal = medalList[item];
      // Lengths below are in radii of the medallion; `pixel` is one pixel in the same unit.
      const radius = medals[medal + 2];
      const pixel = 1 / (width * taps * radius);
      let dx = u - medals[medal];
      dx = (dx - Math.floor(dx + 0.5)) / radius;
      let dy = v - medals[medal + 1];
      dy = (dy - Math.floor(dy + 0.5)) / radius;
      const away = Math.sqrt(dx * dx + dy * dy);
      if (away < 1.14) {
        // The spoke nearest to the pixel: spokes come in opposite pairs, each a turn from the last.
        let spokeX = medals[medal + 3];
        let spokeY = medals[medal + 4];
        let along = 0;
        let across = 0;
        let most = -1;
        const pairs = medals[medal + 5];
        for (let pair = 0; pair < pairs; pair++) {
          const dot = dx * spokeX + dy * spokeY;
          if (Math.abs(dot) > most) {
            most = Math.abs(dot);
            along = most;
            across = (dy * spokeX - dx * spokeY) * (dot < 0 ? -1 : 1);
          }
          const turned = spokeX * medals[medal + 6] - spokeY * medals[medal + 7];
          spokeY = spokeX * medals[medal + 7] + spokeY * medals[medal + 6];
          spokeX = turned;
        }
        // Along and beside the spoke; the line between two spokes; the nearer of both; and again.
        const beside = Math.abs(across);
        const alongMid = along * medals[medal + 8] + beside * medals[medal + 9];
        const besideMid = Math.abs(beside * medals[medal + 8] - along * medals[medal + 9]);
        const alongTwice = beside < besideMid ? along : alongMid;
        const besideTwice = Math.min(beside, besideMid);
        const alongGap = alongTwice * medals[medal + 10] + besideTwice * medals[medal + 11];
        const besideGap = Math.abs(
          besideTwice * medals[medal + 10] - alongTwice * medals[medal + 11],
        );

        const ring = medals[medal + 12] + Math.floor((away / 1.15) * 48);
        const lastPart = partStarts[ring + 1];
        for (let entry = partStarts[ring]; entry < lastPart; entry += 1) {
          const at = partList[entry];
          const fold = parts[at + 1];
          let p = along;
          let q = beside;
          if (fold === 1) {
            p = alongMid;
            q = besideMid;
          }
          if (fold === 2) {
            p = alongTwice;
            q = besideTwice;
          }
          if (fold === 3) {
            p = alongGap;
            q = besideGap;
          }
          if (fold === 4) {
            p = besideTwice < besideGap ? alongTwice : alongGap;
            q = Math.min(besideTwice, besideGap);
          }
          const kind = parts[at];
          const long = parts[at + 3];
          const wide = parts[at + 4];
          const x = p - parts[at + 2];
          const s = (x / long + 1) * 0.5;
          const inner = Math.min(Math.max(s, 0), 1);

          // Distance to the rim, positive inside.
          let depth = long - Math.abs(away - parts[at + 2]);
          if (kind === 1) depth = long - Math.sqrt(x * x + q * q);
          if (kind === 2) {
            // A lens between two circles.
            const bow = (long * long + wide * wide) / (2 * wide);
            depth = bow - Math.sqrt(x * x + (q + bow - wide) * (q + bow - wide));
          }
          if (kind === 3) {
            // A petal: its half width over its length and the slope of that, by the product rule.
            const bend = parts[at + 6];
            const size = Math.abs(long);
            const side = bend === 0 ? q : Math.abs(across - bend * inner * inner * 2 * size);
            const foot = Math.sqrt(inner + 0.0001);
            const taper = 1 - parts[at + 5];
            const rest = Math.sqrt(1.0001 - inner);
            const head = (1 - inner) * (taper + parts[at + 5] * rest);
            const slope =
              (wide * ((0.5 / foot) * head - foot * (taper + 1.5 * parts[at + 5] * rest))) /
              (2 * size);
            const steep = Math.min(Math.abs(slope) + Math.abs(2 * bend * inner), 3);
            depth = Math.min(
              (wide * foot * head - side) / Math.sqrt(1 + steep * steep),
              Math.min(s, 1 - s) * 2 * size,
            );
          }
          if (kind === 4) {
            depth =
              ((1 - Math.abs(x) / long - q / wide) * long * wide) /
              Math.sqrt(long * long + wide * wide);
          }
          if (kind === 5) {
            // A triangle that points outwards.
            const lean = Math.sqrt(4 * long * long + wide * wide);
            depth = Math.min(x + long, ((wide * (1 - s) - q) * 2 * long) / lean);
          }
          if (kind === 6) depth = Math.min(wide - q, long - Math.abs(x));

          const near = Math.max(0, 1 + Math.min(depth, 0) / 0.035);
          const shade = 1 - parts[at + 19] * near * near;
          red = red * shade;
          green = green * shade;
          blue = blue * shade;
          // Lines thinner than a pixel are drawn fainter instead.
          const line = parts[at + 16];
          const faint = Math.min(line / pixel, 1);
          const cover = Math.min(Math.max(depth / pixel + 0.5, 0), 1);
          const body = Math.min(Math.max((depth - line) / pixel + 0.5, 0), 1);
          const blend = inner * inner * (3 - 2 * inner);
          const echo =
            parts[at + 17] > 0
              ? Math.min(
                  Math.max((0.4 * line - Math.abs(depth - parts[at + 17])) / pixel + 0.5, 0),
                  1,
                ) * Math.min((0.8 * line) / pixel, 1)
              : 0;
          const vein =
            Math.min(Math.max((parts[at + 18] - q) / pixel + 0.5, 0), 1) *
            Math.min((2 * parts[at + 18]) / pixel, 1) *
            Math.min(Math.max((0.86 - s) * 8, 0), 1);
          const drawn = Math.max(Math.max(echo, vein), (1 - body) * (line > 0 ? 1 : 0));
          const inked = body > 0.999 ? drawn : Math.max(drawn * faint, Math.max(echo, vein));
          const solid = parts[at + 20];
          // Where the fill is not solid only the lines cover.
          const weight = cover * (solid + (1 - solid) * inked);
          const ink = inked / Math.max(solid + (1 - solid) * inked, 0.0001);
          const fillRed = parts[at + 7] + (parts[at + 10] - parts[at + 7]) * blend;
          const fillGreen = parts[at + 8] + (parts[at + 11] - parts[at + 8]) * blend;
          const fillBlue = parts[at + 9] + (parts[at + 12] - parts[at + 9]) * blend;
          red += (fillRed + (parts[at + 13] - fillRed) * ink - red) * weight;
          green += (fillGreen + (parts[at + 14] - fillGreen) * ink - green) * weight;
          blue += (fillBlue + (parts[at + 15] - fillBlue) * ink - blue) * weight;
        }
      }
    }
    sumRed += red;
    sumGreen += green;
    sumBlue += blue;
  }

  // Ink lies a little unevenly on paper.
  const seat = table[column - Math.floor(column / 4096) * 4096] + row;
  const speck = table[seat - Math.floor(seat / 4096) * 4096] / 4096 - 0.5;
  const print = (1 + medals[3] * speck) / (taps * taps);
  return packLinear(sumRed * print, sumGreen * print, sumBlue * print);
}

export const partKernel: Kernel = { run: paintMedals, helpers: [packLinear, encodeChannel] };

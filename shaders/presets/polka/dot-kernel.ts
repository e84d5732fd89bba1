/** Paints discs from the lowest up, each with its shadow, its hand's wobble and its brush. */
import type { Kernel, KernelThis } from "../../kernel.ts";
import { encodeChannel, packLinear } from "../../lib/pack.ts";

/**
 * `dots`, `list` and `starts` as dot-table.ts makes them, 15 numbers a dot, a grid of 32² cells;
 * `look`: order in dot-table.ts; `table`: 4096-entry permutation.
 */
function paintDots(
  this: KernelThis,
  width: number,
  height: number,
  dots: Float32Array,
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

  // The ground's tooth: value noise on lattices that wrap; what is finer than a pixel fades out.
  let tooth = 0;
  let size = 31;
  for (let octave = 0; octave < 3; octave++) {
    const x = u * size;
    const y = v * size;
    const x0 = Math.floor(x);
    const y0 = Math.floor(y);
    let tx = x - x0;
    let ty = y - y0;
    tx = tx * tx * (3 - 2 * tx);
    ty = ty * ty * (3 - 2 * ty);
    const x1 = x0 + 1 < size ? x0 + 1 : 0;
    const y1 = y0 + 1 < size ? y0 + 1 : 0;
    const left = table[x0 + octave * 700] + y0;
    const below = table[x0 + octave * 700] + y1;
    const right = table[x1 + octave * 700] + y0;
    const across = table[x1 + octave * 700] + y1;
    const n00 = table[left < 4096 ? left : left - 4096];
    const n01 = table[below < 4096 ? below : below - 4096];
    const n10 = table[right < 4096 ? right : right - 4096];
    const n11 = table[across < 4096 ? across : across - 4096];
    const upper = n00 + (n10 - n00) * tx;
    const lower = n01 + (n11 - n01) * tx;
    tooth +=
      ((upper + (lower - upper) * ty) / 4096 - 0.5) *
      Math.min(Math.max(1.6 - 2.4 * size * pixel, 0), 1);
    size = size * 2 + 9;
  }

  let red = look[6];
  let green = look[7];
  let blue = look[8];
  const cell = Math.floor(v * 32) * 32 + Math.floor(u * 32);
  const end = starts[cell + 1];
  for (let entry = starts[cell]; entry < end; entry += 1) {
    const at = list[entry];
    let dx = u - dots[at];
    dx = dx - Math.floor(dx + 0.5);
    let dy = v - dots[at + 1];
    dy = dy - Math.floor(dy + 0.5);
    const radius = dots[at + 2];
    const lift = dots[at + 13];
    if (lift > 0) {
      const sx = dx - lift;
      const sy = dy - lift * 1.3;
      const away = Math.sqrt(sx * sx + sy * sy) - radius;
      const dark = Math.min(Math.max(0.5 - away / (4 * lift), 0), 1);
      const shade = 1 - look[5] * dark * dark * (3 - 2 * dark);
      red = red * shade;
      green = green * shade;
      blue = blue * shade;
    }
    const away = Math.sqrt(dx * dx + dy * dy);
    if (away < radius * (1 + look[0]) + pixel) {
      // In the brush's own directions, in radii. The rim's noise is read around a circle, so that
      // it closes; that of the streaks is long along the brush.
      const along = (dx * dots[at + 9] + dy * dots[at + 10]) / radius;
      const over = (dy * dots[at + 9] - dx * dots[at + 10]) / radius;
      const round = 1 / (away + 0.000001);
      let rim = 0;
      let streak = 0;
      for (let octave = 0; octave < 4; octave++) {
        const x =
          octave < 2
            ? dx * round * (0.9 + octave * 1.9) + 40
            : along * (octave - 1.2) * (0.5 + 3 * look[9]) + 40;
        const y =
          octave < 2 ? dy * round * (0.9 + octave * 1.9) + 40 : over * (octave * 4.6 - 5.7) + 40;
        const x0 = Math.floor(x);
        const y0 = Math.floor(y);
        let tx = x - x0;
        let ty = y - y0;
        tx = tx * tx * (3 - 2 * tx);
        ty = ty * ty * (3 - 2 * ty);
        const left = table[x0 + dots[at + 12]] + y0;
        const right = table[x0 + 1 + dots[at + 12]] + y0;
        const n00 = table[left < 4096 ? left : left - 4096];
        const n01 = table[left + 1 < 4096 ? left + 1 : left - 4095];
        const n10 = table[right < 4096 ? right : right - 4096];
        const n11 = table[right + 1 < 4096 ? right + 1 : right - 4095];
        const upper = n00 + (n10 - n00) * tx;
        const lower = n01 + (n11 - n01) * tx;
        const noise = (upper + (lower - upper) * ty) / 4096 - 0.5;
        if (octave < 2) rim += noise * (1.3 - 0.8 * octave);
        else streak += noise * (1.1 - 0.2 * octave);
      }
      const depth = radius * (1 + look[0] * (rim + 0.35 * streak)) - away;
      // A brush runs dry in streaks, sooner towards the rim.
      const dry = Math.min(
        Math.max((streak - look[2] - 0.9 * Math.min(depth / radius, 0.3)) * 9, 0),
        1,
      );
      const cover =
        Math.min(Math.max(depth / pixel + 0.5, 0), 1) * dots[at + 14] * (1 - look[1] * dry);
      // Two halves, or one colour that runs into another.
      const split = dots[at + 11];
      const share = Math.min(
        Math.max(0.5 + along * Math.min(split, radius / pixel) + look[9] * streak, 0),
        1,
      );
      // Pigment gathers where wet paint ends.
      const edge = 1 / (1 + (depth * depth) / (radius * radius * 0.004));
      const light = (1 + look[3] * streak) * (1 - look[4] * edge) * (1 - look[10] * (along + over));
      red += ((dots[at + 3] + (dots[at + 6] - dots[at + 3]) * share) * light - red) * cover;
      green += ((dots[at + 4] + (dots[at + 7] - dots[at + 4]) * share) * light - green) * cover;
      blue += ((dots[at + 5] + (dots[at + 8] - dots[at + 5]) * share) * light - blue) * cover;
    }
  }
  const light = 1 + tooth * look[11];
  return packLinear(red * light, green * light, blue * light);
}

export const dotKernel: Kernel = { run: paintDots, helpers: [packLinear, encodeChannel] };

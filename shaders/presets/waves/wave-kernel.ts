/** Paints waves that lie one before the other: scales in rows, or swells with a sun between. */
import type { Kernel, KernelThis } from "../../kernel.ts";
import { encodeChannel, packLinear } from "../../lib/pack.ts";

/**
 * `shapes`: the profile of each scale, row after row, or 13 numbers for each swell (order in
 * swells.ts); `bands` and `buckets`: all profiles in one sequence as lib/band-table.ts makes it;
 * `look`: order in looks.ts; `table`: 4096-entry permutation.
 *
 * From the foremost shape backwards, each takes its share of what is still open of the pixel. Its
 * colour is the mean of its profile over the depths that the pixel covers.
 */
function paintWaves(
  this: KernelThis,
  width: number,
  height: number,
  shapes: Float32Array,
  bands: Float32Array,
  buckets: Float32Array,
  look: Float32Array,
  table: Float32Array,
): number {
  const row = Math.floor((this.thread.x + 0.5) / width);
  const column = this.thread.x - row * width;
  let u = (column + 0.5) / width;
  let v = (row + 0.5) / height;
  const pixel = 1 / width;

  // Value noise on lattices that wrap: a hand that strays (the first three, two apiece for across
  // and down), then the paper's tooth and the wood of the block; what is too fine fades out.
  let tooth = 0;
  let strayU = 0;
  let strayV = 0;
  for (let octave = 0; octave < 8; octave++) {
    const fine = Math.floor(octave / 2);
    let across = 7 + fine * 16;
    let down = across;
    if (octave === 6) {
      across = 5;
      down = 130;
    }
    if (octave === 7) {
      across = 160;
      down = 160;
    }
    const x = u * across;
    const y = v * down;
    const x0 = Math.floor(x);
    const y0 = Math.floor(y);
    let tx = x - x0;
    let ty = y - y0;
    tx = tx * tx * (3 - 2 * tx);
    ty = ty * ty * (3 - 2 * ty);
    const x1 = x0 + 1 < across ? x0 + 1 : 0;
    const y1 = y0 + 1 < down ? y0 + 1 : 0;
    const left = table[x0 + octave * 300] + y0;
    const below = table[x0 + octave * 300] + y1;
    const right = table[x1 + octave * 300] + y0;
    const beyond = table[x1 + octave * 300] + y1;
    const n00 = table[left < 4096 ? left : left - 4096];
    const n01 = table[below < 4096 ? below : below - 4096];
    const n10 = table[right < 4096 ? right : right - 4096];
    const n11 = table[beyond < 4096 ? beyond : beyond - 4096];
    const upper = n00 + (n10 - n00) * tx;
    const lower = n01 + (n11 - n01) * tx;
    const noise = (upper + (lower - upper) * ty) / 4096 - 0.5;
    const weight = 1 / (1 + fine * 2.5);
    if (octave === 0 || octave === 2 || octave === 4) strayU += noise * weight;
    if (octave === 1 || octave === 3 || octave === 5) strayV += noise * weight;
    if (octave > 5) tooth += noise * Math.min(Math.max(1.6 - 2.4 * down * pixel, 0), 1);
  }
  u += look[11] * strayU;
  v += look[11] * strayV;

  const scales = look[0] < 0.5;
  const count = look[2];
  const rows = look[3];
  const lanes = scales ? rows : count;
  const foremost = Math.floor((v + look[6]) * lanes);
  let red = 0;
  let green = 0;
  let blue = 0;
  let open = 1;
  for (let step = 0; step < 60; step++) {
    const lane = foremost - Math.floor((step + 0.5) / 2);
    const behind = step - 2 * Math.floor((step + 0.5) / 2);
    const wrapped = lane - Math.floor((lane + 0.5) / lanes) * lanes;
    const turn = Math.floor((lane + 0.5) / lanes);
    // How far inside the shape the pixel lies (to first order), the depth along its profile, how
    // much of that a pixel covers, and which profile it is.
    let inside = -1;
    let depth = 0;
    let grade = 0;
    let profile = 0;
    if (scales && behind < 0.5) {
      const radius = look[4];
      const shift = wrapped - 2 * Math.floor((wrapped + 0.5) / 2) > 0.5 ? 0.5 / count : 0;
      const place = Math.floor((u - shift) * count + 0.5);
      const dx = u - shift - place / count;
      const dy = v - lane / rows;
      const away = Math.sqrt(dx * dx + dy * dy);
      inside = radius - away;
      const low = dy - look[5] * radius;
      depth = Math.sqrt(dx * dx + low * low) / (radius * (1 + Math.abs(look[5])));
      grade = 1 / (radius * (1 + Math.abs(look[5])));
      profile = shapes[wrapped * count + place - Math.floor((place + 0.5) / count) * count];
    }
    if (!scales) {
      const at = wrapped * 13;
      const fall = v - shapes[at] - turn;
      if (behind < 0.5) {
        // Two waves, each between round and pointed, leaning forwards.
        let crest = 0;
        let slope = 0;
        for (let wave = 0; wave < 2; wave++) {
          const seat = at + 1 + wave * 3;
          const x = (u - shapes[at + 7] * fall) * shapes[seat + 1] + shapes[seat + 2];
          const t = x - Math.floor(x);
          const s = 2 * Math.abs(t - 0.5);
          const way = t < 0.5 ? -2 : 2;
          const sharp = look[8];
          crest +=
            shapes[seat] * (sharp * (1 - s) * (1 - s) + (1 - sharp) * (1 - s * s * (3 - 2 * s)));
          slope -=
            shapes[seat] * shapes[seat + 1] * way * (1 - s) * (2 * sharp + (1 - sharp) * 6 * s);
        }
        const rise = 1 - shapes[at + 7] * slope;
        const steep = Math.sqrt(slope * slope + rise * rise) + 0.05;
        inside = (fall + crest) / steep;
        depth = (fall + crest) / look[7];
        grade = steep / look[7];
        profile = shapes[at + 8];
      } else if (shapes[at + 11] > 0) {
        let dx = u - shapes[at + 9];
        dx = dx - Math.floor(dx + 0.5);
        const dy = fall - shapes[at + 10];
        const away = Math.sqrt(dx * dx + dy * dy);
        inside = shapes[at + 11] - away;
        depth = away / shapes[at + 11];
        grade = 1 / shapes[at + 11];
        profile = shapes[at + 12];
      }
    }
    const cover = Math.min(Math.max(inside / pixel + 0.5, 0), 1);
    if (cover > 0) {
      // The part of the profile that the pixel covers, cut off where the profile ends: a pixel
      // on the rim shows the rim alone.
      const half = (0.5 * grade * pixel) / look[1];
      const least = profile / look[1];
      const most = (profile + 1) / look[1];
      const middle = (profile + depth) / look[1];
      const from = Math.min(Math.max(middle - half, least), most - 0.00002);
      const to = Math.max(Math.min(middle + half, most), from + 0.00002);
      let r = 0;
      let g = 0;
      let b = 0;
      for (let end = 0; end < 2; end++) {
        const part = end < 1 ? from : to;
        let band = buckets[Math.min(Math.floor(part * 512), 511)];
        for (let next = 0; next < 40; next++) {
          if (bands[band] + bands[band + 1] > part || bands[band + 2] < 0.5) break;
          band = bands[band + 2];
        }
        const run = part - bands[band];
        const bent = (0.5 * run * run) / bands[band + 1];
        const sign = end < 1 ? -1 : 1;
        r +=
          sign *
          (bands[band + 3] + run * bands[band + 6] + bent * (bands[band + 9] - bands[band + 6]));
        g +=
          sign *
          (bands[band + 4] + run * bands[band + 7] + bent * (bands[band + 10] - bands[band + 7]));
        b +=
          sign *
          (bands[band + 5] + run * bands[band + 8] + bent * (bands[band + 11] - bands[band + 8]));
      }
      const share = (open * cover) / (to - from);
      red += share * r;
      green += share * g;
      blue += share * b;
    }
    open = open * (1 - cover);
    if (open < 0.003) break;
    // What lies behind is in the shadow of what lies before it.
    if (inside > -look[10] && inside < 0.5 * pixel) {
      const near = 1 + Math.min(inside, 0) / look[10];
      open = open * (1 - look[9] * near * near);
    }
  }
  const light = 1 + tooth * look[12];
  return packLinear(red * light, green * light, blue * light);
}

export const waveKernel: Kernel = { run: paintWaves, helpers: [packLinear, encodeChannel] };

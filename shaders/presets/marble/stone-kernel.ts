/** Paints stone: a list of noise terms, each warped by those before it, then colours and veins. */
import type { Kernel, KernelThis } from "../../kernel.ts";
import { encodeChannel, packLinear } from "../../lib/pack.ts";

/**
 * `terms`: 13 numbers each (order in noise-terms.ts), `count` of them; `colours`: linear light,
 * five stops of the ground, then dark vein, pale vein, gold; `look`: order in ../marble.ts;
 * `table`: 4096-entry permutation.
 *
 * The noise is Perlin's (Improving Noise, 2002) with gradients drawn from the unit square, on a
 * lattice that wraps, so that the picture tiles. It stands here in full because webasm takes no
 * arrays in helpers.
 */
function paintStone(
  this: KernelThis,
  width: number,
  height: number,
  terms: Float32Array,
  count: number,
  colours: Float32Array,
  look: Float32Array,
  table: Float32Array,
): number {
  const row = Math.floor((this.thread.x + 0.5) / width);
  const column = this.thread.x - row * width;
  let u = (column + 0.5) / width;
  let v = (row + 0.5) / height;
  let cloud = 0;
  let broad = 0;
  let thin = 0;
  let hair = 0;
  let mask = 0;
  let speck = 0;
  // Slopes of the two vein fields, to turn their values into distances.
  let broadX = 0;
  let broadY = 0;
  let thinX = 0;
  let thinY = 0;
  for (let term = 0; term < count; term++) {
    const at = term * 13;
    const across = terms[at];
    const down = terms[at + 1];
    const x = across * (u + terms[at + 2] * v);
    const y = down * (v + terms[at + 3] * u);
    const cellX = Math.floor(x);
    const cellY = Math.floor(y);
    const tx = x - cellX;
    const ty = y - cellY;
    const x0 = cellX - Math.floor((cellX + 0.5) / across) * across;
    const y0 = cellY - Math.floor((cellY + 0.5) / down) * down;
    const x1 = x0 + 1 < across ? x0 + 1 : 0;
    const y1 = y0 + 1 < down ? y0 + 1 : 0;
    const left = table[x0 + terms[at + 4]];
    const right = table[x1 + terms[at + 4]];
    const i00 = left + y0;
    const i10 = right + y0;
    const i01 = left + y1;
    const i11 = right + y1;
    const h00 = table[i00 < 4096 ? i00 : i00 - 4096];
    const h10 = table[i10 < 4096 ? i10 : i10 - 4096];
    const h01 = table[i01 < 4096 ? i01 : i01 - 4096];
    const h11 = table[i11 < 4096 ? i11 : i11 - 4096];
    // Six bits of a hash are the gradient's x, six its y.
    const g00 = Math.floor(h00 / 64);
    const g10 = Math.floor(h10 / 64);
    const g01 = Math.floor(h01 / 64);
    const g11 = Math.floor(h11 / 64);
    const n00 = (g00 - 31.5) * tx + (h00 - g00 * 64 - 31.5) * ty;
    const n10 = (g10 - 31.5) * (tx - 1) + (h10 - g10 * 64 - 31.5) * ty;
    const n01 = (g01 - 31.5) * tx + (h01 - g01 * 64 - 31.5) * (ty - 1);
    const n11 = (g11 - 31.5) * (tx - 1) + (h11 - g11 * 64 - 31.5) * (ty - 1);
    const fx = tx * tx * tx * (tx * (tx * 6 - 15) + 10);
    const fy = ty * ty * ty * (ty * (ty * 6 - 15) + 10);
    const upper = n00 + (n10 - n00) * fx;
    const lower = n01 + (n11 - n01) * fx;
    const noise = (upper + (lower - upper) * fy) / 31.5;
    const upperX = (g10 - g00) * fx + g00 - 31.5;
    const lowerX = (g11 - g01) * fx + g01 - 31.5;
    const riseX = n10 - n00 + (n11 - n01 - n10 + n00) * fy;
    const slopeX = upperX + (lowerX - upperX) * fy + 30 * tx * tx * (tx * (tx - 2) + 1) * riseX;
    const k00 = h00 - g00 * 64;
    const k01 = h01 - g01 * 64;
    const upperY = (h10 - g10 * 64 - k00) * fx + k00 - 31.5;
    const lowerY = (h11 - g11 * 64 - k01) * fx + k01 - 31.5;
    const slopeY =
      upperY + (lowerY - upperY) * fy + 30 * ty * ty * (ty * (ty - 2) + 1) * (lower - upper);
    broadX += (terms[at + 8] * across * slopeX) / 31.5;
    broadY += (terms[at + 8] * down * slopeY) / 31.5;
    thinX += (terms[at + 9] * across * slopeX) / 31.5;
    thinY += (terms[at + 9] * down * slopeY) / 31.5;
    u += terms[at + 5] * noise;
    v += terms[at + 6] * noise;
    cloud += terms[at + 7] * noise;
    broad += terms[at + 8] * noise;
    thin += terms[at + 9] * noise;
    hair += terms[at + 10] * noise;
    mask += terms[at + 11] * noise;
    speck += terms[at + 12] * noise;
  }

  // Veins lie where a warped linear phase is whole: they cross the stone instead of closing.
  broad += look[10] * u + look[11] * v;
  broad = broad - Math.floor(broad + 0.5);
  broadX += look[10];
  broadY += look[11];
  thin += look[12] * u + look[13] * v;
  thin = thin - Math.floor(thin + 0.5);
  thinX += look[12];
  thinY += look[13];

  // The ground: clouds, folded to and fro over the stops when the stone is banded, with finer
  // bands inside.
  let level = 0.5 + cloud * look[0];
  let fine = level * 6.5;
  fine = fine - 2 * Math.floor(fine * 0.5);
  fine = fine < 1 ? fine : 2 - fine;
  level = level - 2 * Math.floor(level * 0.5);
  level = (level < 1 ? level : 2 - level) * 4;
  const stop = Math.min(Math.floor(level), 3);
  let share = level - stop;
  share = share * share * (3 - 2 * share);
  const stops = stop * 3;
  const grain = 1 + speck * look[1] + (fine * fine * (3 - 2 * fine) - 0.5) * look[2];
  let red = (colours[stops] + (colours[stops + 3] - colours[stops]) * share) * grain;
  let green = (colours[stops + 1] + (colours[stops + 4] - colours[stops + 1]) * share) * grain;
  let blue = (colours[stops + 2] + (colours[stops + 5] - colours[stops + 2]) * share) * grain;

  // Hairline cracks and thin veins first, broad veins with their stain over them. Where the
  // broad ones swell the thin ones fade, so that no line closes to a loop.
  const swell = Math.min(Math.max(0.45 + mask * 1.7, 0), 1);
  const ebb = 1 - swell;
  let cover = Math.max(0, 1 - Math.abs(hair) / 0.013) * look[3] * (0.15 + ebb * 0.85);
  red += (colours[18] - red) * cover;
  green += (colours[19] - green) * cover;
  blue += (colours[20] - blue) * cover;

  let away = Math.abs(thin) / (Math.sqrt(thinX * thinX + thinY * thinY) + 2);
  let line = Math.max(0, 1 - away / (look[4] * (0.3 + ebb)));
  let stain = 1 / (1 + (away * away) / (look[4] * look[4] * 60));
  cover = Math.min(line * 0.85 + stain * stain * 0.2, 1) * Math.min(ebb * 1.6, 1) * look[5];
  red += (colours[15] - red) * cover;
  green += (colours[16] - green) * cover;
  blue += (colours[17] - blue) * cover;

  away = Math.abs(broad) / (Math.sqrt(broadX * broadX + broadY * broadY) + 1);
  const reach = look[6] * (0.12 + swell * swell * 1.4);
  line = Math.max(0, 1 - away / reach);
  stain = 1 / (1 + (away * away) / (reach * reach * 12));
  cover = Math.min(line * (2 - line) * 0.9 + stain * stain * look[9] * (0.4 + swell), 1) * look[7];
  red += (colours[15] - red) * cover;
  green += (colours[16] - green) * cover;
  blue += (colours[17] - blue) * cover;

  // Gold runs inside some of the broad veins; it glitters with the fine noise.
  const gold = Math.max(0, 1 - (away + hair * 0.004) / (reach * 0.5));
  const present = Math.min(Math.max((mask - 0.02) * 12, 0), 1);
  cover = Math.min(gold * 3.5, 1) * present * look[8];
  const glitter = 0.62 + 0.6 * gold + speck * 0.7 + cloud * 0.2;
  red += (colours[21] * glitter - red) * cover;
  green += (colours[22] * glitter - green) * cover;
  blue += (colours[23] * glitter - blue) * cover;
  return packLinear(red, green, blue);
}

export const stoneKernel: Kernel = { run: paintStone, helpers: [packLinear, encodeChannel] };

/** Weaves motifs from threads that were dyed before: each thread carries them a little off. */
import type { Kernel, KernelThis } from "../../kernel.ts";
import { encodeChannel, packLinear } from "../../lib/pack.ts";

/**
 * `motifs`: 9 numbers each (order in motifs.ts) from the lowest up, `count` of them; `outlines`:
 * rows of 65 numbers (outlines.ts); `look`: order in cloth.ts; `table`: 4096-entry permutation.
 *
 * Noise is value noise on lattices that wrap, in full because webasm takes no arrays in helpers.
 */
function weaveMotifs(
  this: KernelThis,
  width: number,
  height: number,
  motifs: Float32Array,
  count: number,
  outlines: Float32Array,
  look: Float32Array,
  table: Float32Array,
): number {
  const row = Math.floor((this.thread.x + 0.5) / width);
  const column = this.thread.x - row * width;
  const v = (row + 0.5) / height;
  // Threads are finer than the pixels of a small picture: there each pixel is the mean of up to
  // four beside each other.
  const taps = Math.min(Math.ceil(1024 / width), 4);
  const pixel = 1 / (width * taps);
  let sumRed = 0;
  let sumGreen = 0;
  let sumBlue = 0;
  for (let tap = 0; tap < taps; tap++) {
    const u = (column + (tap + 0.5) / taps) / width;
    // How far the thread has slipped along itself, how full its colour is, and what makes it
    // stand out: five noises, the finest a thread wide. Those finer than pixels blur instead.
    let slip = 0;
    let blur = look[30] * look[30] + 0.25 / (height * height);
    let tone = 0;
    let bare = 0;
    for (let octave = 0; octave < 5; octave++) {
      const across = look[octave];
      const down = look[octave + 5];
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
      const left = table[x0 + octave * 600];
      const right = table[x1 + octave * 600];
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
      const seen = Math.min(Math.max(1.7 - 2 * across * pixel, 0), 1);
      const noise = (seen * (upper + (lower - upper) * ty)) / 4096 - 0.5 * seen;
      slip += look[octave + 10] * noise;
      tone += look[octave + 15] * noise;
      bare += look[octave + 20] * noise;
      const lost = look[octave + 10] * (1 - seen) * 0.29;
      blur += lost * lost;
    }
    blur = Math.sqrt(blur);

    let red = look[33];
    let green = look[34];
    let blue = look[35];
    const repeatsX = look[31];
    const repeatsY = look[32];
    const cellX = u * repeatsX;
    const cellY = (v + slip) * repeatsY;
    for (let motif = 0; motif < count; motif++) {
      const at = motif * 9;
      let dy = cellY - motifs[at + 1];
      dy = dy - Math.floor(dy + 0.5);
      const tall = motifs[at + 3];
      const soft = (blur * repeatsY) / tall;
      const t = dy / tall;
      if (Math.abs(t) < 1 + soft) {
        let dx = cellX - motifs[at];
        dx = Math.abs(dx - Math.floor(dx + 0.5)) / motifs[at + 2];
        // Where the outline runs a little above and a little below: the pixel, and the blur.
        const step = (pixel * repeatsX) / motifs[at + 2];
        const above = Math.min(Math.max((t - soft + 1) * 32, 0), 63.999);
        const below = Math.min(Math.max((t + soft + 1) * 32, 0), 63.999);
        const a = Math.floor(above);
        const b = Math.floor(below);
        let line = motifs[at + 4] * 65;
        let first =
          outlines[line + a] + (outlines[line + a + 1] - outlines[line + a]) * (above - a);
        let second =
          outlines[line + b] + (outlines[line + b + 1] - outlines[line + b]) * (below - b);
        let cover = (0.5 * (first + second) - dx) / (Math.abs(first - second) + step) + 0.5;
        line = motifs[at + 5] * 65;
        first = outlines[line + a] + (outlines[line + a + 1] - outlines[line + a]) * (above - a);
        second = outlines[line + b] + (outlines[line + b + 1] - outlines[line + b]) * (below - b);
        cover = Math.min(
          cover,
          (dx - 0.5 * (first + second)) / (Math.abs(first - second) + step) + 0.5,
        );
        cover = Math.min(cover, (1 - Math.abs(t)) / (2 * soft) + 0.5);
        cover = Math.min(Math.max(cover, 0), 1);
        red += (motifs[at + 6] - red) * cover;
        green += (motifs[at + 7] - green) * cover;
        blue += (motifs[at + 8] - blue) * cover;
      }
    }

    // Threads that took little dye show their own colour; then the light on warp and weft, which
    // fades where pixels are wider than threads.
    const pale = Math.min(Math.max((bare - look[25]) * 4, 0), 1) * look[26];
    red += (look[36] - red) * pale;
    green += (look[37] - green) * pale;
    blue += (look[38] - blue) * pale;
    const thread = u * look[4] - Math.floor(u * look[4]) - 0.5;
    const shoot = v * look[27] - Math.floor(v * look[27]) - 0.5;
    const warpSeen = Math.min(Math.max(1.7 - 2 * look[4] * pixel, 0), 1);
    const weftSeen = Math.min(Math.max(1.7 - (2 * look[27]) / height, 0), 1);
    const light =
      (1 + tone) *
      (1 + look[28] * warpSeen * (0.08 - thread * thread)) *
      (1 + look[29] * weftSeen * (0.08 - shoot * shoot));
    sumRed += red * light;
    sumGreen += green * light;
    sumBlue += blue * light;
  }
  return packLinear(sumRed / taps, sumGreen / taps, sumBlue / taps);
}

export const warpKernel: Kernel = { run: weaveMotifs, helpers: [packLinear, encodeChannel] };

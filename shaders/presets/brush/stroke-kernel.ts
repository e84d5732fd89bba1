/** Paints strokes of a brush: bristles that run dry, ragged ends, the rim that a wash leaves. */
import type { Kernel, KernelThis } from "../../kernel.ts";
import { encodeChannel, packLinear } from "../../lib/pack.ts";

/**
 * `strokes`: 27 numbers each (order in strokes.ts); `list` and `starts`: those that touch each of
 * 32² grid cells, the lowest first; `ground`: linear light, then the paper's unevenness; `table`:
 * 4096-entry permutation.
 *
 * Noise is value noise, in full because webasm takes no arrays in helpers.
 */
function paintStrokes(
  this: KernelThis,
  width: number,
  height: number,
  strokes: Float32Array,
  list: Float32Array,
  starts: Float32Array,
  ground: Float32Array,
  table: Float32Array,
): number {
  const row = Math.floor((this.thread.x + 0.5) / width);
  const column = this.thread.x - row * width;
  // Bristles are finer than the pixels of a small picture: there each pixel is the mean of up to
  // sixteen, so that the work is that of a picture of 1024 pixels at most.
  const taps = Math.min(Math.ceil(1024 / width), 4);
  const pixel = 1 / (width * taps);
  // How sharply bare paper and paint are told apart: as sharply as the pixels allow.
  const crisp = Math.min(Math.max(0.006 / pixel, 4), 14);
  let sumRed = 0;
  let sumGreen = 0;
  let sumBlue = 0;
  for (let tap = 0; tap < taps * taps; tap++) {
    const tapRow = Math.floor((tap + 0.5) / taps);
    const u = (column + (tap - tapRow * taps + 0.5) / taps) / width;
    const v = (row + (tapRow + 0.5) / taps) / height;

    // The tooth of the paper, which a dry brush does not fill: two noises on lattices that wrap.
    let tooth = 0;
    for (let octave = 0; octave < 2; octave++) {
      const waves = octave === 0 ? 149 : 307;
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
      const left = table[x0 + octave * 1000];
      const right = table[x1 + octave * 1000];
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
      const seen = Math.min(Math.max(1.7 - 2 * waves * pixel, 0), 1);
      tooth += seen * ((upper + (lower - upper) * ty) / 4096 - 0.5);
    }

    const sheet = 1 + ground[3] * tooth;
    let red = ground[0] * sheet;
    let green = ground[1] * sheet;
    let blue = ground[2] * sheet;
    const cell = Math.floor(v * 32) * 32 + Math.floor(u * 32);
    const end = starts[cell + 1];
    for (let entry = starts[cell]; entry < end; entry += 1) {
      const at = list[entry];
      const kind = strokes[at];
      const long = strokes[at + 5];
      const wide = strokes[at + 6];
      let dx = u - strokes[at + 1];
      dx = dx - Math.floor(dx + 0.5);
      let dy = v - strokes[at + 2];
      dy = dy - Math.floor(dy + 0.5);
      let along = dx * strokes[at + 3] + dy * strokes[at + 4];
      let across = dy * strokes[at + 3] - dx * strokes[at + 4];
      if (kind === 1) {
        // A ring. What grows around it from 0 to 4 stands for the angle.
        const sum = Math.abs(along) + Math.abs(across) + 0.000001;
        const slant = across / sum;
        let around = along < 0 ? 2 - slant : slant;
        around = around < 0 ? around + 4 : around;
        const radius = strokes[at + 7];
        across = Math.sqrt(along * along + across * across) - radius;
        along = (around - 2) * 1.5708 * radius;
      } else {
        across = across - strokes[at + 7] * ((along * along) / long - long * 0.33);
      }
      if (kind === 2) along = strokes[at + 3] > 0.5 ? u : v;

      if (Math.abs(across) < wide * 1.35 + pixel) {
        // Patches, coarse bristles, fine bristles; those finer than pixels fade out.
        let patch = 0;
        let coarse = 0;
        let fine = 0;
        for (let octave = 0; octave < 3; octave++) {
          const thin = octave === 0 ? 0.1 : octave * octave * 0.25;
          const x = along * strokes[at + 26] * (octave + 1);
          const y = across * strokes[at + 25] * thin + 300;
          const x0 = Math.floor(x);
          const y0 = Math.floor(y);
          let tx = x - x0;
          let ty = y - y0;
          tx = tx * tx * (3 - 2 * tx);
          ty = ty * ty * (3 - 2 * ty);
          const period = strokes[at + 10] * (octave + 1);
          const left = table[x0 - Math.floor((x0 + 0.5) / period) * period] + y0 + strokes[at + 11];
          const right =
            table[x0 + 1 - Math.floor((x0 + 1.5) / period) * period] + y0 + strokes[at + 11];
          const h00 = table[left - Math.floor((left + 0.5) / 4096) * 4096];
          const h01 = table[left + 1 - Math.floor((left + 1.5) / 4096) * 4096];
          const h10 = table[right - Math.floor((right + 0.5) / 4096) * 4096];
          const h11 = table[right + 1 - Math.floor((right + 1.5) / 4096) * 4096];
          const upper = h00 + (h10 - h00) * tx;
          const lower = h01 + (h11 - h01) * tx;
          const seen = Math.min(Math.max(1.7 - 2 * strokes[at + 25] * thin * pixel, 0), 1);
          const noise = seen * ((upper + (lower - upper) * ty) / 4096 - 0.5);
          patch = octave === 0 ? noise : patch;
          coarse = octave === 1 ? noise : coarse;
          fine = octave === 2 ? noise : fine;
        }
        const streak = 0.6 * coarse + 0.55 * fine;

        // How far inside: from the sides, which taper towards the ends, and from the ends.
        const place = kind === 2 ? 0 : Math.min(Math.max(along / long, -1), 1);
        const taper = strokes[at + (place > 0 ? 9 : 8)];
        const span = Math.sqrt(Math.max(1.0001 - taper * place * place, 0.0001));
        const half = wide * span * (1 + strokes[at + 21] * (patch + 0.3 * coarse));
        const slope = Math.min(Math.abs((wide * taper * place) / (long * span)), 3);
        const sides = (half - Math.abs(across)) / Math.sqrt(1 + slope * slope);
        const frayed = strokes[at + 20] * (along > 0 ? 1 : 0.4) * (0.5 + streak + 0.4 * patch);
        const ends = kind === 2 ? 1 : long - Math.abs(along) - frayed;
        const depth = Math.min(sides, ends);
        if (depth > -pixel) {
          // Paint is spent along the way; what is left of it the bristles and the tooth decide.
          const spent = strokes[at + 18] * (kind === 2 ? 0.5 + 1.1 * patch : 0.5 + 0.5 * place);
          const rim = Math.max(0, 1 - sides / (wide * 0.5));
          const laid =
            strokes[at + 19] - 1.25 * spent - 0.25 * strokes[at + 18] * rim + streak + 0.5 * patch;
          const filled = Math.min(Math.max((laid + 0.35 * tooth) * crisp + 0.5, 0), 1);
          const soft = Math.max(pixel, 0.0014);
          const cover = Math.min(Math.max(depth / soft + 0.5, 0), 1) * filled * strokes[at + 23];
          const edge = Math.max(0, 1 - depth / 0.007);
          const pool = 1 - strokes[at + 22] * (edge * edge - 0.2 + 0.5 * patch);
          const blend = Math.min(Math.max(0.5 + 1.5 * coarse + 0.9 * patch + 0.25 * place, 0), 1);
          const relief = (1 + 0.22 * fine) * pool;
          const paintRed =
            (strokes[at + 12] + (strokes[at + 15] - strokes[at + 12]) * blend) * relief;
          const paintGreen =
            (strokes[at + 13] + (strokes[at + 16] - strokes[at + 13]) * blend) * relief;
          const paintBlue =
            (strokes[at + 14] + (strokes[at + 17] - strokes[at + 14]) * blend) * relief;
          // A glaze filters what lies beneath it.
          const glaze = strokes[at + 24];
          red += (paintRed * (1 - glaze + glaze * red) - red) * cover;
          green += (paintGreen * (1 - glaze + glaze * green) - green) * cover;
          blue += (paintBlue * (1 - glaze + glaze * blue) - blue) * cover;
        }
      }
    }
    sumRed += red;
    sumGreen += green;
    sumBlue += blue;
  }
  const share = 1 / (taps * taps);
  return packLinear(sumRed * share, sumGreen * share, sumBlue * share);
}

export const strokeKernel: Kernel = { run: paintStrokes, helpers: [packLinear, encodeChannel] };

/** Paints stripes: a sequence of bands along a bent axis, woven, brushed or plain. */
import type { Kernel, KernelThis } from "../../kernel.ts";
import { encodeChannel, packLinear } from "../../lib/pack.ts";

/**
 * `bands` and `buckets`: the sequence as lib/band-table.ts makes it; `terms`: 6 numbers each (order in
 * cloth.ts), `count` of them; `look`: order in cloth.ts; `table`: 4096-entry permutation.
 *
 * A pixel's colour is the mean of the sequence over the stretch that the pixel covers, from the
 * sequence's running sums: edges are smooth however fine the stripes are. The noise is Perlin's on
 * a lattice that wraps; webasm takes no arrays in helpers, so it stands here in full.
 */
function paintStripes(
  this: KernelThis,
  width: number,
  height: number,
  bands: Float32Array,
  buckets: Float32Array,
  terms: Float32Array,
  count: number,
  look: Float32Array,
  table: Float32Array,
): number {
  const row = Math.floor((this.thread.x + 0.5) / width);
  const column = this.thread.x - row * width;
  const u = (column + 0.5) / width;
  const v = (row + 0.5) / height;
  // The stripes' own axes, in whole numbers, so that they close: s across, t along.
  const p = look[0];
  const q = look[1];
  const s = p * u + q * v;
  const t = p * v - q * u;
  const stretch = Math.sqrt(p * p + q * q);

  let warp = 0;
  let brush = 0;
  let mottle = 0;
  for (let term = 0; term < count; term++) {
    const at = term * 6;
    const across = terms[at];
    const along = terms[at + 1];
    const x = across * s;
    const y = along * t;
    const cellX = Math.floor(x);
    const cellY = Math.floor(y);
    const tx = x - cellX;
    const ty = y - cellY;
    const x0 = cellX - Math.floor((cellX + 0.5) / across) * across;
    const y0 = cellY - Math.floor((cellY + 0.5) / along) * along;
    const x1 = x0 + 1 < across ? x0 + 1 : 0;
    const y1 = y0 + 1 < along ? y0 + 1 : 0;
    const left = table[x0 + terms[at + 2]];
    const right = table[x1 + terms[at + 2]];
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
    // What is finer than two pixels fades out.
    const fine = (Math.max(across, along) * stretch) / width;
    const noise =
      ((upper + (lower - upper) * fy) / 31.5) * Math.min(Math.max(1.6 - 2.4 * fine, 0), 1);
    warp += terms[at + 3] * noise;
    brush += terms[at + 4] * noise;
    mottle += terms[at + 5] * noise;
  }

  // The axis runs in teeth or waves; the wave is two parabolas, bent further towards a sine.
  const tooth = t * look[4];
  const phase = tooth - Math.floor(tooth);
  const zigzag = 1 - 4 * Math.abs(phase - 0.5);
  const swing = t * look[6] + look[13];
  const turn = swing - Math.floor(swing) - 0.5;
  const arc = 8 * turn * (1 - 2 * Math.abs(turn));
  const wave = arc * (0.775 + 0.225 * Math.abs(arc));
  const place = look[2] * (s + look[3] * zigzag + look[5] * wave + warp);
  const steep = 4 * look[3] * look[4] + 6.28 * look[5] * look[6] * (1 - Math.abs(wave));
  const foot = (look[2] * stretch * Math.sqrt(1 + steep * steep)) / width;

  let red = 0;
  let green = 0;
  let blue = 0;
  for (let end = 0; end < 2; end++) {
    const x = place + (end - 0.5) * foot;
    const whole = Math.floor(x);
    const part = x - whole;
    let at = buckets[Math.min(Math.floor(part * 512), 511)];
    for (let step = 0; step < 40; step++) {
      if (bands[at] + bands[at + 1] > part || bands[at + 2] < 0.5) break;
      at = bands[at + 2];
    }
    const run = part - bands[at];
    const bent = (0.5 * run * run) / bands[at + 1];
    const sign = end < 1 ? -1 : 1;
    // The last entry of a row of sums is the whole sequence's.
    red +=
      sign *
      (whole * look[14] +
        bands[at + 3] +
        run * bands[at + 6] +
        bent * (bands[at + 9] - bands[at + 6]));
    green +=
      sign *
      (whole * look[15] +
        bands[at + 4] +
        run * bands[at + 7] +
        bent * (bands[at + 10] - bands[at + 7]));
    blue +=
      sign *
      (whole * look[16] +
        bands[at + 5] +
        run * bands[at + 8] +
        bent * (bands[at + 11] - bands[at + 8]));
  }
  red = red / foot;
  green = green / foot;
  blue = blue / foot;

  // Where a dry brush leaves the ground open.
  const bare = Math.min(Math.max((brush - look[10]) * 5, 0), 1) * look[11];
  red += (look[17] - red) * bare;
  green += (look[18] - green) * bare;
  blue += (look[19] - blue) * bare;

  // Threads: whichever lies on top is rounded across its own run and dips at both ends. In a
  // twill each thread passes over two and under two, a step further on in each row.
  const threads = look[8];
  // A hair's breadth keeps their borders away from the middles of pixels.
  const tu = u * threads + 0.003;
  const tv = v * threads + 0.003;
  const warpThread = Math.floor(tu);
  const weftThread = Math.floor(tv);
  const fu = tu - warpThread;
  const fv = tv - weftThread;
  // A herringbone turns the twill round every sixteen threads.
  const rib = Math.floor(warpThread / 16);
  const lean =
    look[9] > 1.5 && rib - 2 * Math.floor(rib / 2) > 0.5 ? 0 - warpThread - 1 : warpThread;
  const float = look[9] > 0.5 ? 4 : 2;
  const order = lean + weftThread;
  const over = order - Math.floor((order + 0.5) / float) * float;
  const domeU = 1 - (2 * fu - 1) * (2 * fu - 1);
  const domeV = 1 - (2 * fv - 1) * (2 * fv - 1);
  const dip = look[9] > 0.5 ? 0.3 : 0.5;
  const onTop = over < float * 0.5;
  const thread = onTop
    ? domeU * (1 - dip + dip * domeV) + (table[warpThread] / 4096 - 0.5) * 0.35
    : domeV * (1 - dip + dip * domeU) + (table[weftThread + 900] / 4096 - 0.5) * 0.35 - 0.13;
  const seen = Math.min(Math.max(width / threads - 1.6, 0) * 0.5, 1);
  const light = 1 + look[7] * seen * (thread - 0.5) + brush * look[12] + mottle;
  return packLinear(red * light, green * light, blue * light);
}

export const stripeKernel: Kernel = { run: paintStripes, helpers: [packLinear, encodeChannel] };

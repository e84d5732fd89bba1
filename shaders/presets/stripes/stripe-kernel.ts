/** Paints stripes: a sequence of bands along a bent axis, woven, brushed or plain. */

import type { Kernel, KernelThis } from "../../kernel.ts";
import { BAND, type BandRecord, BUCKETS, bandStages, meanColour } from "../../lib/band-table.ts";
import { gradientNoise } from "../../lib/noise.ts";
import { packRgb } from "../../lib/pack.ts";
import { lit, mix, pixelAt, saturate, wrap } from "../../lib/paint.ts";
import { stages } from "../../lib/stages.ts";
import { CLOTH, type ClothRecord, UNEVENNESS, type UnevennessRecord } from "./cloth.ts";

/**
 * Adds up the noises at a place on the stripes' axes.
 * @param stretch edges of the picture in a step along an axis
 */
function unevennessAt(
  s: number,
  t: number,
  terms: readonly UnevennessRecord[],
  count: number,
  table: Float32Array,
  stretch: number,
  width: number,
): { readonly warp: number; readonly brush: number; readonly mottle: number } {
  let warp = 0;
  let brush = 0;
  let mottle = 0;
  for (let index = 0; index < count; index++) {
    const term = terms[index];
    const across = term.across;
    const along = term.along;
    // What is finer than two pixels fades out.
    const fine = (Math.max(across, along) * stretch) / width;
    const seen = saturate(1.6 - 2.4 * fine);
    const noise = gradientNoise(table, across * s, along * t, across, along, term.offset) * seen;
    warp += term.warp * noise;
    brush += term.brush * noise;
    mottle += term.mottle * noise;
  }
  return { warp, brush, mottle };
}

/** How far the axis lies off in teeth, −1…1. */
function zigzagAt(teeth: number): number {
  const phase = teeth - Math.floor(teeth);
  return 1 - 4 * Math.abs(phase - 0.5);
}

/** How far it lies off in waves, −1…1: two parabolas, bent further towards a sine. */
function waveAt(swing: number): number {
  const turn = swing - Math.floor(swing) - 0.5;
  const arc = 8 * turn * (1 - 2 * Math.abs(turn));
  return arc * (0.775 + 0.225 * Math.abs(arc));
}

/**
 * Light on the threads: whichever lies on top is rounded across its own run and dips at both
 * ends. In a twill each thread passes over two and under two, a step further on in each row.
 */
function threadAt(u: number, v: number, cloth: ClothRecord, table: Float32Array): number {
  // A hair's breadth keeps their borders away from the middles of pixels.
  const tu = u * cloth.threads + 0.003;
  const tv = v * cloth.threads + 0.003;
  const warp = Math.floor(tu);
  const weft = Math.floor(tv);
  const fu = tu - warp;
  const fv = tv - weft;
  // A herringbone turns the twill round every sixteen threads.
  const rib = Math.floor(warp / 16);
  const lean = cloth.crossing > 1.5 && rib - 2 * Math.floor(rib / 2) > 0.5 ? 0 - warp - 1 : warp;
  const float = cloth.crossing > 0.5 ? 4 : 2;
  const over = wrap(lean + weft, float);
  const domeU = 1 - (2 * fu - 1) * (2 * fu - 1);
  const domeV = 1 - (2 * fv - 1) * (2 * fv - 1);
  const dip = cloth.crossing > 0.5 ? 0.3 : 0.5;
  return over < float * 0.5
    ? domeU * (1 - dip + dip * domeV) + (table[warp] / 4096 - 0.5) * 0.35
    : domeV * (1 - dip + dip * domeU) + (table[weft + 900] / 4096 - 0.5) * 0.35 - 0.13;
}

/**
 * `bands` and `buckets`: the sequence as lib/band-table.ts makes it; `table`: 4096-entry
 * permutation. A pixel's colour is the mean of the sequence over the stretch that the pixel
 * covers: edges are smooth however fine the stripes are.
 */
function paintStripes(
  this: KernelThis,
  width: number,
  height: number,
  bands: readonly BandRecord[],
  buckets: Float32Array,
  terms: readonly UnevennessRecord[],
  count: number,
  cloth: ClothRecord,
  table: Float32Array,
): number {
  const { row, column } = pixelAt(this.thread.x, width);
  const u = (column + 0.5) / width;
  const v = (row + 0.5) / height;
  // The stripes' own axes, in whole numbers, so that they close: s across, t along.
  const { x: p, y: q } = cloth.axis;
  const s = p * u + q * v;
  const t = p * v - q * u;
  const stretch = Math.sqrt(p * p + q * q);
  const { warp, brush, mottle } = unevennessAt(s, t, terms, count, table, stretch, width);

  const zigzag = zigzagAt(t * cloth.teeth);
  const wave = waveAt(t * cloth.swings + cloth.begin);
  const place = cloth.repeats * (s + cloth.zigzag * zigzag + cloth.swing * wave + warp);
  const steep =
    4 * cloth.zigzag * cloth.teeth + 6.28 * cloth.swing * cloth.swings * (1 - Math.abs(wave));
  const foot = (cloth.repeats * stretch * Math.sqrt(1 + steep * steep)) / width;
  const colour = meanColour(place, foot, bands, buckets, cloth.total);

  // Where a dry brush leaves the ground open.
  const bare = saturate((brush - cloth.dryAt) * 5) * cloth.bare;
  const thread = threadAt(u, v, cloth, table);
  const seen = Math.min(Math.max(width / cloth.threads - 1.6, 0) * 0.5, 1);
  const light = 1 + cloth.weave * seen * (thread - 0.5) + brush * cloth.streaks + mottle;
  return packRgb(lit(mix(colour, cloth.ground, bare), light));
}

export const stripeKernel: Kernel = {
  run: paintStripes,
  helpers: [unevennessAt, zigzagAt, waveAt, threadAt, ...bandStages, ...stages],
  records: { bands: BAND, terms: UNEVENNESS, cloth: CLOTH },
  literals: { BUCKETS },
};

/** Stripes: regatta, awning, ticking, chevron, waves, painted by hand; woven or on paper. */

import { bandTable } from "../lib/band-table.ts";
import { permutationTable, pick, randomSequence } from "../lib/random.ts";
import { definePreset } from "./preset.ts";
import { CROSSINGS, clothTable, unevennessTable } from "./stripes/cloth.ts";
import { stripeKernel } from "./stripes/stripe-kernel.ts";
import {
  awning,
  barcode,
  blanket,
  chevron,
  flame,
  painted,
  regatta,
  ribbons,
  ticking,
} from "./stripes/styles.ts";

const STYLES = [regatta, awning, barcode, ticking, chevron, flame, ribbons, painted, blanket];

/** A cloth that is straight, smooth and whole. */
const PLAIN = {
  axis: [1, 0],
  zigzag: 0,
  teeth: 1,
  swing: 0,
  swings: 1,
  begin: 0,
  weave: 0,
  threads: 160,
  crossing: CROSSINGS.plain,
  dryAt: 1,
  bare: 0,
  streaks: 0,
} as const;

export const stripes = definePreset({
  id: "stripes",
  title: "Stripes",
  description: "Stripes straight, zigzag, waved or painted by hand, on woven cloth or on paper.",
  tiles: true,
  kernel: stripeKernel,
  prepare(seed, palette) {
    const random = randomSequence(seed, 8);
    const { sequence, cloth, terms } = pick(random, STYLES)(random, palette);
    const { bands, buckets, total } = bandTable(sequence);
    return [
      bands,
      buckets,
      unevennessTable(random, terms),
      terms.length,
      clothTable({ ...PLAIN, ground: palette.paper, ...cloth }, total),
      permutationTable(seed),
    ];
  },
});

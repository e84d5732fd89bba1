/** Dots: even, ringed, swelling, halved, cut from paper, brushed or in watercolour. */
import { permutationTable, pick, randomSequence } from "../lib/random.ts";
import { dotKernel } from "./polka/dot-kernel.ts";
import { dotTables, paintTable } from "./polka/dot-table.ts";
import {
  balls,
  bubbles,
  classic,
  halves,
  painted,
  rings,
  swelling,
  terraces,
  watercolour,
} from "./polka/styles.ts";
import { definePreset } from "./preset.ts";

const STYLES = [classic, rings, bubbles, painted, watercolour, terraces, swelling, halves, balls];

/** Flat, opaque and round. */
const FLAT = {
  wobble: 0,
  bare: 0,
  dryAt: 1,
  streaks: 0.03,
  pooling: 0,
  shadow: 0,
  bleeding: 0,
  dome: 0,
  tooth: 0.07,
};

export const polka = definePreset({
  id: "polka",
  title: "Polka",
  description: "Dots: even, ringed, swelling, halved, cut from paper, brushed or in watercolour.",
  tiles: true,
  kernel: dotKernel,
  prepare(seed, palette) {
    const random = randomSequence(seed, 9);
    const { dots, paint } = pick(random, STYLES)(random, palette);
    const whole = { ...FLAT, ...paint };
    const tables = dotTables(random, dots, whole.wobble);
    return [tables.dots, tables.list, tables.starts, paintTable(whole), permutationTable(seed)];
  },
});

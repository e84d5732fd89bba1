/** Waves: seigaiha scales, breakers with foam, layered swells, running lines. */
import { bandTable } from "../lib/band-table.ts";
import { permutationTable, pick, randomSequence } from "../lib/random.ts";
import { definePreset } from "./preset.ts";
import { lookTable, sequenceOf } from "./waves/looks.ts";
import { breakers, layers, lines } from "./waves/seas.ts";
import { seigaiha } from "./waves/seigaiha.ts";
import { waveKernel } from "./waves/wave-kernel.ts";

const STYLES = [seigaiha, seigaiha, breakers, layers, lines];

export const waves = definePreset({
  id: "waves",
  title: "Waves",
  description: "Seas: scales in rows, breakers with foam, layered swells with suns, running lines.",
  tiles: true,
  kernel: waveKernel,
  prepare(seed, palette) {
    const random = randomSequence(seed, 6);
    const sea = pick(random, STYLES)(random, palette);
    const { bands, buckets } = bandTable(sequenceOf(sea));
    const shapes = Float32Array.from(sea.shapes);
    return [shapes, shapes, bands, buckets, lookTable(sea), permutationTable(seed)];
  },
});

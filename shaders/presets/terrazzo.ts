/** Chips of stone in cement, ground flat. */
import { permutationTable, pick, randomSequence } from "../lib/random.ts";
import { definePreset } from "./preset.ts";
import { chipKernel } from "./terrazzo/chip-kernel.ts";
import { chipTables } from "./terrazzo/chips.ts";
import { lookTable } from "./terrazzo/look.ts";
import { RECIPES } from "./terrazzo/mixes.ts";
import { shardsOf } from "./terrazzo/shards.ts";

export const terrazzo = definePreset({
  id: "terrazzo",
  title: "Terrazzo",
  description: "Chips of stone in cement: Venetian floors, large shards, confetti, crazy paving.",
  tiles: true,
  kernel: chipKernel,
  prepare(seed, palette) {
    const random = randomSequence(seed, 9);
    const mix = pick(random, RECIPES)(random, palette);
    const shards = shardsOf(random, mix.spots, mix.breakage);
    const { chips, sides, list, starts } = chipTables(random, mix, shards);
    return [chips, sides, list, starts, lookTable(random, mix, palette), permutationTable(seed)];
  },
});

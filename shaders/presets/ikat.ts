/** Cloth of threads that are resist-dyed before weaving. */
import { mixed } from "../lib/colour.ts";
import { permutationTable, pick, randomSequence } from "../lib/random.ts";
import { clothTable } from "./ikat/cloth.ts";
import { DESIGNS } from "./ikat/designs.ts";
import { motifTable } from "./ikat/motifs.ts";
import { outlineTable } from "./ikat/outlines.ts";
import { warpKernel } from "./ikat/warp-kernel.ts";
import { definePreset } from "./preset.ts";

export const ikat = definePreset({
  id: "ikat",
  title: "Ikat",
  description:
    "Cloth of threads dyed before weaving: lozenges, ogees and steps with feathered edges.",
  tiles: true,
  kernel: warpKernel,
  prepare(seed, palette) {
    const random = randomSequence(seed, 12);
    const { ground, motifs, repeats } = pick(random, DESIGNS)(random, palette);
    const bare = mixed(palette.paper, palette.accent, 0.1);
    return [
      motifTable(motifs),
      motifs.length,
      outlineTable(),
      clothTable(random, repeats, ground, bare),
      permutationTable(seed),
    ];
  },
});

/** Fields of colour: silk, cut paper, contour lines, floating ink, soft clouds, aurora. */
import { bandTable } from "../lib/band-table.ts";
import { permutationTable, pick, randomSequence } from "../lib/random.ts";
import { fieldKernel } from "./plasma/field-kernel.ts";
import { termTable } from "./plasma/field-terms.ts";
import { lookTable } from "./plasma/looks.ts";
import { aurora, contours, mesh, papercut, risograph, silk, suminagashi } from "./plasma/styles.ts";
import { definePreset } from "./preset.ts";

const STYLES = [silk, papercut, contours, suminagashi, mesh, risograph, aurora];

export const plasma = definePreset({
  id: "plasma",
  title: "Plasma",
  description: "Flowing colour: silk, cut paper, contour lines, floating ink, grain or aurora.",
  tiles: true,
  kernel: fieldKernel,
  prepare(seed, palette) {
    const random = randomSequence(seed, 7);
    const { terms, bands, look } = pick(random, STYLES)(random, palette);
    const { total, ...tables } = bandTable(bands);
    return [
      termTable(random, terms),
      terms.length,
      tables.bands,
      tables.buckets,
      lookTable(look, total),
      permutationTable(seed),
    ];
  },
});

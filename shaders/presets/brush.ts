/** Painted by hand: strokes, dabs, rings and crossing bands of a brush. */
import { permutationTable, pick, randomSequence } from "../lib/random.ts";
import { LOOKS } from "./brush/looks.ts";
import { strokeKernel } from "./brush/stroke-kernel.ts";
import { strokeTables } from "./brush/strokes.ts";
import { definePreset } from "./preset.ts";

/** Share by which the tooth of the paper is seen. */
const PAPER_TOOTH = 0.05;

export const brush = definePreset({
  id: "brush",
  title: "Brush",
  description: "Painted by hand: dry strokes, dabs, rings, crossing bands and washes of ink.",
  tiles: true,
  kernel: strokeKernel,
  prepare(seed, palette) {
    const random = randomSequence(seed, 14);
    const painting = pick(random, LOOKS)(random, palette);
    const { strokes, list, starts } = strokeTables(random, painting.strokes);
    return [
      strokes,
      list,
      starts,
      Float32Array.from([...painting.ground, PAPER_TOOTH]),
      permutationTable(seed),
    ];
  },
});

/** Shapes on a grid in the manner of the mid-century: arcs, leaves, rings, stripes, triangles. */
import { mixed } from "../lib/colour.ts";
import { numbersOf } from "../lib/layout.ts";
import { between, permutationTable, pick, randomSequence, whole } from "../lib/random.ts";
import { blockKernel, LOOK } from "./geometric/block-kernel.ts";
import { blockTable, boardOf, partition } from "./geometric/blocks.ts";
import { definePreset } from "./preset.ts";

/** Share by which the printed paper varies. */
const PAPER_GRAIN = 0.07;

export const geometric = definePreset({
  id: "geometric",
  title: "Geometric",
  description: "Arcs, leaves, rings, stripes and triangles on a grid, in flat or layered colour.",
  tiles: true,
  kernel: blockKernel,
  prepare(seed, palette) {
    const random = randomSequence(seed, 3);
    const side = 2 * whole(random, 5, 8);
    const blocks = partition(random, side, whole(random, 2, 7), between(random, 0.12, 0.3));
    const joint = mixed(palette.paper, pick(random, palette.colours), 0.08);
    const gap = pick(random, [0, 0, 0.07]);
    const shadow = pick(random, [0, 0.28, 0.45]);
    return [
      side,
      boardOf(side, blocks),
      blockTable(random, palette, blocks),
      Float32Array.from(numbersOf({ gap, shadow, grain: PAPER_GRAIN, joint }, LOOK)),
      permutationTable(seed),
    ];
  },
});

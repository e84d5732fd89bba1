/** Cut stone: domain-warped clouds or bands, veins with stains, hairline cracks, some gold. */

import { numbersOf } from "../lib/layout.ts";
import { permutationTable, pick, randomSequence } from "../lib/random.ts";
import { type Term, termTable, warps } from "./marble/noise-terms.ts";
import { LOOK, STONE, stoneKernel } from "./marble/stone-kernel.ts";
import { banded, dark, pale, type Stone } from "./marble/stones.ts";
import { definePreset } from "./preset.ts";

/** How the broad and the thin veins run: periods of their phase across and down. */
const COURSES = [
  { along: [2, 1], aslant: [1, 4] },
  { along: [1, 2], aslant: [4, -1] },
  { along: [2, -1], aslant: [3, 2] },
  { along: [-1, 2], aslant: [2, 3] },
  { along: [3, 1], aslant: [-1, 3] },
  { along: [1, -3], aslant: [3, -2] },
] as const;

/** Noises from which clouds, veins and crystals arise; clouds lean as the broad veins do. */
function termsOf(flow: number, lean: number): Term[] {
  const shear = [0, lean] as const;
  return [
    ...warps(flow),
    { across: 2, down: 2, shear, cloud: 1 },
    { across: 5, down: 4, shear, cloud: 0.45 },
    { across: 11, down: 9, cloud: 0.22 },
    { across: 23, down: 21, cloud: 0.12 },
    { across: 47, down: 43, cloud: 0.06 },
    { across: 2, down: 2, broad: 1 },
    { across: 6, down: 5, broad: 0.4 },
    { across: 15, down: 17, broad: 0.1, thin: 0.1, hair: 0.3 },
    { across: 3, down: 3, thin: 1.3 },
    { across: 8, down: 9, thin: 0.55 },
    { across: 9, down: 10, hair: 1 },
    { across: 25, down: 23, hair: 0.4 },
    { across: 3, down: 3, mask: 1 },
    { across: 7, down: 7, mask: 0.4 },
    { across: 97, down: 97, speck: 0.6 },
    { across: 211, down: 211, speck: 0.6 },
  ];
}

function lookOf(stone: Stone, course: (typeof COURSES)[number]): Float32Array {
  const isBanded = stone.bands > 1;
  const look = {
    clouds: (isBanded ? 0.85 : 1.15) * stone.bands,
    crystals: 0.09,
    fineBands: isBanded ? 0.13 : 0.05,
    hair: 0.5,
    // Widths are half widths in edges of the picture.
    thinWidth: 0.0028,
    thin: 0.8 * stone.veins,
    broadWidth: 0.009,
    broad: stone.veins,
    gold: stone.gilding,
    stain: stone.stain,
    ...course,
  };
  return Float32Array.from(numbersOf(look, LOOK));
}

export const marble = definePreset({
  id: "marble",
  title: "Marble",
  description: "Cut stone: warped clouds or bands of colour, veins, hairline cracks, some gold.",
  tiles: true,
  kernel: stoneKernel,
  prepare(seed, palette) {
    const random = randomSequence(seed, 2);
    const stone = pick(random, [pale, dark, banded])(random, palette);
    const course = pick(random, COURSES);
    const terms = termsOf(stone.flow, Math.sign(course.along[0] * course.along[1]));
    return [
      termTable(random, terms),
      terms.length,
      Float32Array.from(numbersOf({ ...stone, stops: stone.stops.flat() }, STONE)),
      lookOf(stone, course),
      permutationTable(seed),
    ];
  },
});

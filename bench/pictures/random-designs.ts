/** Designs as people make them: any part of the photograph, at any scale and angle. */
import { checkDesign } from "../../engine/recipe/check.ts";
import { GROUP_NAMES, type GroupName, plainDesign } from "../../engine/recipe/index.ts";

const SMALLEST = 0.3;
const LARGEST = 3;

/**
 * Returns the `n`th design of a group, the same in every run: its motif at random in the source, its
 * scale evenly spread over the logarithms of 0.3…3.
 */
export function randomDesign(group: GroupName, n: number) {
  const random = mulberry32(n);
  const motif = {
    x: random(),
    y: random(),
    scale: SMALLEST * (LARGEST / SMALLEST) ** random(),
    rotation: 360 * random(),
  };
  return checkDesign({ ...plainDesign(group), motif });
}

/** Returns the `n`th design where the groups take turns. */
export const randomDesignInTurn = (n: number) =>
  randomDesign(GROUP_NAMES[Math.abs(n) % GROUP_NAMES.length], n);

/** A small generator of numbers in 0…1 (https://gist.github.com/tommyettinger/46a874533244883189143505d203312c). */
function mulberry32(seed: number): () => number {
  // Neighbouring seeds begin far apart.
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

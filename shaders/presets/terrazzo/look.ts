/** Parameters of a mix besides its chips. */
import { lightened, mixed } from "../../lib/colour.ts";
import { layout, numbersOf, type RecordOf, RGB } from "../../lib/layout.ts";
import { pick, type Random } from "../../lib/random.ts";
import type { Palette } from "../palette.ts";
import type { Mix } from "./mixes.ts";

/** Waves along an edge of the five noises that move edges and cloud the cement. */
const WAVES = [7, 29, 83, 171, 337];

/** Sand as the kernel reads it. */
const SAND = layout({
  /** Cells along an edge, and how many of 4096 hold a grain. */
  cells: 1,
  grains: 1,
  /** Least radius and its spread, in cells. */
  least: 1,
  spread: 1,
  opacity: 1,
});
export type SandRecord = RecordOf<typeof SAND>;

/**
 * A look as the kernel reads it: five noises' waves, what each moves places by, across and down,
 * and what it clouds the cement by; coarse sand and fine; colours of its grains.
 */
export const LOOK = layout({
  waves: 5,
  across: 5,
  down: 5,
  clouds: 5,
  seam: 1,
  cement: RGB,
  veins: RGB,
  crystals: RGB,
  sand: [SAND, 2],
  colours: [RGB, 8],
});
export type LookRecord = RecordOf<typeof LOOK>;

export function lookTable(random: Random, mix: Mix, palette: Palette): Float32Array {
  const { ragged, cement, seam, sand } = mix;
  const across = [0, 0.0035, 0.0022, 0, 0.0011].map((shift) => shift * ragged);
  const down = [0, -0.003, 0, 0.0017, 0.001].map((shift) => shift * ragged);
  const clouds = [0.07, 0.05, 0.05, 0.05, 0.08];
  const veins = mixed(palette.paper, palette.accent, 0.08);
  const crystals = lightened(palette.ink, 0.05);
  const coarse = [67, sand[0] * 4096, 0.1, 0.2, 0.95];
  const fine = [163, sand[1] * 4096, 0.14, 0.2, 0.85];
  const colours = [...mix.stones, mixed(cement, palette.ink, 0.5), lightened(cement, 0.06)];
  const grains = Array.from({ length: 8 }, () => pick(random, colours));
  const noises = { waves: WAVES, across, down, clouds };
  const ground = { seam, cement, veins, crystals };
  const numbers = { ...noises, ...ground, sand: [...coarse, ...fine], colours: grains.flat() };
  return Float32Array.from(numbersOf(numbers, LOOK));
}

/** What the kernel reads of a mix besides its chips. */
import { lightened, mixed } from "../../lib/colour.ts";
import { pick, type Random } from "../../lib/random.ts";
import type { Palette } from "../palette.ts";
import type { Mix } from "./mixes.ts";

/** Waves along an edge of the five noises that move edges and cloud the cement. */
const WAVES = [7, 29, 83, 171, 337];

/**
 * 64 numbers: the noises' waves, what each moves places by, across and down, what it clouds the
 * cement by; the seam; cement, veins and crystals in linear light; for coarse and for fine sand
 * the cells along an edge, how many of 4096 hold a grain, least radius and its spread in cells,
 * opacity; then the grains' eight colours.
 */
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
  return Float32Array.from(
    [WAVES, across, down, clouds, seam, cement, veins, crystals, coarse, fine, ...grains].flat(),
  );
}

/** The colours that presets draw with. */
import { type Linear, linearFromHex } from "../lib/colour.ts";

/** A family of colours with the parts they play, in linear light. */
export interface Palette {
  /** Light, calm: a ground, or the light that shapes catch. */
  readonly paper: Linear;
  /** Dark: a ground, or lines. */
  readonly ink: Linear;
  /** Sparing: gold, centres of flowers. */
  readonly accent: Linear;
  /** A leaf's colour, quieter than the others. */
  readonly leaf: Linear;
  /** The voices, the strongest first. */
  readonly colours: readonly Linear[];
}

/** paper, ink, accent, leaf, colours… */
const ROWS = [
  "#f3ead7 #1e2d3a #d09a3c #5f7f63 #b5453c #35605a #d98c5f #8fa9a3", // arts and crafts
  "#f4f1e6 #16284a #dba43f #4b7f7c #2f5d9e #c86b5a #7fa3cc #b9cfe3", // delft
  "#f2e8d5 #24262c #e8b33a #5d8375 #d2452f #2a5f8a #e07b39 #e5c39c", // bauhaus
  "#fbf0ea #4a2433 #cf9a3d #7f8f6b #c65b62 #8e3b53 #e39a92 #f2c4b3", // blush
  "#f1eddc #17302a #d7a33c #4f7752 #c2663c #43698c #8a3f36 #e3bd8c", // forest
  "#f8ecdd #3b2a2f #e0a13b #7b8f76 #c9583a #3f6670 #e08d5b #efbf94", // desert
  "#eff3ea #0f3341 #f0b35b #3f8f7e #e8785a #14666e #98cdbf #f3c9a5", // lagoon
  "#f5eef0 #2b1b3a #d8a24a #74897a #9467a6 #d4657c #5b3a79 #cfa9cc", // plum
  "#f6edd9 #2d2a26 #d99a1c #748f6b #bf4e2a #3e7270 #e3b448 #8fae9b", // mid-century
  "#f7e9e6 #1b2440 #e3b15c #5f8a72 #e8909c #b84d6a #5a7d9e #f4bfc0", // cherry night
  "#f1f0ea #27323d #d5a14b #7d8a6a #5d7a8c #b7594c #9db4bd #d8cbb4", // nordic
  "#f6f0dc #2f3321 #cf9f2e #7a8450 #7b6aa6 #c9683f #b9a5cf #d9c77a", // provence
] as const;

const PALETTES: readonly Palette[] = ROWS.map((row) => {
  const [paper, ink, accent, leaf, ...colours] = row.split(" ").map(linearFromHex) as [
    Linear,
    Linear,
    Linear,
    Linear,
    ...Linear[],
  ];
  return { paper, ink, accent, leaf, colours };
});

/**
 * The palette of a seed. Neighbouring seeds never share one, and the same seed has the same
 * palette in every preset, so that their pictures go together.
 */
export function paletteOf(seed: number): Palette {
  const count = PALETTES.length;
  return PALETTES[((seed % count) + count) % count] as Palette;
}

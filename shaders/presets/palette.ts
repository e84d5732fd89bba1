/** The colours that presets draw with, by their roles. */
import { type Linear, lightness, linearFromHex, mixed } from "../lib/colour.ts";
import { palettes } from "../palettes.ts";

/** The colours of a palette by their roles, in linear light. */
export interface Palette {
  /** Light, calm: a ground, or the light that shapes catch. */
  readonly paper: Linear;
  /** Dark: a ground, or lines. */
  readonly ink: Linear;
  /** Sparing: gold, centres of flowers. */
  readonly accent: Linear;
  /** A leaf's colour, quieter than the others. */
  readonly leaf: Linear;
  /** The main colours, the strongest first. */
  readonly colours: readonly Linear[];
}

/**
 * Returns the palette of a seed. Neighbouring seeds never share one, and the same seed has the same
 * palette in every preset, so that their pictures match.
 */
export function paletteOf(seed: number): Palette {
  const count = palettes.length;
  const row = palettes[((seed % count) + count) % count];
  return rolesInOrder(row.colours);
}

/** Reads colours (`#rrggbb`) in the order of the catalogue: paper, ink, accent, leaf, main colours. */
export function rolesInOrder(hexes: readonly string[]): Palette {
  const [paper, ink, accent, leaf, ...colours] = hexes.map(linearFromHex);
  return { paper, ink, accent, leaf, colours };
}

/** Number of main colours of an assigned palette, as in the catalogue. */
const MAIN_COLOURS = 4;

/**
 * Assigns roles to 2 or more arbitrary colours (`#rrggbb`): the lightest is the paper,
 * the darkest the ink, the most colourful the accent, the greenest of the others the leaf.
 * Missing ones are mixed from the others.
 */
export function assignRoles(hexes: readonly string[]): Palette {
  const byLightness = hexes.map(linearFromHex).sort((a, b) => lightness(b) - lightness(a));
  const paper = byLightness[0];
  const ink = byLightness[byLightness.length - 1];
  const between = byLightness.slice(1, -1);
  const middle =
    between.length > 0 ? between : [0.3, 0.5, 0.7].map((share) => mixed(paper, ink, share));
  const byColour = [...middle].sort((a, b) => colourfulness(b) - colourfulness(a));
  const accent = byColour[0];
  const others = byColour.slice(1);
  const leaf =
    [...others].sort((a, b) => greenness(b) - greenness(a))[0] ?? mixed(accent, ink, 0.4);
  const main = others.length > 1 ? others.filter((colour) => colour !== leaf) : middle;
  const colours = Array.from(
    { length: Math.max(MAIN_COLOURS, main.length) },
    // Repeated colours are shaded, or adjacent shapes would merge.
    (_, index) => mixed(main[index % main.length], ink, 0.25 * Math.floor(index / main.length)),
  );
  return { paper, ink, accent, leaf, colours };
}

const colourfulness = (colour: Linear) => Math.max(...colour) - Math.min(...colour);
const greenness = ([red, green, blue]: Linear) => green - Math.max(red, blue);

/** Grounds, and colours shifted away from them until they contrast in any palette. */
import { type Linear, lightened, lightness, mixed } from "../lib/colour.ts";
import { between, pick, type Random } from "../lib/random.ts";
import type { Palette } from "./palette.ts";

/** Returns the colours, shifted to differ from the ground's lightness by at least `least` (0…1). */
export function shiftedFrom(colours: readonly Linear[], ground: Linear, least = 0.2): Linear[] {
  const level = lightness(ground);
  return colours.map((colour) => {
    const apart = lightness(colour) - level;
    if (Math.abs(apart) >= least) return colour;
    return lightened(colour, (level > 0.5 ? -least : least) - apart);
  });
}

/** Returns a calm ground: tinted paper, or with probability `dark` tinted ink. */
export function randomGround(random: Random, palette: Palette, dark: number): Linear {
  const tint = pick(random, palette.colours);
  return random() < dark
    ? mixed(palette.ink, tint, between(random, 0.05, 0.22))
    : mixed(palette.paper, tint, between(random, 0, 0.14));
}

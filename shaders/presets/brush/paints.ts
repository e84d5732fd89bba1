/** Paints for brushes, and spatters. */
import { type Linear, lightened, mixed } from "../../lib/colour.ts";
import { between, pick, type Random } from "../../lib/random.ts";
import { shiftedFrom } from "../ground.ts";
import type { Palette } from "../palette.ts";
import type { Paint, Stroke } from "./strokes.ts";

/** Thick paint of a colour, with a little of another in the bristles. */
export function oil(random: Random, palette: Palette, colour: Linear): Paint {
  const second = pick(random, [palette.paper, palette.ink, palette.accent, ...palette.colours]);
  return {
    colour,
    other: mixed(
      lightened(colour, between(random, -0.05, 0.08)),
      second,
      between(random, 0.05, 0.3),
    ),
    dry: between(random, 0.3, 0.95),
    load: between(random, 0.55, 0.85),
    frayed: between(random, 0.02, 0.06),
    wobble: between(random, 0.1, 0.25),
    pool: 0,
    opacity: 1,
    glaze: 0,
    bristles: between(random, 190, 330),
  };
}

/** Thin paint that pools at its rim. */
export function wash(random: Random, palette: Palette, colour: Linear): Paint {
  return {
    ...oil(random, palette, colour),
    other: lightened(colour, between(random, 0.08, 0.18)),
    dry: between(random, 0, 0.2),
    load: 1,
    frayed: 0.008,
    wobble: between(random, 0.2, 0.5),
    pool: between(random, 0.5, 0.9),
    opacity: between(random, 0.6, 0.85),
    glaze: 0.75,
    bristles: 90,
  };
}

/** Returns colours that contrast with the ground. */
export const coloursOn = (palette: Palette, ground: Linear) =>
  shiftedFrom([...palette.colours, palette.accent, palette.leaf], ground, 0.2);

/** Spatters: round dots of all sizes, few of them large. */
export function spatter(random: Random, count: number, paints: readonly Paint[]): Stroke[] {
  return Array.from({ length: count }, () => {
    const size = 0.0018 + 0.007 * random() ** 4;
    return {
      kind: "stroke",
      x: random(),
      y: random(),
      angle: random() * 2 * Math.PI,
      long: size * between(random, 1, 1.5),
      wide: size,
      tapers: [1, 1],
      paint: { ...pick(random, paints), dry: 0, load: 1, frayed: 0 },
    };
  });
}

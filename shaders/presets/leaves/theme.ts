/** Ground and leaves of one print. */
import { type Linear, lightened, lightness, mixed } from "../../lib/colour.ts";
import { between, pick, type Random, shuffled } from "../../lib/random.ts";
import { contrasting } from "../contrast.ts";
import type { Palette } from "../palette.ts";

/** Colours of a print. */
export interface Theme {
  readonly ground: Linear;
  readonly ink: Linear;
  readonly greens: readonly Linear[];
  readonly berries: readonly Linear[];
}

/** A ground dark or light, and leaves in shades of one colour or in several. */
export function themeOf(random: Random, palette: Palette, darkness: number): Theme {
  const { paper, ink, accent, leaf, colours } = palette;
  const dark = random() < darkness;
  const tint = pick(random, colours);
  const ground = dark
    ? mixed(ink, tint, between(random, 0.05, 0.2))
    : mixed(paper, tint, between(random, 0, 0.14));
  const shades = (colour: Linear) => [
    colour,
    mixed(colour, ink, 0.3),
    mixed(colour, paper, 0.3),
    mixed(colour, accent, 0.28),
  ];
  const greens = pick(random, [
    () => shades(leaf),
    () => [...shades(leaf), colours[1]],
    () =>
      shuffled(random, [leaf, ...colours])
        .slice(0, 3)
        .flatMap((colour) => [colour, mixed(colour, ink, 0.2)]),
    () => [...shades(pick(random, colours)), leaf],
  ])();
  const lit = dark
    ? greens.map((colour) => (lightness(colour) < 0.5 ? lightened(colour, 0.14) : colour))
    : greens;
  return {
    ground,
    ink,
    greens: contrasting(lit, ground, 0.17),
    berries: contrasting([accent, ...colours], ground, 0.15),
  };
}

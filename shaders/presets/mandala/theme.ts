/** Colours and pen of one picture. */
import { type Linear, lightened, lightness, mixed } from "../../lib/colour.ts";
import { between, pick, type Random, shuffled } from "../../lib/random.ts";
import { shiftedFrom } from "../ground.ts";
import type { Palette } from "../palette.ts";

/** How a mandala is drawn. */
export interface Theme {
  readonly ground: Linear;
  /** Colours of bands and petals, each told from the lines. */
  readonly fills: readonly Linear[];
  readonly line: Linear;
  /** Of lines, in edges of the picture. */
  readonly lineWidth: number;
  readonly spark: Linear;
  readonly shadow: number;
}

/** Full colours with outlines on a calm ground. */
function painted(random: Random, palette: Palette): Theme {
  const dark = random() < 0.45;
  const tint = pick(random, palette.colours);
  const ground = dark ? mixed(palette.ink, tint, 0.14) : mixed(palette.paper, tint, 0.08);
  const line = dark ? pick(random, [palette.paper, palette.accent]) : palette.ink;
  const hues = shuffled(random, [...palette.colours, palette.accent, palette.leaf]);
  const pale = mixed(palette.paper, palette.accent, 0.12);
  const deep = mixed(palette.ink, tint, 0.3);
  const fills = [...hues.slice(0, 4), dark ? deep : pale, pale];
  return {
    ground,
    fills: shiftedFrom(fills, line, 0.22),
    line,
    lineWidth: between(random, 0.0011, 0.002),
    spark: shiftedFrom([palette.accent], ground, 0.25)[0] ?? palette.accent,
    shadow: pick(random, [0, 0.25, 0.4]),
  };
}

/** Lines of one colour on a full ground, its shades between them, as henna or gilding. */
function traced(random: Random, palette: Palette): Theme {
  const voice = pick(random, palette.colours);
  const chosen = pick(random, [
    mixed(palette.ink, voice, 0.18),
    mixed(palette.paper, voice, 0.07),
    mixed(voice, palette.ink, 0.2),
  ]);
  const light = lightness(chosen) > 0.75;
  // On a middling ground fine lines of any colour are dull.
  const ground = light ? chosen : lightened(chosen, Math.min(0.45 - lightness(chosen), 0));
  const line = light
    ? mixed(voice, palette.ink, between(random, 0.3, 0.8))
    : mixed(palette.paper, palette.accent, between(random, 0.1, 0.7));
  return {
    ground,
    fills: [0, 0.05, 0.12, 0.22].map((share) => mixed(ground, line, share)),
    line: shiftedFrom([line], ground, 0.35)[0] ?? line,
    lineWidth: between(random, 0.0014, 0.0022),
    spark: shiftedFrom([palette.accent], ground, 0.3)[0] ?? line,
    shadow: 0,
  };
}

/** Draws a theme from a palette. */
export function themeOf(random: Random, palette: Palette): Theme {
  return pick(random, [painted, painted, traced])(random, palette);
}

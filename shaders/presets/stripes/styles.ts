/** Styles of stripes, each a sequence of bands and a cloth. */

import type { Band } from "../../lib/band-table.ts";
import { type Linear, lightened, lightness, mixed } from "../../lib/colour.ts";
import { between, pick, type Random, shuffled, whole } from "../../lib/random.ts";
import { contrasting, pickContrasting } from "../contrast.ts";
import type { Palette } from "../palette.ts";
import { BRUSH, type Cloth, CROSSINGS, hand, PAPER, sway, type Unevenness, YARN } from "./cloth.ts";

/** A finished design. */
export interface StripeDesign {
  readonly sequence: readonly Band[];
  readonly cloth: Partial<Cloth> & Pick<Cloth, "repeats">;
  readonly terms: readonly Unevenness[];
}

/** Draws a design from a palette. */
export type Style = (random: Random, palette: Palette) => StripeDesign;

const UPRIGHT = [1, 0] as const;
const LEVEL = [0, 1] as const;
const ASLANT = [
  [1, 1],
  [1, -1],
] as const;

const canvas = { weave: 0.34, threads: 176, crossing: CROSSINGS.plain };
const twill = { weave: 0.34, threads: 192, crossing: CROSSINGS.twill };

/** Returns a palette's colours for bands. */
function hues({ accent, leaf, colours }: Palette): Linear[] {
  return [...colours, accent, leaf];
}

/** The ground of a cloth: light, or now and then dark. */
function groundOf(random: Random, palette: Palette, dark = 0.3): Linear {
  const tint = pick(random, palette.colours);
  return random() < dark ? mixed(palette.ink, tint, 0.15) : mixed(palette.paper, tint, 0.06);
}

/** `count` colours, each apart from the one before it and the last from the first. */
function chain(random: Random, colours: readonly Linear[], count: number): Linear[] {
  const chosen = [pick(random, colours)];
  while (chosen.length < count) {
    const last = chosen[chosen.length - 1];
    const options = contrasting(colours, last, 0.13).filter((colour) => colour !== chosen[0]);
    chosen.push(pick(random, options.length > 0 ? options : colours));
  }
  return chosen;
}

/** Broad even stripes of two or three colours. */
export const regatta: Style = (random, palette) => {
  const ground = groundOf(random, palette);
  const bold = contrasting(hues(palette), ground, 0.25);
  const [first, second] = shuffled(random, bold);
  const fine = pick(random, [0, 0.12]);
  const wide = (colour: Linear): Band[] => [
    { width: 1 - fine * 3, colour: ground },
    ...(fine > 0
      ? [
          { width: fine, colour },
          { width: fine * 1.4, colour: ground },
        ]
      : []),
    { width: 1, colour },
    ...(fine > 0
      ? [
          { width: fine * 1.4, colour: ground },
          { width: fine, colour },
        ]
      : []),
  ];
  return {
    sequence: random() < 0.5 ? wide(first) : [...wide(first), ...wide(second)],
    cloth: { ...canvas, axis: pick(random, [UPRIGHT, LEVEL]), repeats: whole(random, 3, 6) },
    terms: YARN,
  };
};

/** Wide awning stripes that carry a fold's light, between pinstripes. */
export const awning: Style = (random, palette) => {
  const ground = groundOf(random, palette, 0.15);
  const main = pick(random, contrasting(palette.colours, ground, 0.25));
  const line = pickContrasting(random, [palette.accent, palette.ink, palette.leaf], ground);
  const lit = lightened(main, 0.035);
  const deep = mixed(main, palette.ink, 0.12);
  const margin = between(random, 0.9, 1.8);
  const open = between(random, 3, 7);
  return {
    sequence: [
      { width: 5, colour: lit, to: main },
      { width: 5, colour: main, to: deep },
      { width: margin, colour: ground },
      { width: 0.55, colour: line },
      { width: open, colour: ground, to: mixed(ground, main, 0.06) },
      { width: 0.55, colour: line },
      { width: margin, colour: ground },
    ],
    cloth: {
      ...twill,
      axis: pick(random, [UPRIGHT, UPRIGHT, ...ASLANT]),
      repeats: whole(random, 2, 5),
    },
    terms: YARN,
  };
};

/** Many bands of unlike width, some hairlines, over the whole picture. */
export const barcode: Style = (random, palette) => {
  const colours = [...hues(palette), palette.paper, palette.ink];
  const sequence = chain(random, colours, whole(random, 34, 60)).flatMap((colour): Band[] => {
    const width = 0.25 + random() ** 3 * 4;
    const pin = pickContrasting(random, colours, colour);
    return random() < 0.4
      ? [
          { width, colour },
          { width: 0.22, colour: pin },
          { width: 0.4, colour },
        ]
      : [{ width, colour }];
  });
  const axis = pick(random, [UPRIGHT, LEVEL, LEVEL, ...ASLANT]);
  return { sequence, cloth: { ...twill, axis, repeats: 1 }, terms: YARN };
};

/** Groups of thin lines on a calm ground, in herringbone: the cloth of mattresses. */
export const ticking: Style = (random, palette) => {
  const ground = groundOf(random, palette, 0.2);
  const lines = contrasting([palette.ink, ...palette.colours], ground, 0.3);
  const [first, second] = [pick(random, lines), pick(random, lines)];
  const group = pick(random, [
    [1, 1, 1, 1, 4, 1, 1, 1, 1],
    [2, 1.5, 2],
    [1, 1, 1, 1, 1, 1, 1],
    [5, 1.2, 1, 1.2, 5],
    [3, 1, 0.8],
  ]);
  const lineOf = (width: number) => (width > 2 ? second : first);
  const lone = pick(random, [0, 0.9, 1.4]);
  return {
    sequence: [
      ...group.map((width, index) => ({
        width,
        colour: index % 2 === 1 ? ground : lineOf(width),
      })),
      { width: 6, colour: ground },
      ...(lone > 0 ? [{ width: lone, colour: second }] : []),
      { width: 6, colour: ground },
    ],
    cloth: {
      weave: 0.4,
      threads: 192,
      crossing: CROSSINGS.herringbone,
      axis: pick(random, [UPRIGHT, UPRIGHT, LEVEL]),
      repeats: whole(random, 5, 8),
    },
    terms: YARN,
  };
};

/** Zigzags of few colours. */
export const chevron: Style = (random, palette) => {
  const colours = chain(random, [...hues(palette), palette.paper], whole(random, 3, 5));
  const line = pick(random, [0, 0.16]);
  const gap = lightness(palette.paper) > 0.5 ? palette.paper : palette.ink;
  const teeth = whole(random, 3, 8);
  return {
    sequence: colours.flatMap((colour) => [
      { width: pick(random, [1, 1, 0.6]), colour },
      ...(line > 0 ? [{ width: line, colour: gap }] : []),
    ]),
    cloth: {
      ...twill,
      weave: pick(random, [0, 0.3]),
      axis: pick(random, [LEVEL, LEVEL, UPRIGHT]),
      repeats: whole(random, 2, 4),
      teeth,
      zigzag: between(random, 0.16, 0.27) / teeth,
    },
    terms: PAPER,
  };
};

/** Flames of many close tints in zigzags or waves, as knitters make them. */
export const flame: Style = (random, palette) => {
  const tints = chain(random, [...hues(palette), palette.paper, palette.ink], 8).flatMap(
    (colour, index, all) => {
      const next = all[(index + 1) % all.length];
      return [0, 0.25, 0.55].map((share) => ({
        width: between(random, 0.5, 1.3),
        colour: mixed(colour, next, share),
      }));
    },
  );
  const teeth = whole(random, 3, 6);
  const waves = random() < 0.5;
  const depth = between(random, 0.2, 0.3) / teeth;
  return {
    sequence: tints,
    cloth: {
      ...canvas,
      threads: 160,
      axis: pick(random, [LEVEL, UPRIGHT]),
      repeats: pick(random, [1, 2]),
      ...(waves ? { swing: depth, swings: teeth } : { zigzag: depth, teeth }),
    },
    terms: [...YARN, ...sway(0.012)],
  };
};

/** Broad waves, each lit along its crest and shaded under the next. */
export const ribbons: Style = (random, palette) => {
  const colours = chain(random, [...hues(palette), palette.paper], whole(random, 4, 6));
  const shade = pick(random, [0.1, 0.3]);
  const swings = whole(random, 1, 3);
  return {
    sequence: colours.map((colour) => ({
      width: between(random, 0.7, 1.3),
      colour: lightened(colour, 0.03),
      to: mixed(colour, palette.ink, shade),
    })),
    cloth: {
      axis: pick(random, [LEVEL, UPRIGHT, ...ASLANT]),
      repeats: whole(random, 1, 3),
      swing: between(random, 0.1, 0.16) / swings,
      swings,
      begin: random(),
    },
    terms: [...PAPER, ...sway(0.05)],
  };
};

/** Drawn by hand with a brush that runs dry here and there. */
export const painted: Style = (random, palette) => {
  const ground = groundOf(random, palette, 0.35);
  const colours = contrasting(hues(palette), ground, 0.16);
  const chosen = shuffled(random, colours).slice(0, whole(random, 1, 4));
  return {
    sequence: Array.from({ length: chosen.length * whole(random, 2, 3) }, (_, index) => [
      { width: between(random, 0.5, 1.8), colour: chosen[index % chosen.length] },
      { width: between(random, 0.45, 1.1), colour: ground },
    ]).flat(),
    cloth: {
      axis: pick(random, [LEVEL, LEVEL, UPRIGHT, ...ASLANT]),
      repeats: pick(random, [1, 2]),
      ground,
      bare: 0.85,
      dryAt: between(random, 0.2, 0.34),
      streaks: 0.22,
    },
    terms: [...PAPER, ...hand(between(random, 0.025, 0.045)), ...BRUSH],
  };
};

/** Bands of graded tints between plain fields: a blanket. */
export const blanket: Style = (random, palette) => {
  const field = pick(random, hues(palette));
  const sequence = Array.from({ length: whole(random, 2, 3) }, () => {
    const [outer, inner] = [0, 1].map(() => pickContrasting(random, hues(palette), field));
    const steps = whole(random, 4, 6);
    const up = Array.from({ length: steps }, (_, step) => ({
      width: 0.55,
      colour: mixed(outer, step % 2 === 0 ? palette.paper : inner, (step + 1) / (steps + 1.5)),
    }));
    return [
      { width: between(random, 2.5, 5), colour: field },
      { width: 0.3, colour: palette.ink },
      { width: 0.9, colour: outer },
      ...up,
      { width: 0.7, colour: inner },
      ...[...up].reverse(),
      { width: 0.9, colour: outer },
      { width: 0.3, colour: palette.ink },
    ];
  }).flat();
  return {
    sequence,
    cloth: {
      ...canvas,
      weave: 0.42,
      threads: 144,
      axis: pick(random, [LEVEL, LEVEL, UPRIGHT]),
      repeats: pick(random, [1, 2]),
    },
    terms: [...YARN, ...hand(0.003)],
  };
};

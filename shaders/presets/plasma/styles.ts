/** Kinds of colour fields. */
import type { Band } from "../../lib/band-table.ts";
import { type Linear, lightened, lightness, mixed } from "../../lib/colour.ts";
import { between, pick, type Random, shuffled, whole } from "../../lib/random.ts";
import { contrasting, pickContrasting } from "../contrast.ts";
import type { Palette } from "../palette.ts";
import { type Term, warps } from "./field-terms.ts";
import type { Look } from "./looks.ts";

/** A finished design. */
export interface Field {
  readonly terms: readonly Term[];
  readonly bands: readonly Band[];
  readonly look: Partial<Look>;
}

/** Draws a design from a palette. */
export type Style = (random: Random, palette: Palette) => Field;

/** Returns a palette's colours for fields. */
function hues({ accent, leaf, colours }: Palette): Linear[] {
  return [...colours, accent, leaf];
}

/** Bands that run into each other and from the last into the first. */
function ramp(stops: readonly Linear[], widths: (stop: number) => number): Band[] {
  // OKLab's way from one colour to the next is no straight line in linear light.
  const shares = [0, 0.25, 0.5, 0.75];
  return stops.flatMap((stop, index) => {
    const next = stops[(index + 1) % stops.length];
    return shares.map((share) => ({
      width: widths(index) / shares.length,
      colour: mixed(stop, next, share),
      to: mixed(stop, next, share + 0.25),
    }));
  });
}

/** `count` steps from one colour over another to a third. */
function steps(count: number, [from, over, to]: readonly [Linear, Linear, Linear]): Linear[] {
  return Array.from({ length: count }, (_, index) => {
    const share = (2 * index) / (count - 1);
    return share < 1 ? mixed(from, over, share) : mixed(over, to, share - 1);
  });
}

const level = (across: number, down: number, weight: number): Term => ({
  across,
  down,
  level: weight,
});

/** Folds of heavy silk in the light. */
export const silk: Style = (random, { paper, ink, ...palette }) => {
  const [first, second] = shuffled(random, palette.colours);
  const stops = [
    mixed(first, ink, 0.4),
    first,
    mixed(first, paper, 0.5),
    first,
    second,
    mixed(second, ink, 0.3),
  ];
  const course = pick(random, [
    [1, 1],
    [2, 1],
    [1, -2],
    [-1, 1],
  ] as const);
  return {
    terms: [
      ...warps([1, 2, 4], between(random, 0.42, 0.6)),
      level(2, 2, 0.8),
      level(5, 4, 0.16),
      level(11, 9, 0.025),
    ],
    bands: ramp(stops, () => between(random, 0.7, 1.3)),
    look: { cycles: 1, course, begin: random(), light: 0.5, depth: 0.16, gloss: 1.1, grain: 0.006 },
  };
};

/** Layers of cut paper, each with its shadow on the next. */
export const papercut: Style = (random, palette) => {
  const { paper, ink } = palette;
  const main = pick(random, hues(palette));
  const other = pick(random, hues(palette));
  const order = pick(random, [
    [mixed(ink, main, 0.2), main, mixed(main, paper, 0.8)],
    [mixed(paper, main, 0.1), main, mixed(main, ink, 0.65)],
    [mixed(main, ink, 0.65), mixed(main, other, 0.5), mixed(other, paper, 0.75)],
  ] as const);
  const count = whole(random, 7, 11);
  return {
    terms: [
      ...warps([2, 3], between(random, 0.12, 0.26)),
      level(2, 2, 0.75),
      level(4, 4, 0.28),
      level(9, 8, 0.05),
    ],
    bands: steps(count, order).map((colour) => ({ width: 1, colour })),
    look: {
      cycles: between(random, 1.1, 1.5),
      held: 1,
      shadow: 0.6,
      shadowReach: between(random, 0.025, 0.045),
    },
  };
};

/** Contour lines over tinted heights, as on a map. */
export const contours: Style = (random, palette) => {
  const { paper, ink } = palette;
  const [first, second] = shuffled(random, hues(palette));
  const dark = random() < 0.4;
  const ground = dark ? mixed(ink, first, 0.15) : paper;
  const line = dark ? mixed(paper, first, 0.25) : mixed(ink, first, 0.2);
  const count = whole(random, 16, 24);
  const strong = between(random, 0.3, 0.9);
  const order = [mixed(ground, first, strong), ground, mixed(ground, second, strong)] as const;
  return {
    terms: [
      ...warps([2, 4], between(random, 0.12, 0.22)),
      level(2, 3, 0.7),
      level(5, 4, 0.3),
      level(10, 11, 0.08),
    ],
    bands: steps(count, order).map((colour) => ({ width: 1, colour })),
    look: { held: 1, line: 0.85, lineWidth: between(random, 0.0009, 0.0016), lineColour: line },
  };
};

/** Ink floating on water, drawn out in rings: suminagashi. */
export const suminagashi: Style = (random, palette) => {
  const ground = pick(random, [
    palette.paper,
    palette.paper,
    mixed(palette.ink, palette.leaf, 0.12),
  ]);
  const inks = shuffled(random, contrasting([...hues(palette), palette.ink], ground, 0.2)).slice(
    0,
    whole(random, 1, 4),
  );
  const rings = whole(random, 7, 12);
  return {
    terms: [
      ...warps([1, 2, 4, 7], between(random, 0.3, 0.42)),
      level(2, 2, 0.8),
      level(5, 5, 0.12),
      level(13, 12, 0.02),
    ],
    bands: Array.from({ length: rings }, () => [
      { width: between(random, 0.25, 1.1), colour: pick(random, inks) },
      {
        width: between(random, 0.3, 1.5),
        colour: mixed(ground, pick(random, inks), between(random, 0, 0.15)),
      },
    ]).flat(),
    look: { cycles: between(random, 1.3, 2.2), begin: random() },
  };
};

/** Soft clouds of colour that melt into each other under a fine grain. */
export const mesh: Style = (random, palette) => {
  const [first, second, third, fourth] = shuffled(random, hues(palette));
  const base = pick(random, [palette.paper, palette.ink, first]);
  const stops = [mixed(base, first, 0.35), first, mixed(first, second, 0.6), second];
  return {
    terms: [
      ...warps([1, 2], between(random, 0.3, 0.5)),
      level(2, 2, 0.75),
      { across: 2, down: 2, tint: 1 },
      { across: 3, down: 3, tint: 0.35 },
    ],
    bands: ramp(stops, () => 1),
    look: {
      cycles: 1,
      held: 1,
      tint: 0.9,
      heights: mixed(third, palette.paper, 0.15),
      depths: fourth,
      grain: 0.1,
      tintGrain: 0.1,
    },
  };
};

/** Few inks in coarse grain, one over the other, as a risograph prints them. */
export const risograph: Style = (random, palette) => {
  const ground = palette.paper;
  const inks = shuffled(random, contrasting(hues(palette), ground, 0.2));
  const [first, second] = inks;
  const third = pickContrasting(random, [...hues(palette), palette.ink], first);
  return {
    terms: [
      ...warps([1, 2], between(random, 0.25, 0.45)),
      level(2, 2, 0.8),
      level(3, 4, 0.2),
      { across: 2, down: 2, tint: 0.9 },
    ],
    bands: [
      { width: 1, colour: mixed(ground, first, 0.06), to: mixed(ground, first, 0.3) },
      { width: 0.8, colour: first, to: mixed(first, third, 0.35) },
      { width: 0.6, colour: third },
    ],
    look: {
      held: 1,
      cycles: 1.3,
      grain: 0.3,
      tint: 0.85,
      tintGrain: 0.5,
      heights: second,
      depths: ground,
    },
  };
};

/** Curtains of light over a dark sky. */
export const aurora: Style = (random, palette) => {
  const { paper, ink } = palette;
  const sky = mixed(ink, pick(random, palette.colours), 0.12);
  const glow = shuffled(
    random,
    hues(palette).filter((colour) => lightness(colour) > 0.45),
  );
  const [first, second] = [glow[0] ?? palette.accent, glow[1] ?? palette.leaf];
  const stops = [
    sky,
    lightened(sky, 0.03),
    mixed(sky, second, 0.55),
    mixed(first, second, 0.35),
    mixed(first, paper, 0.35),
  ];
  const widths = [1.6, 1, 0.9, 0.5, 0.25];
  return {
    terms: [
      ...warps([1, 2, 3], between(random, 0.25, 0.4)),
      level(3, 1, 0.45),
      level(6, 2, 0.16),
      { across: 40, down: 1, ray: 0.8, level: 0.03 },
      { across: 90, down: 2, ray: 0.5 },
    ],
    bands: ramp(stops, (stop) => widths[stop]),
    look: {
      course: [pick(random, [-1, 0, 1]), whole(random, 1, 2)],
      begin: random(),
      rays: 0.3,
      grain: 0.015,
    },
  };
};

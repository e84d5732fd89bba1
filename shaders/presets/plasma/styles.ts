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

/** Folds of silk in the light: long pleats that a broad drapery bends. */
export const silk: Style = (random, { paper, ink, ...palette }) => {
  const [first, second] = shuffled(random, palette.colours);
  const stops = [
    mixed(first, ink, 0.55),
    first,
    mixed(first, paper, 0.45),
    mixed(first, second, 0.4),
    second,
    mixed(second, ink, 0.5),
  ];
  const along = pick(random, [1, -1] as const);
  return {
    terms: [
      ...warps([1, 2], between(random, 0.5, 0.7)),
      level(1, 2, 0.7),
      level(2, 6, 0.34),
      level(3, 13, 0.12),
      level(5, 29, 0.03),
    ],
    bands: ramp(stops, () => between(random, 0.7, 1.3)),
    look: {
      course: [along, 1],
      begin: random(),
      light: 0.7,
      depth: 0.2,
      gloss: 1.5,
      grain: 0.002,
    },
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
  const strong = between(random, 0.55, 1);
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
  const { paper, ink } = palette;
  // Hues meet by way of light, or those on opposite sides of the circle would turn grey.
  const bright = (one: Linear, other: Linear) => mixed(mixed(one, other, 0.5), paper, 0.65);
  const stops = [
    mixed(first, ink, 0.35),
    first,
    bright(first, second),
    second,
    bright(second, third),
    third,
  ];
  return {
    terms: [
      ...warps([1, 2], between(random, 0.45, 0.6)),
      level(1, 2, 0.5),
      level(3, 2, 0.4),
      { across: 2, down: 1, tint: 1 },
    ],
    bands: ramp(stops, () => between(random, 0.7, 1.3)),
    look: {
      course: [pick(random, [1, -1]), 1],
      begin: random(),
      tint: 0.45,
      heights: mixed(fourth, paper, 0.2),
      depths: fourth,
      grain: 0.03,
      tintGrain: 0.05,
      light: 0.3,
      depth: 0.1,
    },
  };
};

/** Waves of few inks that fade in coarse grain, as a risograph prints them. */
export const risograph: Style = (random, palette) => {
  const ground = palette.paper;
  const inks = shuffled(random, contrasting(hues(palette), ground, 0.2));
  const [first, second] = inks;
  const third = pickContrasting(random, [...hues(palette), palette.ink], first);
  return {
    terms: [
      ...warps([1, 2], between(random, 0.3, 0.5)),
      level(1, 2, 0.6),
      level(3, 2, 0.25),
      { across: 2, down: 1, tint: 1 },
    ],
    bands: [
      { width: 0.4, colour: third, to: third },
      { width: 0.35, colour: first },
      { width: 0.45, colour: ground },
    ],
    look: {
      cycles: 1.2,
      course: pick(random, [
        [1, 2],
        [-1, 2],
        [2, -1],
        [1, 1],
      ] as const),
      begin: random(),
      grain: 0.55,
      tint: 0.8,
      tintGrain: 0.35,
      heights: second,
      depths: ground,
    },
  };
};

/** Curtains of light over a dark sky. */
export const aurora: Style = (random, palette) => {
  const { paper, ink } = palette;
  const sky = lightened(mixed(ink, pick(random, palette.colours), 0.12), -0.12);
  const glow = shuffled(
    random,
    hues(palette).filter((colour) => lightness(colour) > 0.45),
  );
  const [first, second] = [glow[0] ?? palette.accent, glow[1] ?? palette.leaf];
  const stops = [
    sky,
    lightened(sky, 0.03),
    mixed(sky, second, 0.6),
    mixed(first, second, 0.35),
    first,
    mixed(first, paper, 0.55),
  ];
  const widths = [1.1, 0.8, 0.9, 0.6, 0.25, 0.3];
  return {
    terms: [
      ...warps([1, 2, 3], between(random, 0.25, 0.4)),
      level(3, 1, 0.45),
      level(7, 1, 0.14),
      { across: 24, down: 1, ray: 0.9, level: 0.05 },
      { across: 60, down: 1, ray: 0.5, level: 0.012 },
    ],
    bands: ramp(stops, (stop) => widths[stop]),
    look: {
      course: [pick(random, [-1, 0, 1]), whole(random, 1, 2)],
      begin: random(),
      rays: 0.4,
      grain: 0.004,
    },
  };
};

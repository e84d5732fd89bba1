/** Designs after the ikats of Bukhara, Uzbek adras, Patan and Sumba. */
import { type Linear, lightness, mixed } from "../../lib/colour.ts";
import { between, pick, type Random, shuffled, whole } from "../../lib/random.ts";
import { randomGround, shiftedFrom } from "../ground.ts";
import type { Palette } from "../palette.ts";
import { beside, halfDrop, type Motif, nest } from "./motifs.ts";
import type { OutlineName } from "./outlines.ts";

/** Motifs of one repeat, and how many repeats the picture has. */
export interface Cloth {
  readonly ground: Linear;
  readonly motifs: readonly Motif[];
  readonly repeats: readonly [number, number];
}

/** Draws a cloth in a palette's colours. */
export type Design = (random: Random, palette: Palette) => Cloth;

/** Dyes one after the other, each told from the one before. */
function dyes(random: Random, palette: Palette, ground: Linear, count: number): Linear[] {
  const all = [...palette.colours, palette.accent, palette.paper, palette.ink, palette.leaf];
  const chosen: Linear[] = [];
  let below = ground;
  for (let dye = 0; dye < count; dye++) {
    const before = chosen.at(-2);
    const apart = all.filter(
      (colour) => colour !== before && Math.abs(lightness(colour) - lightness(below)) > 0.16,
    );
    below = pick(random, apart.length > 0 ? apart : all);
    chosen.push(below);
  }
  return chosen;
}

/** Grounds of ikat are often full colours. */
function dyedGround(random: Random, palette: Palette): Linear {
  return random() < 0.45
    ? mixed(pick(random, palette.colours.slice(0, 3)), palette.ink, between(random, 0, 0.25))
    : randomGround(random, palette, 0.4);
}

/** Lozenges inside each other, serrated or stepped, that fill the cloth. */
const lozenges: Design = (random, palette) => {
  const ground = dyedGround(random, palette);
  const outline = pick(random, ["lozenge", "serrated", "steps", "fineSteps"] as const);
  const rings = dyes(random, palette, ground, whole(random, 3, 6));
  const small = dyes(random, palette, ground, 2);
  const full = random() < 0.5 ? 0.5 : 0.42;
  const heart = pick(random, ["cross", "star", "lozenge", "disc"] as const);
  const [eye] = dyes(random, palette, rings[rings.length - 1], 1);
  return {
    ground,
    repeats: pick(random, [
      [2, 1],
      [3, 2],
      [4, 2],
      [4, 3],
    ]),
    motifs: halfDrop([
      ...nest(outline, [0, 0, full, full], rings, 0.24),
      ...nest(heart, [0, 0, 0.07, 0.07], [eye]),
      ...(full < 0.5 ? nest("lozenge", [0.5, 0, 0.07, 0.07], small, 0.5) : []),
    ]),
  };
};

/** Ogees that reach into each other, each with a flower or a fruit. */
const ogees: Design = (random, palette) => {
  const ground = dyedGround(random, palette);
  const rings = dyes(random, palette, ground, whole(random, 2, 4));
  const inner = dyes(random, palette, rings[rings.length - 1], 4);
  const fruit = pick(random, ["pomegranate", "tulip", "drop", "almond"] as const);
  const outer = pick(random, ["ogee", "ogee", "almond"] as const);
  const size = outer === "ogee" ? 0.47 : 0.36;
  const buds = dyes(random, palette, ground, 2);
  return {
    ground,
    repeats: pick(random, [
      [2, 1],
      [3, 1],
      [3, 2],
      [4, 2],
    ]),
    motifs: halfDrop([
      ...nest(outer, [0, 0, size, size], rings, 0.74),
      ...nest(fruit, [0, 0.02, size * 0.42, size * 0.46], inner.slice(0, 3), 0.3),
      ...nest("lozenge", [0, -size * 0.62, 0.04, 0.05], inner.slice(1, 2)),
      ...(size < 0.4 ? nest("drop", [0, 0.49, 0.05, 0.08], buds, 0.5) : []),
    ]),
  };
};

/** Tall fruits with horns and combs on broad stripes. */
const adras: Design = (random, palette) => {
  const ground = dyedGround(random, palette);
  const [stripe, ...others] = dyes(random, palette, ground, 3);
  const onGround = dyes(random, palette, ground, 4);
  const onStripe = dyes(random, palette, stripe, 5);
  const [hornColour] = shuffled(random, shiftedFrom(palette.colours, ground, 0.2));
  const fruit = pick(random, ["pomegranate", "almond", "drop", "tulip"] as const);
  const second = pick(random, ["hexagon", "disc", "steps", "star"] as const);
  const striped: Motif[] = [
    { x: 0.5, y: 0, wide: 0.235, tall: 2, outline: "band", colour: others[0] ?? ground },
    { x: 0.5, y: 0, wide: 0.215, tall: 2, outline: "band", colour: stripe },
  ];
  const horns: Motif = {
    x: 0,
    y: -0.19,
    wide: 0.22,
    tall: 0.15,
    outline: "horn",
    inside: "hornInside",
    colour: hornColour,
  };
  const combs: Motif[] = nest("comb", [0, 0.4, 0.14, 0.075], onGround.slice(2, 3));
  const alternate = random() < 0.5 ? 0.5 : 0;
  return {
    ground,
    repeats: pick(random, [
      [2, 1],
      [2, 2],
      [3, 2],
    ]),
    motifs: [
      ...striped,
      horns,
      ...nest("lozenge", [0, -0.37, 0.035, 0.045], onGround.slice(1, 2)),
      ...combs,
      ...nest(fruit, [0, 0.02, 0.17, 0.27], onGround, 0.22),
      ...beside(
        [
          ...nest(second, [0, 0, 0.15, 0.17], onStripe.slice(0, 3), 0.3),
          ...nest("lozenge", [0, 0.34, 0.06, 0.09], onStripe.slice(0, 2), 0.5),
          ...nest("hourglass", [0, -0.34, 0.08, 0.05], onStripe.slice(1, 2)),
        ],
        0.5,
        alternate,
      ),
    ],
  };
};

/** Small stars, crosses and steps in a close grid, as double ikat has. */
const patola: Design = (random, palette) => {
  const ground = dyedGround(random, palette);
  const net = dyes(random, palette, ground, 2);
  const large = dyes(random, palette, ground, 4);
  const small = dyes(random, palette, ground, 3);
  const kinds: readonly OutlineName[] = ["steps", "star", "cross", "hexagon", "fineSteps"];
  const [first, second, third] = shuffled(random, kinds);
  const dots = [0.25, 0.75].flatMap((y) => [-0.25, 0.25].map((x) => [x, y] as const));
  return {
    ground,
    repeats: pick(random, [
      [4, 4],
      [5, 5],
      [6, 6],
      [4, 3],
    ]),
    motifs: [
      ...nest("fineSteps", [0, 0, 0.5, 0.5], [net[0], ground], 0.9),
      ...nest(first, [0, 0, 0.27, 0.27], large, 0.25),
      ...nest(second, [0.5, 0.5, 0.24, 0.24], small, 0.3),
      ...dots.flatMap(([x, y]) => nest(third, [x, y, 0.06, 0.06], net.slice(1))),
    ],
  };
};

/** Bands across with drops, lozenges and hourglasses in turn, as on Sumba. */
const bands: Design = (random, palette) => {
  const ground = randomGround(random, palette, 0.6);
  const wide = dyes(random, palette, ground, 3);
  const [field, edge] = dyes(random, palette, ground, 2);
  const onField = dyes(random, palette, field, 4);
  const figure = pick(random, ["steps", "fineSteps", "serrated", "tulip"] as const);
  const border = pick(random, ["hourglass", "lozenge", "cross"] as const);
  // A motif a whole repeat wide joins its neighbours to a band.
  const across = (y: number, tall: number, colour: Linear): Motif => ({
    x: 0,
    y,
    wide: 0.6,
    tall,
    outline: "band",
    colour,
  });
  return {
    ground,
    repeats: pick(random, [
      [4, 1],
      [5, 2],
      [3, 1],
      [6, 2],
    ]),
    motifs: [
      across(0, 0.27, edge),
      across(0, 0.25, field),
      ...nest(figure, [0, 0, 0.44, 0.21], onField, 0.2),
      ...nest("lozenge", [0.5, 0.13, 0.12, 0.06], onField.slice(0, 2), 0.5),
      ...nest("lozenge", [0.5, -0.13, 0.12, 0.06], onField.slice(0, 2), 0.5),
      across(0.5, 0.018, wide[1]),
      ...[0.36, 0.64].flatMap((y) => [
        ...nest(border, [0, y, 0.18, 0.055], wide.slice(0, 2), 0.5),
        ...nest("drop", [0.5, y, 0.12, 0.05], wide.slice(1), 0.5),
      ]),
    ],
  };
};

/** The grand ones twice: they are drawn more often. */
export const DESIGNS: readonly Design[] = [lozenges, ogees, adras, patola, bands, lozenges, ogees];

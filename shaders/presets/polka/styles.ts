/** Styles of polka dots. */
import { type Linear, lightened, lightness, mixed } from "../../lib/colour.ts";
import { between, pick, type Random, shuffled, whole } from "../../lib/random.ts";
import type { Spot } from "../../lib/torus.ts";
import { contrasting, pickContrasting } from "../contrast.ts";
import type { Palette } from "../palette.ts";
import type { Dot, Paint } from "./dot-table.ts";
import { lattice, packed, randomLattice, swell } from "./layouts.ts";

/** A finished design; dots from the lowest up. */
export interface DotDesign {
  readonly dots: readonly Dot[];
  readonly paint: Partial<Paint> & Pick<Paint, "ground">;
}

/** Draws a design from a palette. */
export type Style = (random: Random, palette: Palette) => DotDesign;

/** Returns a palette's colours for dots. */
function hues({ accent, leaf, colours }: Palette): Linear[] {
  return [...colours, accent, leaf];
}

/** A ground light, dark or of full colour. */
function groundOf(random: Random, palette: Palette): Linear {
  const tint = pick(random, palette.colours);
  return pick(random, [
    mixed(palette.paper, tint, 0.05),
    mixed(palette.paper, tint, 0.12),
    mixed(palette.ink, tint, 0.15),
    tint,
  ]);
}

/** Even dots of one colour, or of two in turn, now and then with pin dots between. */
export const classic: Style = (random, palette) => {
  const ground = groundOf(random, palette);
  const clear = contrasting([...hues(palette), palette.paper], ground, 0.22);
  const [first, second] = shuffled(random, clear);
  const share = between(random, 0.42, 0.72);
  const count = 2 * whole(random, 3, 8);
  const both = random() < 0.4;
  const dots = lattice(count / 2, count, "row").map(({ x, y, radius, row }) => ({
    x,
    y,
    radius: radius * share,
    colour: both && row % 2 === 1 ? second : first,
  }));
  const pins = lattice(count / 2, count, "row").map(({ x, y, radius }) => ({
    x: x + 1 / count,
    y,
    radius: radius * 0.16,
    colour: second,
  }));
  return { dots: random() < 0.5 ? [...dots, ...pins] : dots, paint: { ground } };
};

/** Discs within discs. */
export const rings: Style = (random, palette) => {
  const ground = groundOf(random, palette);
  const colours = [...hues(palette), palette.paper, palette.ink];
  const kinds = Array.from({ length: whole(random, 2, 5) }, () => {
    let below = ground;
    return [1, between(random, 0.66, 0.84), between(random, 0.4, 0.56), between(random, 0.14, 0.3)]
      .slice(0, whole(random, 2, 4))
      .map((reach) => {
        below = pickContrasting(random, colours, below);
        return { reach, colour: below };
      });
  });
  const places = random() < 0.6 ? randomLattice(random, 4, 9) : packed(random, 0.14);
  const share = between(random, 0.84, 0.97);
  return {
    dots: places.flatMap(({ x, y, radius }) =>
      pick(random, kinds).map(({ reach, colour }) => ({
        x,
        y,
        radius: radius * share * reach,
        colour,
      })),
    ),
    paint: { ground },
  };
};

/** Bubbles of all sizes, some of them hollow. */
export const bubbles: Style = (random, palette) => {
  const ground = groundOf(random, palette);
  const colours = shuffled(random, contrasting(hues(palette), ground, 0.15)).slice(0, 4);
  return {
    dots: packed(random, between(random, 0.1, 0.17)).flatMap(({ x, y, radius }): Dot[] => {
      const colour = pick(random, colours);
      const outer = { x, y, radius: radius * 0.93, colour };
      const hollow = random() < 0.25 && radius > 0.02;
      return hollow
        ? [outer, { ...outer, radius: radius * between(random, 0.55, 0.8), colour: ground }]
        : [outer];
    }),
    paint: { ground },
  };
};

/** Brushed on by hand, none quite round. */
export const painted: Style = (random, palette) => {
  const ground = groundOf(random, palette);
  const colours = shuffled(random, contrasting(hues(palette), ground, 0.18)).slice(
    0,
    whole(random, 1, 4),
  );
  const angle = random() * Math.PI;
  const share = between(random, 0.62, 0.86);
  return {
    dots: randomLattice(random, 5, 12).map(({ x, y, radius }) => ({
      x: x + radius * between(random, -0.13, 0.13),
      y: y + radius * between(random, -0.13, 0.13),
      radius: radius * share * between(random, 0.86, 1.08),
      colour: pick(random, colours),
      angle: angle + between(random, -0.5, 0.5),
    })),
    paint: { ground, wobble: 0.13, streaks: 0.38, bare: 0.9, dryAt: between(random, 0.12, 0.3) },
  };
};

/** Watercolour: see-through drops whose rims are darker and whose colours bleed. */
export const watercolour: Style = (random, palette) => {
  const ground = mixed(palette.paper, pick(random, palette.colours), 0.03);
  const colours = contrasting(hues(palette), ground, 0.12);
  const drop = ({ x, y, radius }: Spot): Dot => {
    const colour = pick(random, colours);
    // Two full colours would mix to mud: one of them stays a trace.
    const other = mixed(colour, pick(random, colours), 0.3);
    const to = mixed(other, ground, between(random, 0.15, 0.5));
    const angle = random() * 2 * Math.PI;
    return { x, y, radius, colour, to, angle, split: 0.45, opacity: between(random, 0.7, 0.92) };
  };
  const places = random() < 0.5 ? packed(random, 0.14) : randomLattice(random, 4, 9);
  const swollen = between(random, 0.95, 1.12);
  return {
    dots: places.map((place) =>
      drop({ ...place, radius: place.radius * swollen * between(random, 0.82, 1) }),
    ),
    paint: { ground, wobble: 0.1, pooling: 0.42, bleeding: 0.55, streaks: 0.16, tooth: 0.1 },
  };
};

/** Terraces of cut paper, each step with its shadow, not quite in the middle of the last. */
export const terraces: Style = (random, palette) => {
  const ground = groundOf(random, palette);
  const colours = hues(palette);
  const lift = between(random, 0.0025, 0.004);
  const places = random() < 0.5 ? packed(random, 0.17) : randomLattice(random, 4, 7);
  return {
    dots: places.flatMap(({ x, y, radius }) => {
      const top = pickContrasting(random, colours, ground);
      const foot = random() < 0.5 ? mixed(top, palette.ink, 0.55) : mixed(top, palette.paper, 0.7);
      const steps = Math.max(1, Math.min(4, Math.floor(radius / 0.018)));
      const angle = random() * 2 * Math.PI;
      const lean = between(random, 0, 0.1) * radius;
      return Array.from({ length: steps }, (_, step) => ({
        x: x + Math.cos(angle) * lean * step,
        y: y + Math.sin(angle) * lean * step,
        radius: radius * 0.92 * (1 - (0.84 * step) / steps),
        colour: mixed(foot, top, steps > 1 ? step / (steps - 1) : 1),
        lift: Math.min(lift, radius * 0.07),
      }));
    }),
    paint: { ground, shadow: 0.55, wobble: pick(random, [0, 0.07]) },
  };
};

/** A fine lattice whose dots swell and shrink over the picture. */
export const swelling: Style = (random, palette) => {
  const ground = groundOf(random, palette);
  const clear = contrasting([...hues(palette), palette.paper], ground, 0.22);
  const first = pick(random, clear);
  const isLight = (colour: Linear) => lightness(colour) > lightness(ground);
  // Tints between two colours on either side of the ground's lightness would vanish in it.
  const second = pick(
    random,
    clear.filter((colour) => isLight(colour) === isLight(first)),
  );
  const field = swell(random);
  const hue = swell(random);
  const tinted = random() < 0.6;
  const count = 2 * whole(random, 8, 13);
  return {
    dots: lattice(count / 2, count, "row").map(({ x, y, radius }) => ({
      x,
      y,
      radius: radius * (0.16 + 0.86 * field(x, y)),
      colour: tinted ? mixed(first, second, hue(x, y)) : first,
    })),
    paint: { ground },
  };
};

/** Halves in quarter turns, after the fabrics of the fifties. */
export const halves: Style = (random, palette) => {
  const ground = groundOf(random, palette);
  const colours = shuffled(
    random,
    contrasting([...hues(palette), palette.paper], ground, 0.15),
  ).slice(0, 5);
  const turns = pick(random, [2, 4, 8]);
  const eyed = random() < 0.4;
  return {
    dots: randomLattice(random, 4, 9).flatMap(({ x, y, radius }): Dot[] => {
      const colour = pick(random, colours);
      const angle = (whole(random, 0, turns - 1) * 2 * Math.PI) / turns + Math.PI / 4;
      const to = pickContrasting(random, colours, colour);
      const dot = { x, y, radius: radius * 0.9, colour, to, angle, split: 999 };
      return eyed ? [dot, { ...dot, radius: radius * 0.36, colour: to, to: colour }] : [dot];
    }),
    paint: { ground },
  };
};

/** Balls in the light. */
export const balls: Style = (random, palette) => {
  const ground = groundOf(random, palette);
  const colours = shuffled(random, contrasting(hues(palette), ground, 0.12)).slice(
    0,
    whole(random, 2, 5),
  );
  const places = random() < 0.4 ? packed(random, 0.13) : randomLattice(random, 5, 10);
  const share = between(random, 0.66, 0.88);
  return {
    dots: places.flatMap(({ x, y, radius }) => {
      const colour = pick(random, colours);
      const size = radius * share;
      return [
        {
          x,
          y,
          radius: size,
          colour: lightened(colour, 0.09),
          to: mixed(colour, palette.ink, 0.42),
          angle: Math.PI / 4,
          split: 0.42,
          lift: size * 0.14,
        },
      ];
    }),
    paint: { ground, shadow: 0.4, dome: 0.06 },
  };
};

/** Composition of a floral print. */
import { lightness, mixed } from "../../lib/colour.ts";
import { between, pick, type Random, whole } from "../../lib/random.ts";
import { type Spot, scatter } from "../../lib/torus.ts";
import { disc, type Flower, shadow } from "./bloom.ts";
import { forgetMeNot } from "./forget-me-not.ts";
import type { Growth } from "./growth.ts";
import { leaf } from "./leaf.ts";
import type { Petal } from "./petal.ts";
import type { Theme } from "./theme.ts";

/** Petals in painting order: small things of the ground, foliage, then flowers, large ones last. */
export function compose(random: Random, theme: Theme): Petal[] {
  const { palette, ground } = theme;
  const heroes = scatter(random, [], {
    count: whole(random, 4, 7),
    smallest: 0.1,
    largest: between(random, 0.13, 0.17),
    overlap: 0.05,
  });
  const mids = scatter(random, heroes, {
    count: whole(random, 14, 22),
    smallest: 0.038,
    largest: 0.08,
    candidates: 60,
    overlap: 0.12,
  });
  const large = [...heroes, ...mids];
  const small = scatter(random, large, {
    count: whole(random, 40, 70),
    smallest: 0.014,
    largest: 0.03,
    candidates: 40,
  });
  const sprigs = scatter(random, large, {
    count: 60,
    smallest: 0.014,
    largest: 0.09,
    candidates: 40,
  });
  const specks = scatter(random, [...large, ...small], {
    count: 130,
    smallest: 0.004,
    largest: 0.008,
    candidates: 24,
  });
  const speck = mixed(ground, lightness(ground) > 0.6 ? palette.leaf : palette.paper, 0.35);
  const growth = (x: number, y: number, angle: number, length: number) => ({
    x,
    y,
    angle,
    length,
    ink: palette.ink,
    random,
    colour: pick(random, theme.greens),
    berry: pick(random, theme.blooms).petal,
  });
  return [
    ...specks.map(({ x, y, radius }) => disc(x, y, radius * 0.55, { from: speck })),
    ...sprigs.flatMap(({ x, y, radius }) => {
      const angle = random() * 2 * Math.PI;
      const length = Math.max(radius * 2.6, 0.1);
      const foot = [
        x - (Math.cos(angle) * length) / 2,
        y - (Math.sin(angle) * length) / 2,
      ] as const;
      return pick(random, theme.foliage)(growth(...foot, angle, length));
    }),
    ...large.flatMap((spot) => collar(random, spot, theme, growth)),
    ...small.flatMap((spot) => bloomAt(random, spot, theme, forgetMeNot)),
    ...mids.flatMap((spot) => bloomAt(random, spot, theme)),
    ...heroes.flatMap((spot) => bloomAt(random, spot, theme)),
  ];
}

/** Leaves that look out from under a flower. */
function collar(
  random: Random,
  { x, y, radius }: Spot,
  theme: Theme,
  growth: (x: number, y: number, angle: number, length: number) => Growth,
): Petal[] {
  const count = whole(random, 3, 6);
  const turn = random() * 2 * Math.PI;
  return Array.from({ length: count }, (_, index) => {
    const angle = turn + ((index + between(random, -0.25, 0.25)) / count) * 2 * Math.PI;
    const foot = [x + Math.cos(angle) * radius * 0.4, y + Math.sin(angle) * radius * 0.4] as const;
    const kind = random() < 0.65 ? leaf : pick(random, theme.foliage);
    return kind(growth(...foot, angle, radius * between(random, 1.05, 1.4)));
  }).flat();
}

function bloomAt(random: Random, { x, y, radius }: Spot, theme: Theme, kind?: Flower): Petal[] {
  const { flower, petal, heart } = pick(random, theme.blooms);
  const bloom = { x, y, radius, petal, heart, ink: theme.palette.ink, random };
  return [shadow(bloom), ...(kind ?? flower)(bloom)];
}

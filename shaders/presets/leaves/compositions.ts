/** Compositions of leaves: a thicket, separate sprays, fallen leaves, trailing stems. */
import { mixed } from "../../lib/colour.ts";
import { between, pick, type Random, shuffled, whole } from "../../lib/random.ts";
import { type Spot, scatter } from "../../lib/torus.ts";
import { disc } from "../floral/bloom.ts";
import { fern } from "../floral/fern.ts";
import { grass } from "../floral/grass.ts";
import type { Foliage, Growth } from "../floral/growth.ts";
import { leaf } from "../floral/leaf.ts";
import type { Petal } from "../floral/petal.ts";
import { banana } from "./banana.ts";
import { fanPalm } from "./fan-palm.ts";
import { frond } from "./frond.ts";
import { ginkgo } from "./ginkgo.ts";
import { monstera } from "./monstera.ts";
import { eucalyptus, laurel, olive, willow } from "./spray.ts";
import type { Theme } from "./theme.ts";

/** Draws a print; petals come in painting order. */
export type Composition = (random: Random, theme: Theme) => Petal[];

/** What grows at a place, its middle there. */
function growthAt(random: Random, theme: Theme, { x, y, radius }: Spot, angle: number): Growth {
  const length = 2 * radius;
  return {
    x: x - (Math.cos(angle) * length) / 2,
    y: y - (Math.sin(angle) * length) / 2,
    angle,
    length,
    colour: pick(random, theme.greens),
    ink: theme.ink,
    berry: pick(random, theme.berries),
    random,
  };
}

/** The shadow that petals throw `far` down and to the right; fine ones throw none. */
function shadowOf(petals: readonly Petal[], ink: Petal["from"], far: number): Petal[] {
  return petals
    .filter(({ halfWidth }) => halfWidth > far * 0.4)
    .map(({ x, y, angle, length, halfWidth, bend = 0, tip = 0, base = 0, belly = 0 }) => ({
      x: x + far,
      y: y + far * 1.3,
      angle,
      length,
      halfWidth: halfWidth + far * 0.5,
      bend,
      tip,
      base,
      belly,
      from: ink,
      to: ink,
      soft: far * 1.6,
      opacity: 0.3,
    }));
}

const anyAngle = (random: Random) => random() * 2 * Math.PI;

/** Large leaves one over the other, those behind sunk into the dark. */
export const thicket: Composition = (random, theme) => {
  const kinds = shuffled(random, [monstera, fanPalm, frond, banana, fern, leaf]).slice(
    0,
    whole(random, 3, 4),
  );
  const heads = shuffled(random, [monstera, fanPalm, banana, frond]).slice(0, 2);
  const depths = [
    { count: 40, smallest: 0.09, largest: 0.16, sunk: 0.62, overlap: 0.62, of: kinds },
    { count: 26, smallest: 0.11, largest: 0.19, sunk: 0.3, overlap: 0.55, of: kinds },
    { count: 13, smallest: 0.13, largest: 0.23, sunk: 0, overlap: 0.42, of: heads },
  ];
  return depths.flatMap(({ sunk, of, ...options }) =>
    scatter(random, [], { ...options, candidates: 20 }).flatMap((spot) => {
      const growth = growthAt(random, theme, spot, anyAngle(random));
      const colour = mixed(growth.colour, theme.ground, sunk);
      const petals = pick(random, of)({ ...growth, colour });
      return [...shadowOf(petals, mixed(theme.ink, theme.ground, 0.1), 0.009), ...petals];
    }),
  );
};

/** Sprays that keep clear of each other, small ones and dots between. */
export const sprays: Composition = (random, theme) => {
  const kinds = shuffled(random, [eucalyptus, olive, willow, laurel, fern, frond]).slice(
    0,
    whole(random, 2, 4),
  );
  const small = pick(random, [[leaf], [fern, leaf], [grass, leaf]] as const);
  const tall = scatter(random, [], {
    count: whole(random, 13, 24),
    smallest: 0.09,
    largest: between(random, 0.15, 0.2),
    overlap: 0.52,
  });
  const low = scatter(random, tall, { count: 60, smallest: 0.03, largest: 0.065, overlap: 0.3 });
  const specks = scatter(random, [...tall, ...low], {
    count: 120,
    smallest: 0.006,
    largest: 0.012,
  });
  const speck = pick(random, theme.berries);
  const flow = random() < 0.5 ? anyAngle(random) : null;
  const angle = () => (flow === null ? anyAngle(random) : flow + between(random, -0.5, 0.5));
  return [
    ...specks.map(({ x, y }) => disc(x, y, between(random, 0.002, 0.0042), { from: speck })),
    ...low.flatMap((spot) => pick<Foliage>(random, small)(growthAt(random, theme, spot, angle()))),
    ...tall.flatMap((spot) =>
      pick(
        random,
        kinds,
      )(growthAt(random, theme, { ...spot, radius: spot.radius * 1.12 }, angle())),
    ),
  ];
};

/** Single leaves let fall, each with its shadow. */
export const fallen: Composition = (random, theme) => {
  const kinds = pick<readonly Foliage[]>(random, [
    [ginkgo],
    [leaf, ginkgo],
    [monstera],
    [leaf, laurel],
    [banana, leaf],
    [fanPalm, ginkgo],
  ]);
  const large = scatter(random, [], {
    count: whole(random, 12, 30),
    smallest: 0.05,
    largest: between(random, 0.09, 0.16),
    overlap: 0.1,
  });
  const small = scatter(random, large, { count: 60, smallest: 0.026, largest: 0.05, overlap: 0.1 });
  return [...small, ...large].flatMap((spot) => {
    const petals = pick(random, kinds)(growthAt(random, theme, spot, anyAngle(random)));
    return [...shadowOf(petals, theme.ink, Math.min(spot.radius * 0.07, 0.008)), ...petals];
  });
};

/** Stems that wind upwards through the whole picture, leaves to both sides. */
export const trailing: Composition = (random, theme) => {
  const count = whole(random, 3, 6);
  const sway = between(random, 0.25, 0.5) / count;
  const turns = whole(random, 1, 2);
  const steps = 12 * turns + 12;
  const size = between(random, 0.75, 1.1) / count;
  const slender = between(random, 0.13, 0.26);
  const begin = random();
  const stems = Array.from({ length: count }, (_, stem) => {
    const phase = begin + (stem % 2) * 0.5;
    const place = (t: number) => ({
      x: (stem + 0.5) / count + sway * Math.sin(2 * Math.PI * (turns * t + phase)),
      y: 1 - t,
    });
    const colour = pick(random, theme.greens);
    const wood = mixed(colour, theme.ink, 0.45);
    const knots = Array.from({ length: steps }, (_, step) => {
      const at = place(step / steps);
      const next = place((step + 1) / steps);
      return { ...at, angle: Math.atan2(next.y - at.y, next.x - at.x), step };
    });
    const long = (2.4 * Math.hypot(1, sway * turns * 4)) / steps;
    return { knots, colour, wood, long };
  });
  const runs = stems.flatMap(({ knots, wood, long }) =>
    knots.map(({ x, y, angle }) => ({
      x,
      y,
      angle,
      length: long,
      halfWidth: 0.0042,
      from: wood,
      to: wood,
    })),
  );
  const blades = stems.flatMap(({ knots, colour }) =>
    knots.flatMap(({ x, y, angle, step }) => {
      const way = step % 2 === 0 ? 1 : -1;
      const length = size * between(random, 0.55, 0.85);
      const tone = random() < 0.3 ? pick(random, theme.greens) : colour;
      const turned = angle + way * between(random, 0.55, 0.95);
      const growth = growthAt(random, theme, { x, y, radius: length / 2 }, turned);
      const petals = leaf({ ...growth, x, y, colour: tone }).map((petal) => ({
        ...petal,
        halfWidth: length * slender,
        bend: way * -0.16,
        rim: 0.2,
        lines: 0.3,
      }));
      return [...shadowOf(petals, theme.ink, 0.005), ...petals];
    }),
  );
  const fruit = stems.flatMap(({ knots }) =>
    knots
      .filter(({ step }) => step % 3 === 0)
      .map(({ x, y, angle, step }) => {
        const way = step % 2 === 0 ? -0.03 : 0.03;
        const berry = pick(random, theme.berries);
        return disc(x - Math.sin(angle) * way, y + Math.cos(angle) * way, 0.009, {
          from: berry,
          rim: 0.5,
          shade: 0.3,
        });
      }),
  );
  return random() < 0.5 ? [...runs, ...blades, ...fruit] : [...runs, ...blades];
};

/** Kinds of swells: breakers, layers of paper, running lines. */
import type { Band } from "../../lib/band-table.ts";
import { type Linear, lightened, lightness, mixed } from "../../lib/colour.ts";
import { between, pick, type Random, shuffled, whole } from "../../lib/random.ts";
import { contrasting, pickContrasting } from "../contrast.ts";
import { hues, type Style } from "./style.ts";
import { type Swell, swellNumbers } from "./swells.ts";

/** Suns and moons: a disc in one or two colours. */
function disc(random: Random, colour: Linear, ground: Linear): Band[] {
  return random() < 0.5
    ? [{ width: 1, colour: lightened(colour, 0.03), to: colour }]
    : [
        { width: 5, colour },
        { width: 1, colour: ground },
        { width: 1, colour },
      ];
}

/** Which of `count` swells a sun stands behind: one, two or none. */
function sunrise(random: Random, count: number): number[] {
  return Array.from({ length: whole(random, 0, 2) }, () => whole(random, 0, count - 1));
}

/** Swells that follow each other from the back to the front. */
function swells(
  random: Random,
  count: number,
  one: (index: number) => Partial<Swell> & Pick<Swell, "first" | "profile">,
): Swell[] {
  return Array.from({ length: count }, (_, index) => ({
    y: (index + between(random, -0.15, 0.15)) / count,
    second: [0, 1, 0],
    lean: 0,
    sun: [0, 0, 0, 0],
    ...one(index),
  }));
}

/** Pointed breakers that lean forwards, foam on their crests, after Hokusai. */
export const breakers: Style = (random, palette) => {
  const { paper, ink, accent } = palette;
  const tint = pick(random, palette.colours);
  const foam = mixed(paper, tint, 0.04);
  const line = mixed(ink, tint, 0.15);
  const waters = shuffled(random, contrasting(hues(palette), foam, 0.14)).slice(
    0,
    whole(random, 2, 4),
  );
  const strands = whole(random, 2, 5);
  const profiles = waters.map((water): Band[] => [
    { width: 0.05, colour: line },
    { width: 0.34, colour: foam },
    { width: 0.05, colour: line },
    { width: 0.22, colour: mixed(water, foam, 0.4) },
    ...Array.from({ length: strands }, (_, strand) => [
      { width: 0.3, colour: mixed(water, ink, (0.4 * strand) / strands) },
      {
        width: 0.09 * (1 - strand / (strands + 2)),
        colour: mixed(foam, water, strand / (strands + 1)),
      },
    ]).flat(),
    { width: 2.2, colour: mixed(water, ink, 0.35), to: mixed(water, ink, 0.7) },
  ]);
  const sun = pickContrasting(random, [accent, ...palette.colours], foam);
  const count = whole(random, 4, 8);
  const waves = whole(random, 2, 4);
  const high = between(random, 0.4, 0.55) / waves;
  const way = pick(random, [-1, 1]);
  const before = sunrise(random, count);
  return {
    profiles: [...profiles, disc(random, sun, foam)],
    shapes: swellNumbers(
      swells(random, count, (index) => {
        const radius = before.includes(index) ? between(random, 0.06, 0.1) : 0;
        return {
          first: [high * between(random, 0.75, 1), waves, random()],
          second: [high * 0.16, waves * 2 + 1, random()],
          lean: way * between(random, 0.42, 0.6),
          profile: index % waters.length,
          sun: [random(), -high * 0.5, radius, waters.length],
        };
      }),
    ),
    look: {
      kind: 1,
      count,
      reach: Math.max(1.25 * high, high + 0.1),
      body: 1.4 * high + 1.6 / count,
      sharp: 1,
      shadow: 0.35,
      shadowReach: 0.03,
      hand: 0.012,
    },
  };
};

/** Long swells in layers of cut paper, one behind the other. */
export const layers: Style = (random, palette) => {
  const { paper, ink, accent } = palette;
  const [near, far] = shuffled(random, hues(palette));
  const stops = [
    mixed(near, ink, 0.45),
    near,
    mixed(far, paper, 0.35),
    mixed(paper, far, 0.15),
    far,
  ];
  const count = whole(random, 7, 12);
  const profiles = Array.from({ length: count }, (_, index): Band[] => {
    const place = (index / count) * stops.length;
    const from = stops[Math.floor(place)];
    const to = stops[(Math.floor(place) + 1) % stops.length];
    const colour = mixed(from, to, place - Math.floor(place));
    return [
      { width: 0.05, colour: lightened(colour, 0.07) },
      { width: 1, colour, to: mixed(colour, ink, 0.22) },
    ];
  });
  const waves = whole(random, 1, 3);
  const high = between(random, 0.1, 0.16) / Math.sqrt(waves);
  const before = sunrise(random, count);
  return {
    profiles: [...profiles, disc(random, mixed(accent, paper, 0.1), paper)],
    shapes: swellNumbers(
      swells(random, count, (index) => ({
        first: [high * between(random, 0.5, 1), waves, random()],
        second: [high * between(random, 0.2, 0.5), waves + whole(random, 1, 2), random()],
        profile: index,
        sun: [
          random(),
          -high * 0.5,
          before.includes(index) ? between(random, 0.06, 0.1) : 0,
          count,
        ],
      })),
    ),
    look: {
      kind: 1,
      count,
      reach: Math.max(1.6 * high, 0.9 * high + 0.1),
      body: 1.6 * high + 1 / count,
      shadow: 0.5,
      shadowReach: between(random, 0.02, 0.04),
      hand: 0.01,
    },
  };
};

/** Swells drawn in many fine lines that run along with their crests. */
export const lines: Style = (random, palette) => {
  const dark = random() < 0.45;
  const tint = pick(random, palette.colours);
  const ground = dark ? mixed(palette.ink, tint, 0.12) : mixed(palette.paper, tint, 0.05);
  const inks = shuffled(
    random,
    contrasting([...hues(palette), dark ? palette.paper : palette.ink], ground, 0.25),
  );
  const chosen = inks.slice(0, whole(random, 1, 4));
  const strands = whole(random, 9, 15);
  const bold = between(random, 0.25, 0.5);
  const filled = random() < 0.4;
  const profiles = chosen.map((colour) =>
    Array.from({ length: strands }, (_, strand): Band[] => {
      const fade = filled ? (0.75 * strand) / strands : 0;
      return [
        { width: bold * (strand === 0 ? 1.8 : 1), colour: mixed(colour, ground, fade) },
        { width: 1 - bold, colour: filled ? mixed(ground, colour, 0.12) : ground },
      ];
    }).flat(),
  );
  const count = whole(random, 5, 10);
  const waves = whole(random, 1, 4);
  const high = between(random, 0.13, 0.2) / Math.sqrt(waves);
  const begin = random();
  const step = pick(random, [0.5, 0.33, 0.15]);
  return {
    profiles,
    shapes: swellNumbers(
      swells(random, count, (index) => ({
        first: [
          high * between(random, 0.8, 1),
          waves,
          begin + index * step + between(random, -0.08, 0.08),
        ],
        second: [high * between(random, 0, 0.35), waves * 2 - 1, random()],
        profile: whole(random, 0, chosen.length - 1),
      })),
    ),
    look: {
      kind: 1,
      count,
      reach: 1.4 * high,
      body: 1.4 * high + 1.3 / count,
      sharp: pick(random, [0, 0, 0.5]),
      hand: lightness(ground) > 0.5 ? 0.008 : 0.004,
    },
  };
};

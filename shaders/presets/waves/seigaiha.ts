/** Seigaiha, the blue sea of scales. */
import type { Band } from "../../lib/band-table.ts";
import { type Linear, mixed } from "../../lib/colour.ts";
import { between, pick, type Random, shuffled, whole } from "../../lib/random.ts";
import { contrasting } from "../contrast.ts";
import { hues, type Style } from "./style.ts";

/** A smooth field 0…1 over the torus: one wave across and one down. */
function drift(random: Random): (x: number, y: number) => number {
  const [a, b] = [random(), random()];
  const [across, down] = [whole(random, 0, 2), whole(random, 1, 2)];
  const wave = (turns: number) => Math.sin(2 * Math.PI * turns);
  return (x, y) =>
    0.5 + 0.25 * (wave(across * x + a) + wave(down * y + x * (across > 0 ? 0 : 1) + b));
}

/** Rings of a scale from its middle to its rim. */
function rings(random: Random, colour: Linear, ground: Linear, line: Linear): Band[] {
  const count = whole(random, 2, 5);
  const bold = between(random, 0.35, 0.6);
  const shade = between(random, 0, 0.25);
  const pairs = Array.from({ length: count }, (_, ring): Band[] => {
    const tone = mixed(colour, ground, (shade * (count - 1 - ring)) / count);
    return [
      { width: bold, colour: tone },
      { width: 1 - bold, colour: ground },
    ];
  }).flat();
  return [
    { width: between(random, 0.2, 0.6), colour: mixed(colour, line, 0.3) },
    { width: 0.4, colour: ground },
    ...pairs,
    { width: 0.2, colour: line },
  ];
}

/** A scale that shines from its middle or its rim. */
function glow(random: Random, colour: Linear, ground: Linear, line: Linear): Band[] {
  const [inner, outer] =
    random() < 0.5 ? [colour, mixed(colour, ground, 0.7)] : [mixed(colour, ground, 0.75), colour];
  const lines = whole(random, 0, 2);
  const half = mixed(inner, outer, 0.5);
  return [
    { width: 1.4, colour: inner, to: half },
    ...Array.from({ length: lines }, () => [
      { width: 0.07, colour: line },
      { width: 0.45, colour: half },
    ]).flat(),
    { width: 1.4, colour: half, to: outer },
    { width: 0.22, colour: ground },
    { width: 0.1, colour: line },
  ];
}

/** Seigaiha, the blue sea: rows of scales with rings. */
export const seigaiha: Style = (random, palette) => {
  const dark = random() < 0.4;
  const tint = pick(random, palette.colours);
  const ground = dark ? mixed(palette.ink, tint, 0.1) : mixed(palette.paper, tint, 0.04);
  const line = dark ? mixed(palette.paper, palette.accent, 0.3) : mixed(palette.ink, tint, 0.25);
  const colours = shuffled(random, contrasting(hues(palette), ground, 0.16));
  const chosen = colours.slice(0, pick(random, [1, 2, 3, 4]));
  const kind = pick(random, [rings, rings, glow]);
  const profiles = chosen.map((colour) => kind(random, colour, ground, line));
  const count = whole(random, 3, 8);
  const radius = 0.5 / count;
  const rows = 2 * Math.round(1 / (radius * between(random, 0.48, 0.72)) / 2);
  const field = drift(random);
  const order = pick(random, [
    (_column: number, row: number) => row % chosen.length,
    (column: number, row: number) =>
      Math.floor(field(column / count, row / rows) * 0.999 * chosen.length),
    () => whole(random, 0, chosen.length - 1),
  ]);
  return {
    profiles,
    shapes: Array.from({ length: rows * count }, (_, index) =>
      order(index % count, Math.floor(index / count)),
    ),
    look: {
      kind: 0,
      count,
      rows,
      radius,
      eccentric: pick(random, [0, 0, 0.25, -0.2]),
      reach: radius * 1.1,
      shadow: pick(random, [0, 0.35]),
      shadowReach: radius * 0.3,
      hand: pick(random, [0, 0.004]),
    },
  };
};

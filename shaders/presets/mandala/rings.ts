/** Rings that medallions are built of. Each fills the space between two radii. */
import { type Linear, lightness, mixed } from "../../lib/colour.ts";
import { between, pick, type Random, whole } from "../../lib/random.ts";
import type { Part } from "./parts.ts";
import type { Theme } from "./theme.ts";

/** Position and colours of a ring; lengths in radii of the medallion. */
export interface Place {
  readonly random: Random;
  readonly theme: Theme;
  readonly from: number;
  readonly to: number;
  /** Number of spokes. */
  readonly order: number;
  readonly base: Linear;
  readonly lineWidth: number;
}

/** Draws a ring: its parts, the lowest first. */
export type Ring = (place: Place) => Part[];

/** Returns a colour of the theme that contrasts with the given ones. */
export function contrastingFill({ random, theme }: Place, ...others: readonly Linear[]): Linear {
  const apart = theme.fills.filter((fill) =>
    others.every((other) => Math.abs(lightness(fill) - lightness(other)) > 0.09),
  );
  const different = theme.fills.filter((fill) => !others.includes(fill));
  return pick(random, apart.length > 0 ? apart : different);
}

/** Half the room beside a spoke at a distance from the centre, `times` as many as the order. */
const room = ({ order }: Place, at: number, times: number) =>
  at * Math.tan(Math.PI / (order * times));

const penOf = ({ theme, lineWidth }: Place) => ({ line: theme.line, lineWidth });

/** Petals in one or two layers, those behind between those in front. */
const petals: Ring = (place) => {
  const { random, theme, from, to, base } = place;
  const pen = penOf(place);
  const fill = contrastingFill(place, base);
  const behind = contrastingFill(place, base, fill);
  const long = (to - from) / 2 + 0.03;
  const at = (from + to) / 2;
  const plump = room(place, at, 1) > long * 0.75;
  const times = plump || (place.order < 12 && random() < 0.35) ? 2 : 1;
  const pointed = random() < 0.5;
  const wide = Math.min(room(place, at, times) * (pointed ? 1 : 0.86), long);
  const tip = between(random, -0.9, 0.8);
  const kind = pointed ? "petal" : "lens";
  const common = { ...pen, kind, shadow: theme.shadow, tip } as const;
  const inside = contrastingFill(place, fill);
  const one = times === 1 ? ("spokes" as const) : ("both" as const);
  const two = times === 1 ? ("between" as const) : ("gaps" as const);
  const depth = 0.35 * wide;
  return [
    { ...common, fold: two, at, long, wide, fill: behind, end: mixed(behind, base, 0.3) },
    {
      ...common,
      fold: one,
      at: at - 0.01,
      long: long * 0.95,
      wide,
      fill,
      end: mixed(fill, theme.fills[0] ?? fill, 0.3),
      echo: pick(random, [0, depth, depth * 0.7]),
      vein: random() < 0.3 ? place.lineWidth * 0.5 : 0,
    },
    ...(random() < 0.6
      ? [
          {
            ...common,
            shadow: 0,
            fold: one,
            at: at - long * 0.12,
            long: long * 0.52,
            wide: wide * 0.45,
            fill: inside,
          },
        ]
      : []),
  ];
};

/** Discs in a row. */
const beads: Ring = (place) => {
  const { theme, from, to, base, random } = place;
  const at = (from + to) / 2;
  const size = (to - from) / 2;
  const many = room(place, at, 4) > size * 0.7;
  const fill = random() < 0.5 ? theme.spark : contrastingFill(place, base);
  const fold = many ? ("all" as const) : ("both" as const);
  const radius = Math.min(size * 0.72, room(place, at, many ? 4 : 2) * 0.8);
  return [{ kind: "disc", fold, at, long: radius, fill, ...penOf(place) }];
};

/** A plain band, edged. */
const hem: Ring = (place) => {
  const { from, to, base } = place;
  return [
    {
      kind: "band",
      at: (from + to) / 2,
      long: (to - from) / 2,
      fill: contrastingFill(place, base),
      ...penOf(place),
    },
  ];
};

/** Scallops with an arch and a bead in each. */
const scallops: Ring = (place) => {
  const { from, to, base, theme } = place;
  const pen = penOf(place);
  const many = room(place, from, 2) > (to - from) * 1.3;
  const fold = many ? ("all" as const) : ("both" as const);
  const radius = Math.min(room(place, from, many ? 4 : 2), to - from);
  const at = to - radius;
  const fill = contrastingFill(place, base);
  const inside = contrastingFill(place, fill);
  return [
    { kind: "disc", fold, at, long: radius, fill, shadow: theme.shadow * 0.6, ...pen },
    { kind: "disc", fold, at, long: radius * 0.64, fill: inside, ...pen },
    { kind: "disc", fold, at, long: radius * 0.24, fill: theme.spark, ...pen },
  ];
};

/** Teeth that point outwards. */
const teeth: Ring = (place) => {
  const { from, to, base } = place;
  const at = (from + to) / 2;
  const long = (to - from) / 2;
  const many = room(place, at, 2) > long * 1.6;
  const fold = many ? ("all" as const) : ("both" as const);
  const wide = room(place, from, many ? 4 : 2);
  return [
    { kind: "tooth", fold, at, long, wide, fill: contrastingFill(place, base), ...penOf(place) },
  ];
};

/** Lozenges with beads between. */
const lozenges: Ring = (place) => {
  const { from, to, base, theme } = place;
  const pen = penOf(place);
  const at = (from + to) / 2;
  const long = (to - from) / 2;
  const wide = Math.min(room(place, at, 2) * 0.78, long * 1.4);
  const fill = contrastingFill(place, base);
  const bead = Math.min(long * 0.28, room(place, at, 4) * 0.5);
  return [
    { kind: "lozenge", fold: "both", at, long: long * 0.9, wide, fill, ...pen, echo: long * 0.2 },
    { kind: "disc", fold: "gaps", at, long: bead, fill: theme.spark, ...pen },
  ];
};

/** Drops that all lean the same way, with a bead in each. */
const paisleys: Ring = (place) => {
  const { from, to, base, theme } = place;
  const pen = penOf(place);
  const at = (from + to) / 2;
  const long = (to - from) / 2;
  const wide = Math.min(room(place, from + long * 0.7, 1) * 0.62, long * 0.62);
  const fill = contrastingFill(place, base);
  const inside = contrastingFill(place, fill);
  const drop = { kind: "petal", tip: -0.4, ...pen } as const;
  const bud = Math.min(long * 0.3, wide * 0.6);
  return [
    {
      kind: "petal",
      tip: 0.3,
      fold: "between",
      at: at + long * 0.2,
      long: long * 0.75,
      wide: bud,
      fill: inside,
      ...pen,
    },
    { ...drop, at, long, wide, bend: 0.42, fill, echo: wide * 0.24, shadow: theme.shadow * 0.5 },
    {
      ...drop,
      at: at - long * 0.15,
      long: long * 0.55,
      wide: wide * 0.45,
      bend: 0.3,
      fill: inside,
    },
    { kind: "disc", at: at - long * 0.35, long: wide * 0.2, fill: theme.spark, ...pen },
  ];
};

/** Circles through each other, drawn in line. */
const lace: Ring = (place) => {
  const { from, to, base, theme } = place;
  const pen = penOf(place);
  const at = (from + to) / 2;
  const radius = (to - from) * 0.48;
  const fill = mixed(base, theme.line, 0.12);
  const ring = { kind: "disc", at, long: radius, fill, solid: 0, ...pen } as const;
  return [
    { ...ring, fold: "both", solid: 0.6 },
    { ...ring, fold: "gaps" },
    { ...ring, fold: "both" },
    { ...ring, fold: "both", long: radius * 0.5 },
    { kind: "disc", fold: "all", at, long: radius * 0.17, fill: theme.spark },
  ];
};

/** Rays. */
const rays: Ring = (place) => {
  const { from, to, theme, lineWidth } = place;
  const at = (from + to) / 2;
  const long = (to - from) / 2;
  const ray = { kind: "spoke", wide: lineWidth * 0.6, fill: theme.line } as const;
  return [
    { ...ray, fold: "all", at, long: long * 0.94 },
    { kind: "disc", fold: "all", at: to - long * 0.3, long: long * 0.22, fill: theme.spark },
  ];
};

/** Rings that stand alone between others, and how wide they may be. */
export const RINGS: readonly { readonly ring: Ring; readonly width: readonly [number, number] }[] =
  [
    { ring: petals, width: [0.16, 0.27] },
    { ring: petals, width: [0.12, 0.2] },
    { ring: beads, width: [0.035, 0.055] },
    { ring: hem, width: [0.015, 0.03] },
    { ring: scallops, width: [0.06, 0.1] },
    { ring: teeth, width: [0.05, 0.09] },
    { ring: lozenges, width: [0.07, 0.11] },
    { ring: paisleys, width: [0.18, 0.27] },
    { ring: lace, width: [0.08, 0.12] },
    { ring: rays, width: [0.05, 0.08] },
  ];

/** Rings that end a medallion. */
export const RIMS: readonly Ring[] = [petals, petals, scallops, paisleys, teeth];

/** The middle: a rosette of petals around a bead. */
export function heart(place: Place): Part[] {
  const { to, theme, random } = place;
  const pen = penOf(place);
  const fill = contrastingFill(place, place.base);
  const core = to * between(random, 0.28, 0.42);
  const rosette = { ...place, from: core * 0.6, to };
  const dots = whole(random, 0, 1);
  return [
    ...petals(rosette),
    { kind: "disc", at: 0, long: core, fill, ...pen },
    ...(dots > 0
      ? [
          {
            kind: "disc",
            fold: "spokes",
            at: core * 0.68,
            long: core * 0.13,
            fill: theme.spark,
          } as const,
        ]
      : []),
    { kind: "disc", at: 0, long: core * 0.42, fill: theme.spark, ...pen },
  ];
}

/** Arrangements of round places on a torus. */
import { between, pick, type Random, whole } from "../../lib/random.ts";
import { distance, type Spot, scatter } from "../../lib/torus.ts";

/** Places in groups: all of a group are drawn alike. */
export type Layout = (random: Random) => readonly (readonly Spot[])[];

/** Points of the square that are equivalent to one under its eight symmetries. */
function orbit(x: number, y: number): (readonly [number, number])[] {
  const all = [
    [x, y],
    [y, x],
    [1 - x, y],
    [y, 1 - x],
    [x, 1 - y],
    [1 - y, x],
    [1 - x, 1 - y],
    [1 - y, 1 - x],
  ] as const;
  return all.filter(
    ([a, b], index) =>
      !all.slice(0, index).some(([c, d]) => distance(a, b, { x: c, y: d, radius: 0 }) < 0.0001),
  );
}

/** Candidates for the places of a filling, in the part of the square that decides the rest. */
const FINENESS = 44;
const CANDIDATES = Array.from({ length: FINENESS + 1 }, (_, i) =>
  Array.from({ length: i + 1 }, (_, j) => [i / FINENESS / 2, j / FINENESS / 2] as const),
).flat();

/** Adds groups in the widest gaps, as symmetric as the square, down to a radius. */
function filled(
  groups: readonly (readonly Spot[])[],
  smallest: number,
  largest: number,
  most: number,
): Spot[][] {
  const all = [...groups.flat()];
  const added: Spot[][] = [];
  while (added.length < most) {
    let best: (readonly [number, number])[] = [];
    let widest = 0;
    for (const [x, y] of CANDIDATES) {
      let room = largest;
      for (const spot of all) {
        room = Math.min(room, distance(x, y, spot) - spot.radius);
        if (room < widest) break;
      }
      if (room <= widest) continue;
      const places = orbit(x, y);
      for (const [ox, oy] of places.slice(1)) {
        room = Math.min(room, distance(x, y, { x: ox, y: oy, radius: 0 }) / 2);
      }
      if (room > widest) {
        widest = room;
        best = places;
      }
    }
    if (widest < smallest) break;
    const group = best.map(([x, y]) => ({ x, y, radius: widest * 0.94 }));
    all.push(...group);
    added.push(group);
  }
  return added;
}

/** One large one in the middle, a smaller one at the corners, little ones in the gaps. */
const crowned: Layout = (random) => {
  const radius = between(random, 0.38, 0.495);
  const groups = [
    [{ x: 0.5, y: 0.5, radius }],
    [{ x: 0, y: 0, radius: Math.min(Math.SQRT1_2 - radius, 0.4) * 0.98 }],
  ];
  return [...groups, ...filled(groups, 0.011, 0.12, 9)];
};

/** Two alike, the second at the corners. */
const paired: Layout = (random) => {
  const radius = between(random, 0.3, 0.35);
  const groups = [
    [
      { x: 0.5, y: 0.5, radius },
      { x: 0, y: 0, radius },
    ],
  ];
  return [...groups, ...filled(groups, 0.011, 0.15, 8)];
};

/** Four alike and what fits between. */
const quartered: Layout = () => {
  const groups = [[0.25, 0.75].flatMap((x) => [0.25, 0.75].map((y) => ({ x, y, radius: 0.247 })))];
  return [...groups, ...filled(groups, 0.011, 0.105, 7)];
};

/** Of all sizes, strewn. */
const strewn: Layout = (random) => {
  const large = scatter(random, [], {
    count: whole(random, 3, 6),
    smallest: 0.14,
    largest: between(random, 0.2, 0.28),
  });
  const mid = scatter(random, large, { count: 16, smallest: 0.05, largest: 0.12, candidates: 60 });
  const both = [...large, ...mid];
  const small = scatter(random, both, {
    count: 60,
    smallest: 0.018,
    largest: 0.045,
    candidates: 60,
  });
  const specks = scatter(random, [...both, ...small], {
    count: 160,
    smallest: 0.004,
    largest: 0.009,
    candidates: 40,
  });
  const thirds = (spots: readonly Spot[], group: number) =>
    spots
      .filter((_, index) => index % 3 === group)
      .map((spot) => ({ ...spot, radius: spot.radius * 0.97 }));
  return [large, mid, small]
    .flatMap((spots) => [0, 1, 2].map((group) => thirds(spots, group)))
    .concat([specks]);
};

/** Lays out one picture. */
export function layoutOf(random: Random): readonly (readonly Spot[])[] {
  const layout = pick(random, [crowned, crowned, paired, quartered, strewn]);
  return layout(random).filter((group) => group.length > 0);
}

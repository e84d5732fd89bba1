/** Compositions of brush strokes. */
import { type Linear, mixed } from "../../lib/colour.ts";
import { between, pick, type Random, shuffled, whole } from "../../lib/random.ts";
import { scatter } from "../../lib/torus.ts";
import { randomGround, shiftedFrom } from "../ground.ts";
import type { Palette } from "../palette.ts";
import { coloursOn, oil, spatter, wash } from "./paints.ts";
import type { Stroke } from "./strokes.ts";

/** A ground with strokes on it, the lowest first. */
export interface Painting {
  readonly ground: Linear;
  readonly strokes: readonly Stroke[];
}

/** Paints in a palette's colours. */
export type Look = (random: Random, palette: Palette) => Painting;

/** Broad strokes over each other, in few directions. */
const gestures: Look = (random, palette) => {
  const ground = randomGround(random, palette, 0.3);
  const hues = shuffled(random, coloursOn(palette, ground)).slice(0, whole(random, 4, 6));
  const main = random() * Math.PI;
  const turns = pick(random, [[0], [0, Math.PI / 2], [0, 0.5, -0.5], [0, 1, 2, 3]]);
  const size = between(random, 0.7, 1.25);
  const spots = scatter(random, [], { count: 70, smallest: 0.045, largest: 0.11, overlap: 0.55 });
  const broad = spots.map(({ x, y, radius }): Stroke => {
    const long = Math.min(radius * between(random, 1.6, 2.8) * size, 0.38);
    return {
      kind: "stroke",
      x,
      y,
      angle: main + pick(random, turns) + between(random, -0.15, 0.15),
      long,
      wide: radius * between(random, 0.4, 0.85) * size,
      bow: between(random, -0.22, 0.22),
      tapers: [between(random, 0.1, 0.5), between(random, 0, 0.4)],
      paint: oil(random, palette, pick(random, hues)),
    };
  });
  const lines = Array.from(
    { length: whole(random, 6, 16) },
    (): Stroke => ({
      kind: "stroke",
      x: random(),
      y: random(),
      angle: main + pick(random, turns) + between(random, -0.3, 0.3),
      long: between(random, 0.08, 0.2),
      wide: between(random, 0.004, 0.009),
      bow: between(random, -0.4, 0.4),
      tapers: [0.6, 0.9],
      paint: oil(random, palette, pick(random, [palette.accent, palette.ink, palette.paper])),
    }),
  );
  const drops = spatter(
    random,
    whole(random, 20, 70),
    hues.map((c) => oil(random, palette, c)),
  );
  return { ground, strokes: [...drops, ...shuffled(random, broad), ...lines] };
};

/** Short dabs that follow a flow, in rows or strewn. */
const dabs: Look = (random, palette) => {
  const ground = randomGround(random, palette, 0.4);
  const hues = shuffled(random, coloursOn(palette, ground)).slice(0, whole(random, 2, 5));
  const rows = whole(random, 9, 16) * 2;
  const columns = Math.round(rows * pick(random, [0.5, 0.6, 1]));
  const flow = pick(random, [0, 0.4, 1.2]);
  const main = pick(random, [0, Math.PI / 2, Math.PI / 4, random() * Math.PI]);
  const herring = pick(random, [0, 0, Math.PI / 4]);
  const waves = [whole(random, 1, 2), whole(random, 1, 2)] as const;
  const loose = pick(random, [0.06, 0.25]);
  const fat = between(random, 0.2, 0.4);
  const cell = 1 / Math.max(rows, columns);
  const strokes = Array.from({ length: rows * columns }, (_, index): Stroke => {
    const line = Math.floor(index / columns);
    const shift = line % 2 === 0 ? 0 : 0.5;
    const x = ((index % columns) + shift + between(random, -loose, loose)) / columns;
    const y = (line + between(random, -loose, loose)) / rows;
    const wave = Math.sin(2 * Math.PI * waves[0] * x) + Math.cos(2 * Math.PI * waves[1] * y);
    const paint = oil(random, palette, pick(random, hues));
    return {
      kind: "stroke",
      x,
      y,
      angle:
        main + flow * wave + (line % 2 === 0 ? herring : -herring) + between(random, -0.1, 0.1),
      long: cell * between(random, 0.62, 0.82),
      wide: cell * fat * between(random, 0.85, 1.15),
      bow: between(random, -0.15, 0.15),
      tapers: [between(random, 0.75, 1), between(random, 0.5, 0.95)],
      paint: { ...paint, dry: paint.dry * 0.8, frayed: cell * 0.3 },
    };
  });
  return { ground, strokes: shuffled(random, strokes) };
};

/** Bands across and down that glaze each other. */
const plaid: Look = (random, palette) => {
  const ground = mixed(palette.paper, pick(random, palette.colours), between(random, 0, 0.08));
  const hues = shuffled(random, shiftedFrom(palette.colours, ground, 0.15));
  const wet = random() < 0.5;
  const glaze = between(random, 0.6, 0.95);
  const bandsOf = (angle: number): Stroke[] => {
    const count = whole(random, 3, 6);
    const chosen = shuffled(random, hues).slice(0, whole(random, 1, 3));
    const share = between(random, 0.2, 0.34);
    return Array.from({ length: count }, (_, index) => {
      const place = (index + 0.5 + between(random, -0.12, 0.12)) / count;
      const colour = pick(random, chosen);
      const paint = wet ? wash(random, palette, colour) : oil(random, palette, colour);
      const wide = (share * between(random, 0.6, 1.25)) / count;
      const band = (at: number, half: number): Stroke => ({
        kind: "band",
        x: at,
        y: at,
        angle,
        long: 1,
        wide: half,
        paint: { ...paint, glaze, opacity: 0.85, wobble: wet ? 0.12 : 0.2 },
      });
      const line = random() < 0.6 ? [band(place + 0.5 / count, between(random, 0.003, 0.007))] : [];
      return [band(place, wide), ...line];
    }).flat();
  };
  return { ground, strokes: shuffled(random, [...bandsOf(0), ...bandsOf(Math.PI / 2)]) };
};

/** Rings in one turn of the brush, with dots between. */
const rings: Look = (random, palette) => {
  const ground = randomGround(random, palette, 0.35);
  const hues = shuffled(random, coloursOn(palette, ground)).slice(0, whole(random, 2, 5));
  const large = scatter(random, [], {
    count: whole(random, 5, 16),
    smallest: 0.06,
    largest: between(random, 0.12, 0.22),
    candidates: 60,
  });
  const small = scatter(random, large, {
    count: 40,
    smallest: 0.018,
    largest: 0.05,
    candidates: 60,
  });
  const nested = random() < 0.5;
  const ring = (x: number, y: number, radius: number, wide: number): Stroke => ({
    kind: "ring",
    x,
    y,
    angle: random() * 2 * Math.PI,
    long: 0,
    radius,
    wide,
    tapers: [0.3, 0.5],
    paint: { ...oil(random, palette, pick(random, hues)), frayed: radius * 0.25 },
  });
  const strokes = [
    ...large.flatMap(({ x, y, radius }) => {
      const wide = radius * between(random, 0.1, 0.2);
      const outer = ring(x, y, radius * 0.8, wide);
      return nested ? [outer, ring(x, y, radius * 0.4, wide * 0.8)] : [outer];
    }),
    ...small.map(
      ({ x, y, radius }): Stroke => ({
        kind: "stroke",
        x,
        y,
        angle: random() * 2 * Math.PI,
        long: radius * 0.75,
        wide: radius * 0.62,
        tapers: [1, 0.95],
        paint: { ...oil(random, palette, pick(random, hues)), frayed: radius * 0.2 },
      }),
    ),
  ];
  const drops = spatter(
    random,
    whole(random, 15, 60),
    hues.map((c) => oil(random, palette, c)),
  );
  return { ground, strokes: [...drops, ...strokes] };
};

/** Soft pools of thin paint with dry strokes of ink over them. */
const washes: Look = (random, palette) => {
  const ground = mixed(palette.paper, palette.accent, between(random, 0, 0.06));
  const hues = shuffled(random, shiftedFrom([...palette.colours, palette.leaf], ground, 0.12));
  const chosen = hues.slice(0, whole(random, 2, 4));
  const main = random() * Math.PI;
  const spots = scatter(random, [], { count: 34, smallest: 0.06, largest: 0.17, overlap: 0.5 });
  const pools = spots.map(
    ({ x, y, radius }): Stroke => ({
      kind: "stroke",
      x,
      y,
      angle: main + between(random, -0.5, 0.5),
      long: Math.min(radius * between(random, 1, 1.7), 0.36),
      wide: radius * between(random, 0.55, 0.9),
      bow: between(random, -0.2, 0.2),
      tapers: [1, 1],
      paint: wash(random, palette, pick(random, chosen)),
    }),
  );
  const ink = oil(random, palette, mixed(palette.ink, chosen[0], 0.15));
  const lines = spots.slice(0, whole(random, 6, 14)).map(
    ({ x, y, radius }): Stroke => ({
      kind: "stroke",
      x,
      y,
      angle: main + between(random, -0.6, 0.6),
      long: radius * between(random, 0.9, 1.5),
      wide: between(random, 0.004, 0.012),
      bow: between(random, -0.35, 0.35),
      tapers: [0.5, 0.9],
      paint: { ...ink, dry: 0.9, load: 0.6, frayed: 0.05, bristles: 420 },
    }),
  );
  return {
    ground,
    strokes: [...pools, ...lines, ...spatter(random, whole(random, 10, 50), [ink])],
  };
};

/** Squares of strokes, across and down in turn, as a basket is woven. */
const basket: Look = (random, palette) => {
  const ground = randomGround(random, palette, 0.5);
  const hues = shuffled(random, coloursOn(palette, ground)).slice(0, whole(random, 2, 5));
  const side = 2 * whole(random, 2, 4);
  const count = whole(random, 1, 4);
  const turn = pick(random, [0, 0, Math.PI / 4]);
  const strokes = Array.from({ length: side * side * count }, (_, index): Stroke => {
    const square = Math.floor(index / count);
    const column = square % side;
    const line = Math.floor(square / side);
    const level = (column + line) % 2 === 0;
    const offset = ((index % count) + 0.5) / count - 0.5;
    const x = (column + 0.5 + (level ? 0 : offset)) / side;
    const y = (line + 0.5 + (level ? offset : 0)) / side;
    const back = random() < 0.5 ? Math.PI : 0;
    return {
      kind: "stroke",
      x,
      y,
      angle: (level ? 0 : Math.PI / 2) + turn + back + between(random, -0.05, 0.05),
      long: (0.5 / side) * between(random, 0.9, 1.1),
      wide: (0.42 / (side * count)) * between(random, 0.9, 1.1),
      bow: between(random, -0.06, 0.06),
      tapers: [0.25, 0.2],
      paint: oil(random, palette, pick(random, hues)),
    };
  });
  return { ground, strokes };
};

export const LOOKS: readonly Look[] = [gestures, dabs, plaid, rings, washes, basket];

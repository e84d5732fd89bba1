/**
 * Tiles of several sizes that fit (C. Carlson, "Multi-scale Truchet patterns", Bridges 2018):
 * a tile half as wide has its two colours exchanged, and wings at corners and edges that reach
 * over its larger neighbours.
 */
import { between, pick, type Random, shuffled } from "../../lib/random.ts";
import { randomGround, shiftedFrom } from "../ground.ts";
import { cellsOf, uprightBoard } from "./board.ts";
import type { Look } from "./look.ts";
import { disc, ground, line, type Paint, type Piece, ring } from "./pieces.ts";

/** Lengths in the smallest cells. */
interface Tile {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly motif: readonly Strand[];
}

/** Bands of a tile: a quarter circle around a corner (0…3), across, or down. */
type Strand = 0 | 1 | 2 | 3 | "across" | "down";

const MOTIFS: readonly (readonly Strand[])[] = [
  [0, 3],
  [1, 2],
  [0, 3],
  [1, 2],
  ["across", "down"],
  ["across"],
  ["down"],
  [0],
  [1],
  [2],
  [3],
  [],
  [0, 1, "down"],
  [0, 1, 2, 3],
];

const LARGEST = 4;

/** Cuts a torus of `cells`² cells into tiles of 4, 2 and 1 cells. */
function cut(random: Random, cells: number): Tile[] {
  const split = [between(random, 0.35, 0.75), between(random, 0.2, 0.5)];
  const within = (x: number, y: number, size: number): Tile[] => {
    if (size === 1 || random() > split[size === LARGEST ? 0 : 1]) {
      return [{ x, y, size, motif: pick(random, MOTIFS) }];
    }
    const half = size / 2;
    return [0, 1, 2, 3].flatMap((c) => within(x + (c % 2) * half, y + (c >> 1) * half, half));
  };
  const count = cells / LARGEST;
  return Array.from({ length: count * count }, (_, index) =>
    within((index % count) * LARGEST, Math.floor(index / count) * LARGEST, LARGEST),
  ).flat();
}

const modulo = (value: number, n: number) => ((value % n) + n) % n;

export const carlson: Look = (random, palette) => {
  const board = uprightBoard(pick(random, [12, 16, 20]));
  const tiles = cut(random, board.cells);
  const light = randomGround(random, palette, 0);
  const dark = pick(
    random,
    shiftedFrom([palette.ink, ...palette.colours.slice(0, 2)], light, 0.35),
  );
  const thread = pick(random, ["none", "middle", "middle"]);
  const threads = shuffled(random, [...palette.colours, palette.accent]);

  /** A tile's colours: its bands' and its ground's. */
  const paintsOf = ({ size }: Tile): { readonly band: Paint; readonly base: Paint } => {
    const [body, base] = size === 2 ? [light, dark] : [dark, light];
    const level = size === LARGEST ? 0 : size;
    const stripe = shiftedFrom([threads[level] ?? palette.accent], body, 0.25)[0] ?? base;
    const stripeHalf = thread === "none" ? 0 : size * 0.035;
    return { band: { body, stripe, stripeHalf }, base: { body: base } };
  };

  /** The discs that a tile shares with its neighbours; the bands' stripes end in their middles. */
  const wings = (tile: Tile): Piece[] => {
    const { x, y, size } = tile;
    const { band, base } = paintsOf(tile);
    const half = size / 2;
    const edges = [
      [x + half, y],
      [x, y + half],
      [x + size, y + half],
      [x + half, y + size],
    ] as const;
    return [
      ...[0, 1, 2, 3].map((c) => disc(x + (c % 2) * size, y + (c >> 1) * size, size / 3, base)),
      ...edges.map(([ex, ey]) => disc(ex, ey, size / 6, band)),
    ];
  };

  const wholeTile = (tile: Tile): Piece[] => {
    const { x, y, size, motif } = tile;
    const { band, base } = paintsOf(tile);
    const strand = (kind: Strand): Piece => {
      if (kind === "across") return line(x, y + size / 2, [0, 1], size / 6, band);
      if (kind === "down") return line(x + size / 2, y, [1, 0], size / 6, band);
      return ring(x + (kind % 2) * size, y + (kind >> 1) * size, size / 2, size / 6, band);
    };
    const eye = motif.length === 0 ? [disc(x + size / 2, y + size / 2, size * 0.16, band)] : [];
    return [ground(x, y, base.body), ...eye, ...wings(tile), ...motif.map(strand)];
  };

  const touches = (tile: Tile, x: number, y: number) => {
    const reach = tile.size / 3;
    const near = (from: number, at: number) =>
      modulo(at - from + reach + 1, board.cells) < tile.size + 2 * reach + 1;
    return near(tile.x, x) && near(tile.y, y);
  };
  const holds = (tile: Tile, x: number, y: number) =>
    x >= tile.x && x < tile.x + tile.size && y >= tile.y && y < tile.y + tile.size;
  const pieces = cellsOf(board, (x, y) => {
    const [own] = tiles.filter((tile) => holds(tile, x, y));
    const smaller = tiles
      .filter((tile) => tile.size < own.size && touches(tile, x, y))
      .sort((a, b) => b.size - a.size);
    return [...wholeTile(own), ...smaller.flatMap(wings)];
  });
  return { board, pieces };
};

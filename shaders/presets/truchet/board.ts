/** A torus of square cells, upright or standing on their corners. */
import { pick, type Random, whole } from "../../lib/random.ts";

/** Cells have whole coordinates; those that are the same cell of the picture have one index. */
export interface Board {
  /** Cells after which it repeats in both directions. */
  readonly side: number;
  /** Cells along an edge of the picture. */
  readonly cells: number;
  readonly diagonal: boolean;
  /** Number of the cell with these coordinates, 0 … `count` − 1. */
  indexOf(x: number, y: number): number;
  readonly count: number;
}

const modulo = (value: number, n: number) => ((value % n) + n) % n;

/** `cells` cells along each edge, parallel to it. */
export function uprightBoard(cells: number): Board {
  return {
    side: cells,
    cells,
    diagonal: false,
    indexOf: (x, y) => modulo(y, cells) * cells + modulo(x, cells),
    count: cells * cells,
  };
}

/**
 * `cells` cells' diagonals along each edge. In the cells' own axes the picture repeats by
 * (n, −n) and (n, n), hence also by 2n along each.
 */
function diagonalBoard(cells: number): Board {
  return {
    side: 2 * cells,
    cells,
    diagonal: true,
    indexOf(x, y) {
      const column = modulo(x, 2 * cells);
      const turned = column >= cells;
      return modulo(turned ? y + cells : y, 2 * cells) * cells + (turned ? column - cells : column);
    },
    count: 2 * cells * cells,
  };
}

/** Returns the results of a callback for each cell, row by row. */
export function cellsOf<T>(board: Board, answer: (x: number, y: number) => T): T[] {
  return Array.from({ length: board.side * board.side }, (_, cell) =>
    answer(cell % board.side, Math.floor(cell / board.side)),
  );
}

/** The kinds of cells, and how mirrors change them. */
export interface KindRules<Kind> {
  /** Draws a kind. */
  readonly draw: () => Kind;
  /** Returns a kind mirrored left to right, or top to bottom. */
  readonly across: (kind: Kind) => Kind;
  readonly down: (kind: Kind) => Kind;
}

/** Assigns kinds to cells: at random, or with two mirrors, which only an upright board can have. */
export function assignKinds<Kind>(
  random: Random,
  board: Board,
  { draw, across, down }: KindRules<Kind>,
): (x: number, y: number) => Kind {
  const kinds = Array.from({ length: board.count }, draw);
  const loose = (x: number, y: number) => kinds[board.indexOf(x, y)];
  if (board.diagonal || random() < 0.35) return loose;
  const period = pick(random, [board.side, board.side / 2].filter(Number.isInteger));
  return (x, y) => {
    const column = modulo(x, period);
    const line = modulo(y, period);
    const right = 2 * column >= period;
    const low = 2 * line >= period;
    const kind = loose(right ? period - 1 - column : column, low ? period - 1 - line : line);
    const turned = right ? across(kind) : kind;
    return low ? down(turned) : turned;
  };
}

/** Returns a random board of about so many cells, upright (an even number) or on its corners. */
export function randomBoard(random: Random, fewest: number, most: number): Board {
  return random() < 0.5
    ? uprightBoard(2 * whole(random, Math.ceil(fewest / 2), Math.floor(most / 2)))
    : diagonalBoard(whole(random, Math.ceil(fewest / 1.5), Math.floor(most / 1.5)));
}

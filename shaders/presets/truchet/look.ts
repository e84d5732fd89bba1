/** Interface of ways to draw Truchet tiles. */
import type { Random } from "../../lib/random.ts";
import type { Palette } from "../palette.ts";
import type { Board } from "./board.ts";
import type { Piece } from "./pieces.ts";

/** A board with the pieces of each of its `side`² cells, the lowest first. */
export interface TileLayout {
  readonly board: Board;
  readonly pieces: readonly (readonly Piece[])[];
}

/** Lays tiles in a palette's colours. */
export type Look = (random: Random, palette: Palette) => TileLayout;

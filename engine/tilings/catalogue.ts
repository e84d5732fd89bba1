/** Catalogue of tilings. A new tiling is a file, a row here, and a name in the recipe. */
import type { TilingName } from "../recipe/index.ts";
import { hatTiling } from "./hat.ts";
import { ammannBeenkerTiling, multigridTiling } from "./n-fold.ts";
import { penroseP2Tiling } from "./penrose-p2.ts";
import { penroseP3Tiling } from "./penrose-p3.ts";
import { spectreTiling } from "./spectre.ts";
import type { Tiling } from "./tiling.ts";

export interface TilingOptions {
  /** Any safe integer; selects the part of the infinite tiling around the origin. */
  readonly seed: number;
  /** Number of families of lines, 5 … 13; used by `multigrid` only. */
  readonly n: number;
}

/** Functions that create the tilings. That of `multigrid` throws `RangeError` for other `n`. */
export const tilings: Readonly<Record<TilingName, (options: TilingOptions) => Tiling>> = {
  /** Thick and thin rhombs with fivefold symmetry; edges have length 1. */
  penrose_p3: ({ seed }) => penroseP3Tiling(seed),
  /** Kites and darts with fivefold symmetry; long edges have length 1. */
  penrose_p2: ({ seed }) => penroseP2Tiling(seed),
  /** Squares and rhombs with eightfold symmetry; edges have length 1. */
  ammann_beenker: ({ seed }) => ammannBeenkerTiling(seed),
  /** Rhombs of all angles k·180°/n from n families of lines; edges have length 1. */
  multigrid: ({ seed, n }) => multigridTiling(n, seed),
  /** The aperiodic monotile, about one in eight mirrored; edges have lengths 1 and √3. */
  hat: ({ seed }) => hatTiling(seed),
  /** The chiral aperiodic monotile, never mirrored; edges have length 1. */
  spectre: ({ seed }) => spectreTiling(seed),
};

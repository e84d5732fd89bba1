/** Catalogue of tilings. A new tiling is a file and a row here. */

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

export interface TilingKind {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** @throws RangeError if n is out of range for `multigrid` */
  readonly tilingOf: (options: TilingOptions) => Tiling;
}

/** In the order of listings. */
export const tilingKinds: readonly TilingKind[] = [
  {
    id: "penrose_p3",
    title: "Penrose rhombs",
    description: "Thick and thin rhombs with fivefold symmetry; edges have length 1.",
    tilingOf: ({ seed }) => penroseP3Tiling(seed),
  },
  {
    id: "penrose_p2",
    title: "Penrose kites and darts",
    description: "Kites and darts with fivefold symmetry; long edges have length 1.",
    tilingOf: ({ seed }) => penroseP2Tiling(seed),
  },
  {
    id: "ammann_beenker",
    title: "Ammann–Beenker",
    description: "Squares and rhombs with eightfold symmetry; edges have length 1.",
    tilingOf: ({ seed }) => ammannBeenkerTiling(seed),
  },
  {
    id: "multigrid",
    title: "Multigrid",
    description: "Rhombs of all angles k·180°/n from n families of lines; edges have length 1.",
    tilingOf: ({ seed, n }) => multigridTiling(n, seed),
  },
  {
    id: "hat",
    title: "Hat",
    description:
      "The aperiodic monotile, about one in eight mirrored; edges have lengths 1 and √3.",
    tilingOf: ({ seed }) => hatTiling(seed),
  },
  {
    id: "spectre",
    title: "Spectre",
    description: "The chiral aperiodic monotile, never mirrored; edges have length 1.",
    tilingOf: ({ seed }) => spectreTiling(seed),
  },
];

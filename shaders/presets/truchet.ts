/** Truchet tiles: one simple tile, turned at random, from which windings arise. */
import { permutationTable, pick, randomSequence } from "../lib/random.ts";
import { definePreset } from "./preset.ts";
import { carlson } from "./truchet/carlson.ts";
import { contours } from "./truchet/contours.ts";
import { islands } from "./truchet/islands.ts";
import { pieceKernel } from "./truchet/piece-kernel.ts";
import { pieceTables } from "./truchet/pieces.ts";
import { quilt } from "./truchet/quilt.ts";
import { ribbons } from "./truchet/ribbons.ts";

/** Share by which the printed paper varies. */
const PAPER_GRAIN = 0.05;

export const truchet = definePreset({
  id: "truchet",
  title: "Truchet",
  description:
    "Rotated tiles that join into winding lines: arcs, interlaced ribbons, waves, triangles.",
  tiles: true,
  kernel: pieceKernel,
  prepare(seed, palette) {
    const random = randomSequence(seed, 8);
    const look = pick(random, [islands, ribbons, carlson, contours, quilt, ribbons]);
    const { board, pieces: laid } = look(random, palette);
    const { pieces, starts } = pieceTables(laid);
    return [
      board.side,
      board.cells,
      board.diagonal ? 1 : 0,
      pieces,
      starts,
      Float32Array.of(PAPER_GRAIN),
      permutationTable(seed),
    ];
  },
});

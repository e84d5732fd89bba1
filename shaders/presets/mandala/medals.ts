/** Where medallions lie, as the tables that the kernel reads. */
import type { Linear } from "../../lib/colour.ts";
import { listsOf } from "../../lib/grid-lists.ts";
import { distance, type Spot } from "../../lib/torus.ts";
import { ringsBefore } from "./parts.ts";

/** A medallion of the picture. */
export interface Medal extends Spot {
  /** Even number of its spokes. */
  readonly order: number;
  /** Turn of its first spoke in radians. */
  readonly turn: number;
  /** Number of its design. */
  readonly design: number;
}

const STRIDE = 13;

/** Cells along an edge of the grid; the kernel has the same number. */
const GRID = 24;

/**
 * `medals`: the ground and the print's unevenness (0…1), then 13 numbers each: place, radius, first spoke, pairs of spokes, then as unit vectors the
 * turn from spoke to spoke, half and a quarter of it, then the design's first ring; `list` and
 * `starts`: those that touch each cell of the grid.
 */
export function medalTables(medals: readonly Medal[], ground: Linear, unevenness: number) {
  const unit = (angle: number) => [Math.cos(angle), Math.sin(angle)];
  const numbers = medals.flatMap(({ x, y, radius, order, turn, design }) => [
    x,
    y,
    radius,
    ...unit(turn),
    order / 2,
    ...unit((2 * Math.PI) / order),
    ...unit(Math.PI / order),
    ...unit(Math.PI / (2 * order)),
    ringsBefore(design),
  ]);
  const cells = Array.from({ length: GRID * GRID }, (_, cell) => {
    const x = ((cell % GRID) + 0.5) / GRID;
    const y = (Math.floor(cell / GRID) + 0.5) / GRID;
    return medals.flatMap((medal, index) =>
      distance(x, y, medal) < 1.15 * medal.radius + Math.SQRT1_2 / GRID ? [4 + index * STRIDE] : [],
    );
  });
  return { medals: Float32Array.from([...ground, unevenness, ...numbers]), ...listsOf(cells) };
}

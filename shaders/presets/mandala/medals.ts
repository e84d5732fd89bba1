/** Positions of medallions, as tables for the kernel. */
import type { Linear } from "../../lib/colour.ts";
import { listsOf } from "../../lib/grid-lists.ts";
import { layout, numbersOf, type RecordOf, RGB, XY } from "../../lib/layout.ts";
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

/** A medallion as the kernel reads it. */
const MEDAL = layout({
  x: 1,
  y: 1,
  radius: 1,
  /** The first spoke, and pairs of spokes. */
  spoke: XY,
  pairs: 1,
  /** The turn from spoke to spoke, half and a quarter of it, as unit vectors. */
  turn: XY,
  half: XY,
  quarter: XY,
  /** The design's first ring. */
  firstRing: 1,
});
export type MedalRecord = RecordOf<typeof MEDAL>;

/** All medallions; `unevenness` of the print 0…1. */
export const MEDALS = layout({ ground: RGB, unevenness: 1, all: [MEDAL, 1] });
export type MedalsRecord = RecordOf<typeof MEDALS>;

/** Cells along an edge of the grid. */
export const GRID = 24;

/** `list` and `starts`: the medallions that touch each cell of the grid. */
export function medalTables(medals: readonly Medal[], ground: Linear, unevenness: number) {
  const unit = (angle: number) => [Math.cos(angle), Math.sin(angle)];
  const numbers = medals.flatMap(({ x, y, radius, order, turn, design }) =>
    numbersOf(
      {
        x,
        y,
        radius,
        spoke: unit(turn),
        pairs: order / 2,
        turn: unit((2 * Math.PI) / order),
        half: unit(Math.PI / order),
        quarter: unit(Math.PI / (2 * order)),
        firstRing: ringsBefore(design),
      },
      MEDAL,
    ),
  );
  const cells = Array.from({ length: GRID * GRID }, (_, cell) => {
    const x = ((cell % GRID) + 0.5) / GRID;
    const y = (Math.floor(cell / GRID) + 0.5) / GRID;
    return medals.flatMap((medal, index) =>
      distance(x, y, medal) < 1.15 * medal.radius + Math.SQRT1_2 / GRID ? [index * MEDAL.size] : [],
    );
  });
  return { medals: Float32Array.from([...ground, unevenness, ...numbers]), ...listsOf(cells) };
}

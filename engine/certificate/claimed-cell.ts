/** The cell that a claim stands for, where the picture is a square tile of this engine. */
import type { Point } from "../geometry/affine.ts";
import { isometriesOf } from "../geometry/isometries.ts";
import { squareTile } from "../geometry/square-tile.ts";
import { type Cell, strainOf } from "./cells.ts";
import type { Claim } from "./certificate.ts";
import type { Size } from "./torus-lattice.ts";

export interface ClaimedCell {
  readonly cell: Cell;
  /** Primitive cells in the picture. */
  readonly index: number;
}

/**
 * The conventional cell in fractions of the picture: as many periods as the engine lays on a
 * square tile, or a single one on a picture that is not square.
 */
export function claimedCell({ group: name, lattice, hexCells }: Claim, size: Size): ClaimedCell {
  const isometries = isometriesOf(name, lattice);
  const { group, period, basis } = isometries;
  const { region } =
    size.width === size.height
      ? squareTile(isometries, size.width, hexCells).tile
      : { region: period };
  const fraction = (x: number, y: number) => ({ x: x / region.width, y: y / region.height });
  const [a, b]: readonly [Point, Point] =
    group.lattice === "hexagonal"
      ? [fraction(1, 0), fraction(-0.5, Math.sqrt(3) / 2)]
      : conventional(group.lattice === "oblique", basis, period, fraction);
  const area = Math.abs(basis[0].x * basis[1].y - basis[0].y * basis[1].x);
  return {
    cell: { a, b, strain: strainOf(a, b, group.lattice, size) },
    index: Math.round((region.width * region.height) / area),
  };
}

function conventional(
  oblique: boolean,
  [a, b]: readonly [Point, Point],
  period: { readonly width: number; readonly height: number },
  fraction: (x: number, y: number) => Point,
): [Point, Point] {
  if (oblique) return [fraction(a.x, a.y), fraction(b.x, b.y)];
  return [fraction(period.width, 0), fraction(0, period.height)];
}

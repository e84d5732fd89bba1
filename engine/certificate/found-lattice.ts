/** The translations of a picture, as its certificate shows them. */
import type { LatticeKind } from "../geometry/plane-groups.ts";
import { cellsOf } from "./cells.ts";
import type { FoundLattice } from "./certificate.ts";
import type { Fit, Ground } from "./fit.ts";
import { STRAIN } from "./tolerance.ts";
import { commonDivisor } from "./torus-lattice.ts";

/** Shapes, the most symmetric first. */
const SHAPES: readonly { readonly lattice: LatticeKind; readonly centred: boolean }[] = [
  { lattice: "hexagonal", centred: false },
  { lattice: "square", centred: false },
  { lattice: "rectangular", centred: false },
  { lattice: "rectangular", centred: true },
];

/** Describes the lattice by the shape that its group needs, or by a better one that it has. */
export function foundLattice(
  { lattice, size, strainTolerance }: Ground,
  { group, cell }: Fit,
): FoundLattice {
  const [p, q] = lattice.dual;
  const [a, b] = lattice.basis.map(({ x, y }) => ({ x: x * size.width, y: y * size.height })) as [
    FoundLattice["a"],
    FoundLattice["b"],
  ];
  const shape = SHAPES.map((wanted) => ({
    wanted,
    nearest: cellsOf(lattice, wanted, size, strainTolerance)[0],
  })).find(
    ({ wanted, nearest }) =>
      nearest !== undefined &&
      (nearest.strain <= STRAIN ||
        (wanted.lattice === group.lattice && wanted.centred === group.centred)),
  );
  return {
    kind: shape?.wanted.lattice ?? "oblique",
    centred: shape?.wanted.centred ?? false,
    across: commonDivisor(p.u, q.u),
    down: commonDivisor(p.v, q.v),
    cells: lattice.index,
    a,
    b,
    strain: shape?.nearest?.strain ?? cell.strain,
  };
}

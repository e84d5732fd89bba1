/** Which copy of the picture a point of the plane shows. */
import {
  type Affine,
  apply,
  compose,
  IDENTITY,
  type Point,
  translation,
} from "../../geometry/affine.ts";
import {
  type AffineFunction,
  type Domain,
  foldingElement,
  type Neighbour,
  valueAt,
} from "../../geometry/domain.ts";
import { Interpolation, type NodeGrid } from "./grid.ts";

/** A domain whose free edges are paths. */
export interface CutDomain {
  /** Largest distance of a path from its edge, in edges of the cell. */
  readonly reach: number;
  /** Elements whose picture may be shown in the domain, but for the identity. */
  readonly neighbours: readonly Neighbour[];
  readonly grid: NodeGrid;
  /** How deep the grid's nodes lie inside the domain, in edges of the cell; negative outside. */
  readonly depths: Float32Array;
}

/** Returns the function that is > 0 where a neighbour's picture may be shown. */
export function within({ excess, distance }: Neighbour, reach: number): AffineFunction {
  // The excess grows by twice the distance in an edge of the cell.
  return { x: -excess.x, y: -excess.y, k: 2 * distance * reach - excess.k };
}

/** Returns the function that finds the element whose image of a point lies deepest in the domain. */
export function ownersOf(
  domain: Domain,
  { reach, neighbours, grid, depths }: CutDomain,
): (point: Point) => Affine {
  const others = neighbours.map((neighbour) => ({
    element: neighbour.element,
    where: within(neighbour, reach),
  }));
  const interpolation = new Interpolation(grid);
  const { centre } = domain;
  const toDomain = translation(-centre.x, -centre.y);
  const fromDomain = translation(centre.x, centre.y);
  const sharedOf = sharing();
  const foldOf = (point: Point) => {
    if (domain.edges.every(({ excess }) => valueAt(excess, point) >= 0)) return IDENTITY;
    const there = { x: point.x + centre.x, y: point.y + centre.y };
    return sharedOf(compose(toDomain, foldingElement(domain, there), fromDomain));
  };
  return (point) => {
    const fold = foldOf(point);
    const there = apply(fold, point);
    const { x, y } = there;
    interpolation.locate(x, y);
    let most = interpolation.read(depths);
    let best = IDENTITY;
    for (const { element, where } of others) {
      // Farther ones may be mapped beyond the grid, whose edge has other depths.
      if (valueAt(where, there) <= 0) continue;
      const { a, b, c, d, e, f } = element;
      interpolation.locate(a * x + b * y + e, c * x + d * y + f);
      const depth = interpolation.read(depths);
      // A later one has to be deeper by more than rounding.
      if (depth > most + 1e-9) {
        most = depth;
        best = element;
      }
    }
    return best === IDENTITY ? fold : sharedOf(compose(best, fold));
  };
}

/** Returns a function that returns the first of equal maps in place of the others: many points have the same owner. */
function sharing(): (map: Affine) => Affine {
  const known: Affine[] = [];
  return (map) => {
    const first = known.find((one) => isSame(one, map));
    if (first === undefined) known.push(map);
    return first ?? map;
  };
}

const isSame = (m: Affine, n: Affine) =>
  m.a === n.a && m.b === n.b && m.c === n.c && m.d === n.d && m.e === n.e && m.f === n.f;

/** Lengths below this are rounding. */
const TINY = 1e-6;

/** Whether a point with this owner shows its own picture. */
export const isOwn = ({ a, b, c, d, e, f }: Affine) =>
  Math.abs(a - 1) + Math.abs(b) + Math.abs(c) + Math.abs(d - 1) + Math.abs(e) + Math.abs(f) < TINY;

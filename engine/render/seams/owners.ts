/** Which copy of the picture a point of the plane shows. */
import {
  type Affine,
  apply,
  compose,
  IDENTITY,
  type Point,
  translation,
} from "../../geometry/affine.ts";
import { type Domain, foldingElement, type Neighbour, valueAt } from "../../geometry/domain.ts";
import { Interpolation, type NodeGrid } from "./grid.ts";

/** Returns the function that finds the element whose image of a point lies deepest in the domain. */
export function ownersOf(
  domain: Domain,
  neighbours: readonly Neighbour[],
  grid: NodeGrid,
  depths: Float32Array,
): (point: Point) => Affine {
  const elements = neighbours.map(({ element }) => element);
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
    const { x, y } = apply(fold, point);
    interpolation.locate(x, y);
    let most = interpolation.read(depths);
    let best = IDENTITY;
    for (const element of elements) {
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

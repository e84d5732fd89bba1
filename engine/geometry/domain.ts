/**
 * The fundamental domain of a plane group, and the elements whose copies of it are neighbours:
 * found from the operations alone, for any lattice.
 *
 * Let c be the point of the plane that is farthest from its own orbit. Its Dirichlet cell
 *     D = { x : |x − c| ≤ |gx − c| for all g }
 * is a fundamental domain, convex, and as round as the group allows. For each g the excess
 *     q_g(x) = |gx − c|² − |x − c|²
 * is an affine function of x, because g is an isometry; D is where no q_g is negative, and the
 * bisector q_g = 0 is the edge behind which g⁻¹D lies.
 *
 * All points here are relative to c, in units of the cell's edge a.
 */
import {
  type Affine,
  apply,
  compose,
  determinant,
  invert,
  type Point,
  translation,
} from "./affine.ts";
import { type Isometries, shortestTranslate } from "./isometries.ts";

/** x·X + y·Y + k for a point (X, Y). */
export interface AffineFunction {
  readonly x: number;
  readonly y: number;
  readonly k: number;
}

export interface Neighbour {
  /** The element g, acting on points relative to c. */
  readonly element: Affine;
  /** q_g. */
  readonly excess: AffineFunction;
  /** |g⁻¹c − c|. */
  readonly distance: number;
}

export interface Domain {
  readonly isometries: Isometries;
  /** c, relative to the group's origin. */
  readonly centre: Point;
  /** The edges of D, each as the neighbour behind it; `mirror` where a reflection lies on it. */
  readonly edges: readonly (Neighbour & { readonly mirror: boolean })[];
  /** Corners of D in order. */
  readonly corners: readonly Point[];
  /** Corners of the part of D that the motif should fill. Default: `corners`. */
  readonly frame?: readonly Point[];
  /**
   * The neighbours that no mirror parts from D, nearest first. Across a mirror the picture
   * continues by itself; joining is needed only among these. The groups that reflections
   * generate (pmm, p4m, p3m1, p6m) have none.
   */
  readonly joined: readonly Neighbour[];
}

/** Lengths below this are rounding. */
const TINY = 1e-9;

const ORIGIN: Point = { x: 0, y: 0 };

/** The fundamental domain of a group that lies on the plane. */
export function domainOf(isometries: Isometries): Domain {
  const centre = findCentre(isometries);
  const neighbours = neighboursOf(isometries, centre);
  let polygon: Corner[] = square(3 * reach(isometries));
  for (const neighbour of neighbours) polygon = clip(polygon, neighbour.excess, neighbour);
  const { joined, isMirror } = joinedOf(neighbours);
  return {
    isometries,
    centre,
    corners: polygon,
    edges: polygon
      .map(({ behind }) => behind as Neighbour)
      .map((neighbour) => ({ ...neighbour, mirror: isMirror(neighbour) })),
    joined,
  };
}

/** Returns the neighbours that no mirror parts from D, and which of all are mirrors. */
export function joinedOf(neighbours: readonly Neighbour[]) {
  const mirrors = neighbours.filter((neighbour) => isReflection(neighbour.element));
  return {
    joined: neighbours.filter((neighbour) => mirrors.every((mirror) => !parts(mirror, neighbour))),
    isMirror: (neighbour: Neighbour) => mirrors.includes(neighbour),
  };
}

/** The element g of the whole group for which |gp − c| is least; acts on points of the plane. */
export function foldingElement({ isometries, centre }: Domain, p: Point): Affine {
  let best = isometries.cosets[0];
  let translate = ORIGIN;
  let least = Number.POSITIVE_INFINITY;
  for (const coset of isometries.cosets) {
    const image = apply(coset, p);
    const offset = { x: image.x - centre.x, y: image.y - centre.y };
    const t = isometries.translates ? shortestTranslate(isometries.basis, offset) : ORIGIN;
    const length = (offset.x + t.x) ** 2 + (offset.y + t.y) ** 2;
    // A later element has to be better by more than rounding, so that ties go the same way.
    if (length < least - TINY) {
      least = length;
      best = coset;
      translate = t;
    }
  }
  return { ...best, e: best.e + translate.x, f: best.f + translate.y };
}

/**
 * All elements but the identity that bring a point within `radius` of c to c, nearest first.
 * The default radius takes in every copy of D that touches D.
 */
export function neighboursOf(
  { cosets, basis }: Isometries,
  centre: Point,
  radius = 2 * reach({ basis }),
): Neighbour[] {
  const [a, b] = basis;
  const area = Math.abs(a.x * b.y - a.y * b.x);
  const columns = Math.ceil((radius * Math.hypot(b.x, b.y)) / area) + 1;
  const rows = Math.ceil((radius * Math.hypot(a.x, a.y)) / area) + 1;
  const found: Neighbour[] = [];
  for (const coset of cosets) {
    // Relative to c; shifted so that the loops run around the nearest copy.
    const local = compose(
      translation(-centre.x, -centre.y),
      coset,
      translation(centre.x, centre.y),
    );
    const near = shortestTranslate(basis, { x: local.e, y: local.f });
    for (let i = -columns; i <= columns; i++) {
      for (let j = -rows; j <= rows; j++) {
        const element = {
          ...local,
          e: local.e + near.x + i * a.x + j * b.x,
          f: local.f + near.y + i * a.y + j * b.y,
        };
        const distance = Math.hypot(element.e, element.f);
        if (distance > TINY && distance <= radius) found.push(neighbour(element));
      }
    }
  }
  return found.sort((p, q) => p.distance - q.distance);
}

/** Returns the neighbour of an element relative to c. With π = g⁻¹c: q = |x − π|² − |x|² = |π|² − 2·x·π. */
export function neighbour(element: Affine): Neighbour {
  const { e: x, f: y } = invert(element);
  return {
    element,
    distance: Math.hypot(element.e, element.f),
    excess: { x: -2 * x, y: -2 * y, k: x * x + y * y },
  };
}

/** No point is farther than this from the lattice's nearest point. */
const reach = ({ basis: [a, b] }: Pick<Isometries, "basis">) =>
  (Math.hypot(a.x, a.y) + Math.hypot(b.x, b.y)) / 2;

function isReflection(element: Affine): boolean {
  if (determinant(element) > 0) return false;
  const twice = compose(element, element);
  return Math.hypot(twice.e, twice.f) < TINY;
}

/** Whether g⁻¹c lies on the other side of a mirror: whether it is nearer to the mirrored c. */
function parts(mirror: Neighbour, { element }: Neighbour): boolean {
  return valueAt(mirror.excess, apply(invert(element), { x: 0, y: 0 })) < 0;
}

export const valueAt = (f: AffineFunction, p: Point): number => f.x * p.x + f.y * p.y + f.k;

/** A corner and what lies behind the edge that starts there. */
export interface Corner extends Point {
  readonly behind?: Neighbour | null | undefined;
}

const square = (half: number): Corner[] =>
  [
    { x: -half, y: -half },
    { x: half, y: -half },
    { x: half, y: half },
    { x: -half, y: half },
  ].map((corner) => ({ ...corner, behind: null }));

/** The part of a convex polygon where f ≥ 0 (Sutherland–Hodgman); a new edge gets `behind`. */
export function clip(
  polygon: readonly Corner[],
  f: AffineFunction,
  behind: Neighbour | null = null,
): Corner[] {
  const result: Corner[] = [];
  polygon.forEach((start, index) => {
    const end = polygon[(index + 1) % polygon.length];
    const from = valueAt(f, start);
    const to = valueAt(f, end);
    const crossing = () => {
      const t = from / (from - to);
      return { x: start.x + t * (end.x - start.x), y: start.y + t * (end.y - start.y) };
    };
    if (from >= -TINY) {
      result.push(start);
      // An edge that merely touches the line keeps what was behind it.
      if (to < -TINY) result.push({ ...(from > TINY ? crossing() : start), behind });
    } else if (to > TINY) {
      result.push({ ...crossing(), behind: start.behind });
    }
  });
  return result.filter((corner, index) => {
    const next = result[(index + 1) % result.length];
    return Math.hypot(corner.x - next.x, corner.y - next.y) > TINY;
  });
}

/**
 * The point farthest from its own orbit: a grid over one upright period, then smaller and
 * smaller steps. Where many are as good (p1: all are), the one nearest to `middle` is taken, by
 * default the period's, so that a motif lies in the middle of its tile.
 */
function findCentre(isometries: Isometries): Point {
  const { width, height } = isometries.period;
  const { middle } = isometries;
  const score = (p: Point) =>
    distanceToOrbit(isometries, p) - 1e-4 * Math.hypot(p.x - middle.x, p.y - middle.y);
  const steps = 32;
  let best = middle;
  let most = score(best);
  const consider = (p: Point) => {
    const value = score(p);
    if (value > most + TINY) {
      most = value;
      best = p;
    }
  };
  for (let j = 0; j <= steps; j++) {
    for (let i = 0; i <= steps; i++) {
      consider({ x: (i / steps) * width, y: (j / steps) * height });
    }
  }
  for (let step = Math.max(width, height) / steps; step > 1e-7; step /= 2) {
    for (let again = true; again; ) {
      const { x, y } = best;
      const before = most;
      for (const [dx, dy] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
        [1, 1],
        [-1, -1],
        [1, -1],
        [-1, 1],
      ] as const) {
        consider({ x: x + dx * step, y: y + dy * step });
      }
      again = most > before;
    }
  }
  return best;
}

/** Distance to the nearest other point of the orbit that is not a mere translate. */
function distanceToOrbit({ cosets, basis }: Isometries, p: Point): number {
  const [shortest] = basis;
  let least = Math.hypot(shortest.x, shortest.y);
  for (const coset of cosets.slice(1)) {
    const image = apply(coset, p);
    const offset = { x: image.x - p.x, y: image.y - p.y };
    const t = shortestTranslate(basis, offset);
    least = Math.min(least, Math.hypot(offset.x + t.x, offset.y + t.y));
  }
  return least;
}

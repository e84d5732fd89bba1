/**
 * Two-colour groups: plane groups some of whose operations exchange two colours, here a picture and
 * its negative. The others are a subgroup of index 2, after which a counterchange is called. With
 * χ(g) = −1 for operations that exchange the colours and 1 for others, χ(gh) = χ(g)·χ(h), so that it is
 * known from a few operations. H. S. M. Coxeter, "Coloured symmetry" (1987), lists all 46.
 */
import { LRUCache } from "lru-cache";
import type { COUNTERCHANGES, Counterchange, Design, GroupName } from "../recipe/index.ts";
import { type Affine, compose, invert, type Point, translation } from "./affine.ts";
import { type Domain, domainOf } from "./domain.ts";
import {
  conventionalCell,
  type Isometries,
  isometriesOf,
  parsePosition,
  reduce,
} from "./isometries.ts";
import type { PlaneGroup } from "./plane-groups.ts";

const A = "x+1,y";
const B = "x,y+1";
/** The translation that centres a cell. */
const C = "x+1/2,y+1/2";

/** The operations that exchange the colours, of the generators of each group and of its translations. */
const EXCHANGING: {
  readonly [Group in GroupName]: Readonly<
    Record<(typeof COUNTERCHANGES)[Group][number], readonly string[]>
  >;
} = {
  p1: { p1: [A, B] },
  p2: { p1: ["-x,-y"], p2: [A, B] },
  pm: { p1: ["-x,y"], pg: ["-x,y", B], cm: [A, B], pm_across: [A], pm_along: [B] },
  pg: { p1: ["-x,y+1/2"], pg: [A] },
  cm: { p1: ["-x,y"], pm: [C], pg: ["-x,y", C] },
  pmm: {
    p2: ["-x,y", "x,-y"],
    pm: ["x,-y"],
    pmm: [A],
    pmg: ["x,-y", A],
    cmm: [A, B],
  },
  pmg: {
    p2: ["-x+1/2,y"],
    pm: ["-x,-y"],
    pg: ["-x,-y", "-x+1/2,y"],
    pmg: [B],
    pgg: ["-x+1/2,y", B],
  },
  pgg: { p2: ["-x+1/2,y+1/2"], pg: ["-x,-y"] },
  cmm: {
    p2: ["-x,y", "x,-y"],
    cm: ["x,-y"],
    pmm: [C],
    pmg: ["x,-y", C],
    pgg: ["-x,y", "x,-y", C],
  },
  p4: { p2: ["-y,x"], p4: [A, B] },
  p4m: {
    pmm: ["-y,x"],
    cmm: ["-y,x", "-x,y"],
    p4: ["-x,y"],
    p4m: [A, B],
    p4g: ["-x,y", A, B],
  },
  p4g: { pgg: ["-y,x"], cmm: ["-y,x", "-x+1/2,y+1/2"], p4: ["-x+1/2,y+1/2"] },
  p3: {},
  p3m1: { p3: ["-y,-x"] },
  p31m: { p3: ["y,x"] },
  p6: { p3: ["x-y,x"] },
  p6m: { p3m1: ["x-y,x"], p31m: ["x-y,x", "-y,-x"], p6: ["-y,-x"] },
};

/** What of a design determines its operations. */
export type OperationFields = Pick<Design, "group" | "lattice" | "counterchange">;

/**
 * Returns the isometries of a design. With a counterchange the translations are those that keep the
 * colours, because the picture repeats after them alone.
 */
export function isometriesOfDesign({ group, lattice, counterchange }: OperationFields): Isometries {
  const plain = isometriesOf(group, lattice);
  if (!counterchange) return plain;
  const { cell } = conventionalCell(plain.group, lattice);
  const toCell = invert(cell);
  const character = characterOf(plain.group, exchangingOf(group, lattice, counterchange));
  const isExchanging = (operation: Affine) => character(compose(toCell, operation, cell));
  const isOdd = ({ x, y }: Point) => isExchanging(translation(x, y));
  const [a, b] = plain.basis;
  const odd = [a, b].find(isOdd);
  const shifted = odd && plain.cosets.map((coset) => compose(translation(odd.x, odd.y), coset));
  const cosets = [...plain.cosets, ...(shifted ?? [])];
  const { width, height } = plain.period;
  return {
    ...plain,
    cosets,
    basis: keptBasis(a, b, isOdd),
    lattice: plain.basis,
    period: {
      width: isOdd({ x: width, y: 0 }) ? 2 * width : width,
      height: isOdd({ x: 0, y: height }) ? 2 * height : height,
    },
    exchanging: cosets.map(isExchanging),
  };
}

const domains = new LRUCache<string, Domain>({ max: 64 });

/**
 * Returns the fundamental domain of a design's group, whatever its colours. Those that were used last are
 * cached: finding the centre of one takes 1 to 2 ms.
 */
export function domainOfDesign(design: OperationFields): Domain {
  const { group, lattice, counterchange } = design;
  const key = JSON.stringify([group, lattice, counterchange]);
  const known = domains.get(key);
  if (known !== undefined) return known;
  const isometries = isometriesOfDesign(design);
  const domain = { ...domainOf(isometriesOf(group, lattice)), isometries };
  domains.set(key, domain);
  return domain;
}

/** Returns the operations that exchange the colours, of a group's generators and translations. */
function exchangingOf(
  group: GroupName,
  { repeat }: Design["lattice"],
  counterchange: Counterchange,
): readonly string[] {
  const table: Readonly<Record<string, readonly string[]>> = EXCHANGING[group];
  const given = table[counterchange];
  if (repeat === "straight" || !given.includes(A)) return given;
  // Columns or rows that are shifted alternate, and so the period stays.
  return [repeat === "half_drop" ? A : B];
}

/**
 * Returns whether operations in fractional coordinates of the cell exchange the colours.
 * @param given those that do, of the group's generators and translations
 */
function characterOf(group: PlaneGroup, given: readonly string[]) {
  const [byA, byB, byC] = [A, B, C].map((one) => given.includes(one));
  const ofTranslation = (x: number, y: number) => {
    const centred = isOddNumber(2 * x);
    const [i, j] = centred ? [x - 0.5, y - 0.5] : [x, y];
    return ((byA && isOddNumber(i)) !== (byB && isOddNumber(j))) !== (centred && byC);
  };
  const positions = group.positions.map(parsePosition);
  const indexOf = (operation: Affine) =>
    positions.findIndex((position) => isNear(position, operation));
  const signs = new Map([[0, false]]);
  const ofOperation = (operation: Affine, index: number) => {
    const { e, f } = positions[index];
    return (signs.get(index) === true) !== ofTranslation(operation.e - e, operation.f - f);
  };
  // Products of generators reach all positions.
  for (const [index, sign] of signs) {
    for (const generator of group.generators) {
      const product = compose(parsePosition(generator), positions[index]);
      const image = indexOf(product);
      if (signs.has(image)) continue;
      const isExchanging = sign !== given.includes(generator);
      signs.set(image, isExchanging !== ofOperation(product, image));
    }
  }
  return (operation: Affine) => ofOperation(operation, indexOf(operation));
}

const isOddNumber = (value: number) => Math.abs(Math.round(value)) % 2 === 1;

/** Whether maps turn and mirror in the same way. */
const isNear = (one: Affine, other: Affine) =>
  Math.abs(one.a - other.a) + Math.abs(one.b - other.b) < NEAR &&
  Math.abs(one.c - other.c) + Math.abs(one.d - other.d) < NEAR;

const NEAR = 1e-6;

/** Returns a basis of the translations that keep the colours, of all those of a and b. */
function keptBasis(a: Point, b: Point, isOdd: (point: Point) => boolean): [Point, Point] {
  const twice = ({ x, y }: Point) => ({ x: 2 * x, y: 2 * y });
  if (isOdd(a) && isOdd(b)) {
    return reduce({ x: a.x + b.x, y: a.y + b.y }, { x: a.x - b.x, y: a.y - b.y });
  }
  return reduce(isOdd(a) ? twice(a) : a, isOdd(b) ? twice(b) : b);
}

/** Returns whether an operation of a group exchanges the colours. */
export function exchanges(
  { cosets, basis: [a, b], exchanging }: Isometries,
  operation: Affine,
): boolean {
  if (exchanging === undefined) return false;
  const area = a.x * b.y - a.y * b.x;
  const index = cosets.findIndex((coset) => {
    if (!isNear(coset, operation)) return false;
    const [x, y] = [operation.e - coset.e, operation.f - coset.f];
    const [i, j] = [(x * b.y - y * b.x) / area, (a.x * y - a.y * x) / area];
    return Math.abs(i - Math.round(i)) + Math.abs(j - Math.round(j)) < NEAR;
  });
  if (index < 0) throw new Error("not an operation of the group");
  return exchanging[index];
}

/** Returns the operations that keep the colours. */
export const keptIsometries = ({ exchanging, cosets, ...others }: Isometries): Isometries => ({
  ...others,
  cosets: cosets.filter((_, index) => !exchanging?.[index]),
});

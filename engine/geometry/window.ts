/**
 * The window w of f(x) = Σ w(g⁻¹x)·I(M g⁻¹x) / Σ w(g⁻¹x): which elements are mixed at a point of
 * the fundamental domain, and how much each weighs. f is exactly symmetric for any w; the window
 * decides how it looks.
 *
 * Every weight has one form, so that one kernel serves all methods:
 *     w = ramp(p₁)·ramp(p₂),  pᵢ = limitᵢ − |fᵢ(x)|,  ramp = smoothstep on [0, 1],
 * with affine functions fᵢ of the folded position x.
 */
import { numbersOf } from "../../shaders/lib/layout.ts";
import { ELEMENT } from "../../shaders/orbit.ts";
import type { Seam } from "../recipe/index.ts";
import type { Size } from "../size.ts";
import { type Affine, apply, compose, IDENTITY, invert, type Point } from "./affine.ts";
import { type AffineFunction, clip, type Domain, neighboursOf } from "./domain.ts";

export interface WindowFactor {
  readonly limit: number;
  readonly f: AffineFunction;
}

export interface WindowElement {
  /** From a point of D to where the source is sampled; both relative to c, in cell edges. */
  readonly element: Affine;
  readonly factors: readonly [WindowFactor, WindowFactor];
  /** All > 0 wherever in D it weighs anything. */
  readonly where: readonly AffineFunction[];
}

/** Elements of the largest window. */
export const MAX_ELEMENTS = 53;

/** Some of a window's elements: the sum of 2ⁿ over their indices n, exact because there are at most `MAX_ELEMENTS`. */
export type ElementSet = number;

/** The elements that may weigh anything in each square of a grid over D. Width and height are in squares. */
export interface SetGrid extends Size {
  readonly min: Point;
  /** Side of a square, in edges. */
  readonly side: number;
  /** Row by row. */
  readonly sets: ArrayLike<ElementSet>;
}

export interface Window {
  /** All elements that weigh anything somewhere in D; the identity first. */
  readonly elements: readonly WindowElement[];
  /** Which of them weigh anything where, if that is known better than by their `where`. */
  readonly grid?: SetGrid;
  /** Box of all places where the source may be sampled, relative to c, in cell edges. */
  readonly box: { readonly min: Point; readonly max: Point };
}

const ONE: WindowFactor = { limit: 1, f: { x: 0, y: 0, k: 0 } };
const identity: WindowElement = { element: IDENTITY, factors: [ONE, ONE], where: [] };

/** A width below this would make the ramps infinitely steep. */
const MIN_WIDTH = 1e-3;

/** The window of a seam method on a fundamental domain; of `cut` where there is nothing to cut. */
export function windowOf(domain: Domain, seam: Seam): Window {
  switch (seam.method) {
    case "fold":
    case "cut":
      return foldWindow(domain);
    case "blend":
      return blendWindow(domain, Math.max(seam.width, MIN_WIDTH));
    case "average": {
      const width = Math.max(seam.width, MIN_WIDTH);
      return domain.isometries.translates
        ? averageWindow(domain, width)
        : blendWindow(domain, width);
    }
  }
}

const foldWindow = ({ corners }: Domain): Window => ({
  elements: [identity],
  box: boxOf(corners),
});

/**
 * 1 in D, falling to 0 over a half-width beyond the edges that are not mirrors. The weight
 * depends on the excess q_g alone, scaled alike for all elements: an edge belongs to both its
 * sides with the same weights, and so does a corner to all its domains. (A scale of its own for
 * each element would be even across edges, but jump at corners.)
 */
function blendWindow(domain: Domain, width: number): Window {
  const nearest = domain.joined[0];
  if (nearest === undefined) return foldWindow(domain);
  // Behind the nearest neighbour's edge, the excess grows by twice its distance a unit.
  const reach = 2 * nearest.distance * (width / 2);
  const mixed = domain.joined
    .map(({ element, excess }) => {
      const f = { x: excess.x / reach, y: excess.y / reach, k: excess.k / reach };
      const near = { x: -excess.x, y: -excess.y, k: reach - excess.k };
      const factors = [{ limit: 1, f }, ONE] as const;
      return { element, factors, where: [near], soft: clip(domain.corners, near) };
    })
    .filter(({ soft }) => soft.length > 0);
  return {
    elements: [
      identity,
      ...mixed.map(({ element, factors, where }) => ({ element, factors, where })),
    ],
    box: boxOf([
      ...domain.corners,
      ...mixed.flatMap(({ element, soft }) => soft.map((p) => apply(element, p))),
    ]),
  };
}

/**
 * The same everywhere in the primitive cell about c, with soft edges: in each fractional
 * coordinate u, smoothstep(½ + (½ − |u|)/width). Its translates add up to 1.
 */
function averageWindow(domain: Domain, width: number): Window {
  const [a, b] = domain.isometries.basis;
  const toFractions = invert({ a: a.x, b: b.x, c: a.y, d: b.y, e: 0, f: 0 });
  const most = (1 + width) / 2;
  const cell = [
    [-most, -most],
    [most, -most],
    [most, most],
    [-most, most],
  ].map(([u, v]) => ({
    x: u * a.x + v * b.x,
    y: u * a.y + v * b.y,
  }));
  const radius = Math.max(...cell.map((p) => Math.hypot(p.x, p.y)));
  const extent = Math.max(...domain.corners.map((p) => Math.hypot(p.x, p.y)));
  const elements = [
    IDENTITY,
    ...neighboursOf(domain.isometries, domain.centre, radius + extent).map((n) => n.element),
  ].map((element): WindowElement => {
    const fractions = compose(toFractions, element);
    const factor = (x: number, y: number, k: number): WindowFactor => ({
      limit: 0.5 + 0.5 / width,
      f: { x: x / width, y: y / width, k: k / width },
    });
    const factors = [
      factor(fractions.a, fractions.b, fractions.e),
      factor(fractions.c, fractions.d, fractions.f),
    ] as const;
    return { element, factors, where: factors.flatMap(withinLimit) };
  });
  return {
    elements: elements.filter((e) => hasWeightIn(e, domain)),
    box: boxOf(cell),
  };
}

/** Returns the functions that are > 0 where a factor is. */
const withinLimit = ({ limit, f }: WindowFactor): AffineFunction[] => [
  { x: -f.x, y: -f.y, k: limit - f.k },
  { x: f.x, y: f.y, k: limit + f.k },
];

/** Whether an element's weight is positive anywhere in D. */
function hasWeightIn({ where }: WindowElement, domain: Domain): boolean {
  let polygon: readonly Point[] = domain.corners;
  for (const f of where) polygon = clip(polygon, f);
  return polygon.length > 0;
}

/** Returns the bounds of points with a margin around them. */
export function boxOf(points: readonly Point[], margin = 0) {
  const xs = points.map((p) => p.x);
  const ys = points.map((p) => p.y);
  return {
    min: { x: Math.min(...xs) - margin, y: Math.min(...ys) - margin },
    max: { x: Math.max(...xs) + margin, y: Math.max(...ys) + margin },
  };
}

/** Elements of a table, padded to one length, for which kernels are compiled. */
const TABLE_ELEMENTS = 64;

/** Returns the window as the orbit kernel reads it, its elements as maps from D to the source's pixels. */
export function elementTable(window: Window, toSource: Affine): Float32Array {
  return tableOf(window.elements, toSource);
}

/** Returns the table of a window that is open everywhere and has no element but the identity. */
export function singleElement(toSource: Affine): Float32Array {
  return tableOf([identity], toSource);
}

/** Returns the table of some elements of another table. */
export function partOfTable(table: Float32Array, indices: readonly number[]): Float32Array {
  const part = new Float32Array(table.length);
  for (const [to, from] of indices.entries()) {
    part.set(table.subarray(from * ELEMENT.size, (from + 1) * ELEMENT.size), to * ELEMENT.size);
  }
  return part;
}

/** Returns the map of an element of a table. */
export function mapInTable(table: Float32Array, index: number): Affine {
  // In the order of `ELEMENT`.
  const [a, b, e, c, d, f] = table.subarray(index * ELEMENT.size);
  return { a, b, c, d, e, f };
}

function tableOf(elements: readonly WindowElement[], toSource: Affine): Float32Array {
  const numbers = elements.flatMap(({ element, factors }) =>
    numbersOf(
      {
        ...compose(toSource, element),
        factors: factors.flatMap(({ limit, f }) => [limit, f.x, f.y, f.k]),
      },
      ELEMENT,
    ),
  );
  const table = new Float32Array(TABLE_ELEMENTS * ELEMENT.size);
  table.set(numbers);
  return table;
}

/**
 * Cuts a straight line of pixels where it crosses from one copy of the fundamental domain to the
 * next. Within a piece one element folds all pixels into D, so their folded positions lie on a
 * straight line too. All geometry is done here, a few operations a piece; kernels only sample.
 */
import { type Affine, apply, compose, linear, type Point, translation } from "./affine.ts";
import { type Domain, foldingElement, valueAt } from "./domain.ts";

/** Pixels 0…count−1 at the plane's points start + k·step. */
export interface Line {
  readonly start: Point;
  readonly step: Point;
  readonly count: number;
}

/** A part of a line, folded: pixel first + k lies at point + k·step of D, relative to c. */
export interface Piece {
  readonly first: number;
  readonly count: number;
  readonly point: Point;
  readonly step: Point;
  /** The element that folds it. */
  readonly element: Affine;
}

/** Pixels that lie on an edge by less than this belong to either side. */
const TOLERANCE = 1e-9;

/** Calls `emit` with the pieces of a line in order. */
export function unfold(domain: Domain, line: Line, emit: (piece: Piece) => void): void {
  const at = (k: number): Point => ({
    x: line.start.x + k * line.step.x,
    y: line.start.y + k * line.step.y,
  });
  const toCentre = translation(-domain.centre.x, -domain.centre.y);
  const fold = (k: number) => compose(toCentre, foldingElement(domain, at(k)));

  let first = 0;
  let element = fold(0);
  while (first < line.count) {
    let point = apply(element, at(first));
    if (domain.edges.some((edge) => valueAt(edge.excess, point) < -TOLERANCE)) {
      // Near a corner the neighbour behind the edge was not the right one.
      element = fold(first);
      point = apply(element, at(first));
    }
    const step = apply(linear(element), line.step);
    const { count, behind } = pixelsInside(domain, point, step, line.count - first);
    emit({ first, count, point, step, element });
    first += count;
    if (behind !== null) element = compose(behind, element);
  }
}

/** Returns how many pixels stay in D, and the element behind the edge through which they leave. */
function pixelsInside(domain: Domain, point: Point, step: Point, most: number) {
  let count = most;
  let behind: Affine | null = null;
  for (const edge of domain.edges) {
    const slope = edge.excess.x * step.x + edge.excess.y * step.y;
    if (slope >= 0) continue;
    const pixels = Math.floor((valueAt(edge.excess, point) + TOLERANCE) / -slope) + 1;
    if (pixels < count) {
      count = Math.max(pixels, 1);
      behind = edge.element;
    }
  }
  return { count, behind };
}

/**
 * Cuts a straight line of pixels where it crosses from one copy of the fundamental domain to the
 * next. Within a piece one element folds all pixels into D, so their folded positions lie on a
 * straight line too. All geometry is done here, a few operations a piece; kernels only sample.
 */
import { type Affine, apply, type Point, product, translation } from "./affine.ts";
import { type Domain, foldingElement, valueAt } from "./domain.ts";

/** Pixels 0…count−1 at the plane's points start + k·step. */
export interface Line {
  readonly start: Point;
  readonly step: Point;
  readonly count: number;
}

/** A part of a line, folded: pixel first + k lies at (x + k·stepX, y + k·stepY) of D, relative to c. */
export interface Piece extends Point {
  readonly first: number;
  readonly count: number;
  readonly stepX: number;
  readonly stepY: number;
  /** The element that folds it. */
  readonly element: Affine;
}

/** Pixels that lie on an edge by less than this belong to either side. */
const TOLERANCE = 1e-9;

/** Calls `emit` with the pieces of a line in order. */
export function unfold(domain: Domain, line: Line, emit: (piece: Piece) => void): void {
  const { start, step, count } = line;
  const { edges } = domain;
  const toCentre = translation(-domain.centre.x, -domain.centre.y);
  const at = (k: number): Point => ({ x: start.x + k * step.x, y: start.y + k * step.y });
  const fold = (k: number) => product(toCentre, foldingElement(domain, at(k)));
  /** Returns the rest of the line from a pixel on, as if the element folded all of it. */
  const restFrom = (first: number, element: Affine) => {
    const { x, y } = apply(element, at(first));
    const stepX = element.a * step.x + element.b * step.y;
    const stepY = element.c * step.x + element.d * step.y;
    return { first, count: count - first, x, y, stepX, stepY, element };
  };

  let first = 0;
  let element = fold(0);
  while (first < count) {
    let piece = restFrom(first, element);
    if (isOutside(domain, piece)) {
      // Near a corner the neighbour behind the edge was not the right one.
      piece = restFrom(first, fold(first));
    }
    // It ends where the line leaves D.
    let behind: Affine | null = null;
    for (let index = 0; index < edges.length; index++) {
      const { excess } = edges[index];
      const slope = excess.x * piece.stepX + excess.y * piece.stepY;
      if (slope >= 0) continue;
      const pixels = Math.floor((valueAt(excess, piece) + TOLERANCE) / -slope) + 1;
      if (pixels < piece.count) {
        piece.count = Math.max(pixels, 1);
        behind = edges[index].element;
      }
    }
    emit(piece);
    first += piece.count;
    element = behind === null ? piece.element : product(behind, piece.element);
  }
}

function isOutside({ edges }: Domain, point: Point): boolean {
  for (let index = 0; index < edges.length; index++) {
    if (valueAt(edges[index].excess, point) < -TOLERANCE) return true;
  }
  return false;
}

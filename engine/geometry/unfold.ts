/**
 * Cuts a straight line of pixels where it crosses from one copy of the fundamental domain to the
 * next. Within a piece one element folds all pixels into D, so their folded positions lie on a
 * straight line too. All geometry is done here, a few operations a piece; kernels only sample.
 */
import { type Affine, type Point, product, translation } from "./affine.ts";
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

type Changing<Fields> = { -readonly [Name in keyof Fields]: Fields[Name] };

/** Pixels that lie on an edge by less than this belong to either side. */
const TOLERANCE = 1e-9;

/**
 * Calls `emit` with the pieces of a line in order. All of a line are one object, with one element, that changes: a
 * sheet has millions of them.
 */
export function unfold(domain: Domain, line: Line, emit: (piece: Piece) => void): void {
  const { start, step, count } = line;
  const { edges } = domain;
  const toCentre = translation(-domain.centre.x, -domain.centre.y);
  const fold = (k: number): Affine =>
    product(toCentre, foldingElement(domain, { x: start.x + k * step.x, y: start.y + k * step.y }));

  const element = { ...fold(0) };
  const piece = { first: 0, count, x: 0, y: 0, stepX: 0, stepY: 0, element };
  while (piece.first < count) {
    foldFrom(piece, line);
    if (isOutside(domain, piece)) {
      // Near a corner the neighbour behind the edge was not the right one.
      Object.assign(element, fold(piece.first));
      foldFrom(piece, line);
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
    piece.first += piece.count;
    if (behind !== null) addElement(element, behind);
  }
}

/** Makes a piece the rest of a line from its first pixel on, as if its element folded all of it. */
function foldFrom(piece: Changing<Piece>, { start, step, count }: Line): void {
  const { first, element } = piece;
  const x = start.x + first * step.x;
  const y = start.y + first * step.y;
  piece.count = count - first;
  piece.x = element.a * x + element.b * y + element.e;
  piece.y = element.c * x + element.d * y + element.f;
  piece.stepX = element.a * step.x + element.b * step.y;
  piece.stepY = element.c * step.x + element.d * step.y;
}

/** Makes an element its composition with one that comes after it. */
function addElement(element: Changing<Affine>, after: Affine): void {
  const { a, b, c, d, e, f } = element;
  element.a = after.a * a + after.b * c;
  element.b = after.a * b + after.b * d;
  element.c = after.c * a + after.d * c;
  element.d = after.c * b + after.d * d;
  element.e = after.a * e + after.b * f + after.e;
  element.f = after.c * e + after.d * f + after.f;
}

function isOutside({ edges }: Domain, point: Point): boolean {
  for (let index = 0; index < edges.length; index++) {
    if (valueAt(edges[index].excess, point) < -TOLERANCE) return true;
  }
  return false;
}

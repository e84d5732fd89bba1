/**
 * Cuts a straight line of pixels where it crosses from one copy of the fundamental domain to the
 * next. Within a piece one element folds all pixels into D, so their folded positions lie on a
 * straight line too, and the seam's soft zone is one stretch at each end. All geometry is done
 * here, a few operations a piece; kernels only sample.
 */
import { type Affine, apply, compose, linear, type Point, translation } from "./affine.ts";
import { type AffineFunction, type Domain, foldingElement, valueAt } from "./domain.ts";

/** Pixels 0…count−1 at the plane's points start + k·step. */
export interface Line {
  readonly start: Point;
  readonly step: Point;
  readonly count: number;
}

/** A stretch of a line, folded: pixel first + k lies at point + k·step of D, relative to c. */
export interface Piece {
  readonly first: number;
  readonly count: number;
  readonly point: Point;
  readonly step: Point;
  /** Whether any other copy of the picture may be mixed in here. */
  readonly seam: boolean;
}

/** Pixels that lie on an edge by less than this belong to either side. */
const TOLERANCE = 1e-9;

/**
 * Calls `emit` with the pieces of a line in order.
 * @param inside functions that are all ≥ 0 where nothing is mixed in; null when mixing is everywhere
 */
export function unfold(
  domain: Domain,
  line: Line,
  inside: readonly AffineFunction[] | null,
  emit: (piece: Piece) => void,
): void {
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
    emitStretches({ first, count, point, step }, inside, emit);
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

function emitStretches(
  { first, count, point, step }: Omit<Piece, "seam">,
  inside: readonly AffineFunction[] | null,
  emit: (piece: Piece) => void,
): void {
  const stretch = (from: number, to: number, seam: boolean) => {
    if (from >= to) return;
    const start = { x: point.x + from * step.x, y: point.y + from * step.y };
    emit({ first: first + from, count: to - from, point: start, step, seam });
  };
  // The inside is convex: from…to is the one stretch where no function is negative.
  let from = 0;
  let to = inside === null ? 0 : count;
  for (const f of inside ?? []) {
    const value = valueAt(f, point);
    const slope = f.x * step.x + f.y * step.y;
    if (slope > 0) from = Math.max(from, Math.ceil(-value / slope));
    else if (slope < 0) to = Math.min(to, Math.floor(value / -slope) + 1);
    else if (value < 0) to = 0;
  }
  if (from >= to) from = to = count;
  stretch(0, from, true);
  stretch(from, to, false);
  stretch(to, count, true);
}

/** How a source picture lies on the plane: which of its pixels a point of the domain shows. */
import {
  type Affine,
  apply,
  compose,
  type Point,
  rotation,
  scaling,
  translation,
} from "../geometry/affine.ts";
import type { Motif } from "../recipe.ts";

interface Size {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** In edges. */
export interface Bounds {
  readonly min: Point;
  readonly max: Point;
}

/** A rectangle of the source, in its pixels, and the pixels it is resampled to. */
export interface Cut {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly outWidth: number;
  readonly outHeight: number;
}

/** A picture this small at the scale of the job is kept whole: other motifs can use it too. */
const WHOLE_PIXELS = 4_000_000;
/** More than this is not kept in linear light (192 MB); the source is then taken coarser. */
const MOST_PIXELS = 16_000_000;

/**
 * From points of a shape (a fundamental domain, a tile), relative to its centre and in edges, to
 * source pixels. At scale 1 the box around the shape, centred on its centre, just fits into the
 * picture.
 * @param corners of the shape, relative to its centre
 */
export function placeMotif(corners: readonly Point[], motif: Motif, source: Size): Affine {
  const halfWidth = Math.max(...corners.map((p) => Math.abs(p.x)));
  const halfHeight = Math.max(...corners.map((p) => Math.abs(p.y)));
  const perEdge = Math.min(source.width / halfWidth, source.height / halfHeight) / 2 / motif.scale;
  return compose(
    translation(motif.x * source.width, motif.y * source.height),
    rotation(-motif.rotation),
    scaling(perEdge, perEdge),
  );
}

/**
 * The part of the source that is needed, at the scale at which it is needed: the elements of a
 * group are isometries, so one prefilter fits all of them. The scale goes in steps of 2^¼ so that
 * renders of nearly the same size share a cut; bilinear sampling bridges less than a step.
 * @param box that is sampled, relative to the shape's centre
 * @param edgesPerPixel edges from one output pixel to the next
 */
export function cutFor(box: Bounds, toSource: Affine, source: Size, edgesPerPixel: number): Cut {
  const perPixel = Math.hypot(toSource.a, toSource.c) * edgesPerPixel;
  let step = stepFor(perPixel);
  const looked = boxInSource(box, toSource, step);
  const whole = withMargins(source, looked);
  const keepWhole = step >= 1 && (whole.width / step) * (whole.height / step) <= WHOLE_PIXELS;
  const part = keepWhole ? whole : looked;
  // An enlarged source needs no more pixels than are looked at closely.
  const most = step < 1 ? WHOLE_PIXELS : MOST_PIXELS;
  step = Math.max(step, Math.sqrt((part.width * part.height) / most));
  return {
    ...part,
    outWidth: Math.max(1, Math.round(part.width / step)),
    outHeight: Math.max(1, Math.round(part.height / step)),
  };
}

/**
 * The whole source, and where a box reaches beyond it a margin of its copies, in steps of an eighth
 * of the source so that other motifs find it already made.
 */
function withMargins(source: Size, box: Pick<Cut, "x" | "y" | "width" | "height">) {
  const across = marginsOf(source.width, box.x, box.x + box.width);
  const down = marginsOf(source.height, box.y, box.y + box.height);
  return {
    x: -across.before,
    y: -down.before,
    width: source.width + across.before + across.after,
    height: source.height + down.before + down.after,
  };
}

function marginsOf(size: number, from: number, to: number) {
  const step = Math.ceil(size / 8);
  const steps = (pixels: number) => Math.max(0, Math.ceil(pixels / step)) * step;
  return { before: steps(-from), after: steps(to - size) };
}

/** Source pixels to one pixel of the cut, for so many to one output pixel. */
function stepFor(perPixel: number): number {
  const quarters = 4 * Math.log2(perPixel);
  if (quarters > 0) return 2 ** (Math.floor(quarters) / 4);
  // Up to twice its size a picture is enlarged by bilinear sampling alone.
  return quarters >= -4 ? 1 : 2 ** (Math.ceil(quarters) / 4);
}

/**
 * The part of the source that is sampled, with a margin of two pixels of the cut for
 * filtering; on whole source pixels where it is not enlarged.
 */
function boxInSource(box: Bounds, toSource: Affine, step: number) {
  const corners = [
    box.min,
    { x: box.max.x, y: box.min.y },
    box.max,
    { x: box.min.x, y: box.max.y },
  ];
  const points = corners.map((p) => apply(toSource, p));
  const margin = 2 * step;
  const grid = Math.min(step, 1);
  const least = (values: number[]) => Math.floor((Math.min(...values) - margin) / grid) * grid;
  const most = (values: number[]) => Math.ceil((Math.max(...values) + margin) / grid) * grid;
  const [xs, ys] = [points.map((p) => p.x), points.map((p) => p.y)];
  const [x, y] = [least(xs), least(ys)];
  return { x, y, width: most(xs) - x, height: most(ys) - y };
}

/** From source pixels to pixel indices of a cut: the centre of its first pixel is (0, 0). */
export function toCut({ x, y, width, height, outWidth, outHeight }: Cut): Affine {
  return compose(
    translation(-0.5, -0.5),
    scaling(outWidth / width, outHeight / height),
    translation(-x, -y),
  );
}

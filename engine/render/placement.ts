/** Places the source on the plane: which of its pixels each point of the domain shows. */

import {
  type Affine,
  apply,
  compose,
  type Point,
  rotation,
  scaling,
  translation,
} from "../geometry/affine.ts";
import type { Motif } from "../recipe/index.ts";
import type { Size } from "../size.ts";

/** In edges. */
export interface Bounds {
  readonly min: Point;
  readonly max: Point;
}

/** A rectangle of the source, in its pixels, and the pixels it is resampled to. */
export interface Cut extends Size {
  readonly x: number;
  readonly y: number;
  readonly outWidth: number;
  readonly outHeight: number;
}

/** Sources this small at the render's scale are kept whole, so that other motifs can share the cut. */
const WHOLE_PIXELS = 4_000_000;
/** Most pixels of a cut in linear light (192 MB); larger cuts are made coarser. */
const MAX_PIXELS = 16_000_000;

/**
 * Returns the map from a shape's frame (a fundamental domain or a tile), in edges from its centre, to
 * source pixels. At scale 1 the box centred on the shape just fits into the picture.
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
 * Returns the cut of the source that a render needs, at its scale. A group's elements are isometries,
 * so one prefilter fits all of them. Scales are quantised to steps of 2^¼ so that renders of similar
 * size share a cut; bilinear sampling bridges less than a step.
 * @param box to be sampled, relative to the shape's centre
 * @param edgesPerPixel edges from one output pixel to the next
 */
export function cutFor(box: Bounds, toSource: Affine, source: Size, edgesPerPixel: number): Cut {
  const perPixel = Math.hypot(toSource.a, toSource.c) * edgesPerPixel;
  let step = stepFor(perPixel);
  const sampledBox = boxInSource(box, toSource, step);
  const whole = withMargins(source, sampledBox);
  const keepWhole = step >= 1 && (whole.width / step) * (whole.height / step) <= WHOLE_PIXELS;
  const part = keepWhole ? whole : sampledBox;
  // Enlarging adds no detail, so an enlarged cut is kept small.
  const most = step < 1 ? WHOLE_PIXELS : MAX_PIXELS;
  step = Math.max(step, Math.sqrt((part.width * part.height) / most));
  return {
    ...part,
    outWidth: Math.max(1, Math.round(part.width / step)),
    outHeight: Math.max(1, Math.round(part.height / step)),
  };
}

/**
 * Returns the whole source with margins of its continuation if a box extends beyond it, in steps of an
 * eighth of the source so that other motifs share the cut.
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

/** Returns source pixels per cut pixel, given source pixels per output pixel. */
function stepFor(perPixel: number): number {
  const quarters = 4 * Math.log2(perPixel);
  if (quarters > 0) return 2 ** (Math.floor(quarters) / 4);
  // Up to a factor of 2, bilinear sampling alone enlarges.
  return quarters >= -4 ? 1 : 2 ** (Math.ceil(quarters) / 4);
}

/**
 * Returns the sampled rectangle of the source with a margin of two cut pixels for filtering, aligned to
 * source pixels unless it is enlarged.
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

/** Returns the map from source pixels to pixels of a cut, whose first pixel has its centre at (0, 0). */
export function toCut({ x, y, width, height, outWidth, outHeight }: Cut): Affine {
  return compose(
    translation(-0.5, -0.5),
    scaling(outWidth / width, outHeight / height),
    translation(-x, -y),
  );
}

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
import { boxOf } from "../geometry/window.ts";
import { MARGIN } from "../image/continued-part.ts";
import { type LevelPart, lastLevel, levelScale } from "../image/source-levels.ts";
import type { Motif } from "../recipe/index.ts";
import type { Size } from "../size.ts";

/** In edges. */
export interface Bounds {
  readonly min: Point;
  readonly max: Point;
}

/** What a render samples of a source: the outline's inside. */
export interface SampledPart extends LevelPart {
  /** Corners of a convex polygon in pixels of the level; only pixels inside and next to it are sampled. */
  readonly outline: readonly Point[];
  /** Pixels of the level from one sample to the next. */
  readonly pitch: number;
}

/**
 * Pixels of a level from one sample to the next, at most; with half an octave between levels at least 0.88. Interpolated over
 * 4 × 4 pixels, finer levels would alias and coarser ones lack detail (docs/adr/0059).
 */
const LARGEST_PITCH = 1.25;
/** Most pixels of a part (64 MB as light); larger ones are taken from a coarser level. */
const MAX_PIXELS = 8_000_000;

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
 * Returns the part of the source that a render needs: of the coarsest level with about the render's
 * resolution. A group's elements are isometries, so one level fits all of them.
 * @param box to be sampled, relative to the shape's centre
 * @param edgesPerPixel edges from one output pixel to the next
 */
export function sampledPart(
  box: Bounds,
  toSource: Affine,
  source: Size,
  edgesPerPixel: number,
): SampledPart {
  const perPixel = Math.hypot(toSource.a, toSource.c) * edgesPerPixel;
  const finest = Math.ceil(2 * Math.log2(perPixel / LARGEST_PITCH));
  for (let level = Math.max(0, Math.min(finest, lastLevel(source))); ; level++) {
    const part = boxInSource(box, toSource, levelScale(level));
    if (part.width * part.height <= MAX_PIXELS || level === lastLevel(source)) {
      return { level, ...part, pitch: perPixel / levelScale(level) };
    }
  }
}

/**
 * Returns the sampled rectangle with a margin for interpolation.
 * @param scale source pixels along a side of the level's pixels, in which the rectangle is returned
 */
function boxInSource(box: Bounds, toSource: Affine, scale: number) {
  const corners = [
    box.min,
    { x: box.max.x, y: box.min.y },
    box.max,
    { x: box.min.x, y: box.max.y },
  ];
  const outline = corners.map((p) => apply(compose(scaling(1 / scale, 1 / scale), toSource), p));
  const { min, max } = boxOf(outline);
  const [x, y] = [Math.floor(min.x) - MARGIN, Math.floor(min.y) - MARGIN];
  const [right, bottom] = [Math.ceil(max.x) + MARGIN, Math.ceil(max.y) + MARGIN];
  return { x, y, width: right - x, height: bottom - y, outline };
}

/** Returns the map from source pixels to pixels of a part, whose first pixel has its centre at (0, 0). */
export function toPixelsOf({ level, x, y }: SampledPart): Affine {
  return compose(
    translation(-x - 0.5, -y - 0.5),
    scaling(1 / levelScale(level), 1 / levelScale(level)),
  );
}

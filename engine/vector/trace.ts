/** Traces the outlines of a bitmap along the edges of its pixels. */
import type { Point } from "../geometry/affine.ts";
import type { Size } from "../size.ts";

/** 1 for each pixel of a shape, 0 elsewhere, row by row. What lies outside is 0. */
export interface Bitmap extends Size {
  readonly pixels: Uint8Array;
}

/** Right, down, left, up. A turn to the right is the next one. */
const STEPS = [
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: -1, y: 0 },
  { x: 0, y: -1 },
] as const;

/** For each step from a corner, the pixel on its right, relative to the one that is below right of the corner. */
const RIGHT_OF = [
  { x: 0, y: 0 },
  { x: -1, y: 0 },
  { x: -1, y: -1 },
  { x: 0, y: -1 },
] as const;

/** Returns the length of all outlines of a bitmap in pixel edges. */
export function outlineLength({ width, pixels }: Bitmap): number {
  let sides = 0;
  for (let at = 0; at < pixels.length; at++) {
    const isFirst = at % width === 0;
    // Each edge is counted where its pixel or its neighbour is set, but not both.
    if (pixels[at] !== (isFirst ? 0 : pixels[at - 1])) sides++;
    if (isFirst && at > 0 && pixels[at - 1] === 1) sides++;
    if (pixels[at] !== (at < width ? 0 : pixels[at - width])) sides++;
    if (at >= pixels.length - width && pixels[at] === 1) sides++;
  }
  return sides + (pixels.at(-1) ?? 0);
}

/**
 * Yields the outlines of a bitmap, those of holes included, as the middles of their pixel edges in order. Pixels that
 * touch at a corner belong together.
 */
export function* traceOutlines({ width, height, pixels }: Bitmap): Generator<Point[]> {
  const isSet = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < width && y < height && pixels[y * width + x] === 1;
  const isRightSet = (x: number, y: number, direction: number) =>
    isSet(x + RIGHT_OF[direction].x, y + RIGHT_OF[direction].y);
  /** Upper edges that belong to an outline. Each outline has one, as its shape lies on its right. */
  const traced = new Uint8Array(pixels.length);
  for (let at = 0; at < pixels.length; at++) {
    if (pixels[at] === 0 || traced[at] === 1 || (at >= width && pixels[at - width] === 1)) continue;
    const start = { x: at % width, y: Math.floor(at / width) };
    const outline: Point[] = [];
    let { x, y } = start;
    let direction = 0;
    do {
      if (direction === 0) traced[y * width + x] = 1;
      const step = STEPS[direction];
      outline.push({ x: x + step.x / 2, y: y + step.y / 2 });
      x += step.x;
      y += step.y;
      const left = (direction + 3) & 3;
      if (isRightSet(x, y, left)) direction = left;
      else if (!isRightSet(x, y, direction)) direction = (direction + 1) & 3;
    } while (x !== start.x || y !== start.y || direction !== 0);
    yield outline;
  }
}

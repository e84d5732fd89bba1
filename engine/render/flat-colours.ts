/** Flat colours of aperiodic tiles. */
import { type Affine, apply, determinant, type Point, rotation } from "../geometry/affine.ts";
import { linearChannel, packLight } from "../image/packed.ts";
import { contains } from "../tilings/polygon.ts";
import type { RenderContext } from "./context.ts";
import type { Fill } from "./fill.ts";
import { inChunks } from "./in-chunks.ts";
import type { FlatColour } from "./mosaic.ts";

/** Most points whose mean is a tile's colour. */
const POINTS = 2 ** 14;

/** Share of the shape's size that is averaged for one orientation. */
const SHARE = 0.35;

/**
 * Returns a function that resolves with a tile's colour.
 * @param varied whether it is the mean of the fill on the side that the tile points to, so that tiles of one
 *   kind differ by orientation; otherwise it is the mean of the whole fill
 */
export function createFlatColours(context: RenderContext, fill: Fill, varied: boolean) {
  const known = new Map<string, FlatColour>();
  return async (
    corners: readonly Point[],
    kind: number,
    placement: Affine,
  ): Promise<FlatColour> => {
    const degrees = (Math.atan2(placement.c, placement.a) * 180) / Math.PI;
    const mirrored = determinant(placement) < 0;
    const key = varied ? [kind, Math.round(degrees * 1000), mirrored].join() : String(kind);
    const points = varied ? pointsBeside(corners, degrees, mirrored) : pointsWithin(corners);
    const colour = known.get(key) ?? (await meanColour(context, fill, points));
    known.set(key, colour);
    return colour;
  };
}

/** Yields points of a square on the side of a shape that the tile points to. */
function* pointsBeside(
  corners: readonly Point[],
  degrees: number,
  mirrored: boolean,
): Generator<Point> {
  const reach = Math.min(extent(corners.map(({ x }) => x)), extent(corners.map(({ y }) => y)));
  const middle = (1 - SHARE) * reach * (mirrored ? 0.5 : 1);
  const turn = rotation(degrees);
  for (const { x, y } of grid()) {
    yield apply(turn, {
      x: middle + 2 * SHARE * reach * (x - 0.5),
      y: 2 * SHARE * reach * (y - 0.5),
    });
  }
}

/** Yields points of a shape. */
function* pointsWithin(corners: readonly Point[]): Generator<Point> {
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top];
  for (const { x, y } of grid()) {
    const point = { x: left + x * width, y: top + y * height };
    if (contains(corners, point)) yield point;
  }
}

/** Yields the points of a square grid between 0 and 1. */
function* grid(): Generator<Point> {
  const side = Math.sqrt(POINTS);
  for (let k = 0; k < side * side; k++) {
    yield { x: ((k % side) + 0.5) / side, y: (Math.floor(k / side) + 0.5) / side };
  }
}

async function meanColour(
  context: RenderContext,
  fill: Fill,
  points: Iterable<Point>,
): Promise<FlatColour> {
  const placed = Array.from(points, (point) => apply(fill.place, point));
  const count = placed.length;
  const place = (x: Float32Array, y: Float32Array, first: number, length: number) => {
    for (let k = 0; k < length; k++) {
      x[k] = placed[first + k].x;
      y[k] = placed[first + k].y;
    }
  };
  const { colour, alpha } = await inChunks(context, count, place, fill.sample);
  const sums = [0, 0, 0];
  let opaque = 0;
  for (let k = 0; k < count; k++) {
    const weight = alpha === null ? 1 : alpha[k] / 255;
    opaque += weight;
    SHIFTS.forEach((shift, channel) => {
      sums[channel] += weight * linearChannel(colour[k], shift);
    });
  }
  const [red, green, blue] = sums.map((sum) => sum / Math.max(opaque, 1e-9));
  return { colour: packLight(red, green, blue), alpha: Math.round((255 * opaque) / count) };
}

const SHIFTS = [16, 8, 0] as const;

/** Returns how far a shape extends from its frame's origin. */
const extent = (values: readonly number[]) => Math.max(...values.map(Math.abs));

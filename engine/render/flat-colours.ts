/** Flat colours of aperiodic tiles, one for each class and orientation. */
import {
  type Affine,
  apply,
  compose,
  determinant,
  type Point,
  rotation,
} from "../geometry/affine.ts";
import { linearChannel, packLight } from "../image/packed.ts";
import type { RenderContext } from "./context.ts";
import type { Fill } from "./fill.ts";
import type { FlatColour } from "./mosaic.ts";

/** Share of the shape's size that is averaged. */
const SHARE = 0.35;

/**
 * Returns a function that resolves with a tile's colour: the mean of its fill on the side that the
 * tile points to, so that tiles of one class differ by orientation.
 */
export function createFlatColours(context: RenderContext, fill: Fill) {
  const known = new Map<string, FlatColour>();
  return async (
    corners: readonly Point[],
    kind: number,
    placement: Affine,
  ): Promise<FlatColour> => {
    const degrees = (Math.atan2(placement.c, placement.a) * 180) / Math.PI;
    const mirrored = determinant(placement) < 0;
    const key = [kind, Math.round(degrees * 1000), mirrored].join();
    const colour = known.get(key) ?? (await meanColour(context, fill, corners, degrees, mirrored));
    known.set(key, colour);
    return colour;
  };
}

async function meanColour(
  context: RenderContext,
  fill: Fill,
  corners: readonly Point[],
  degrees: number,
  mirrored: boolean,
): Promise<FlatColour> {
  const reach = Math.min(extent(corners.map(({ x }) => x)), extent(corners.map(({ y }) => y)));
  const middle = (1 - SHARE) * reach * (mirrored ? 0.5 : 1);
  const toFill = compose(fill.place, rotation(degrees));
  const { chunk } = context.runner;
  const side = Math.floor(Math.sqrt(chunk));
  const x = new Float32Array(chunk);
  const y = new Float32Array(chunk);
  for (let k = 0; k < side * side; k++) {
    const across = ((k % side) + 0.5) / side - 0.5;
    const down = (Math.floor(k / side) + 0.5) / side - 0.5;
    const point = apply(toFill, {
      x: middle + 2 * SHARE * reach * across,
      y: 2 * SHARE * reach * down,
    });
    x[k] = point.x;
    y[k] = point.y;
  }
  const { colour, alpha } = await fill.sample(x, y);
  const sums = [0, 0, 0];
  let opaque = 0;
  for (let k = 0; k < side * side; k++) {
    const weight = alpha === null ? 1 : alpha[k] / 255;
    opaque += weight;
    SHIFTS.forEach((shift, channel) => {
      sums[channel] += weight * linearChannel(colour[k], shift);
    });
  }
  const [red, green, blue] = sums.map((sum) => sum / Math.max(opaque, 1e-9));
  return { colour: packLight(red, green, blue), alpha: Math.round((255 * opaque) / side ** 2) };
}

const SHIFTS = [16, 8, 0] as const;

/** Returns how far a shape extends from its frame's origin. */
const extent = (values: readonly number[]) => Math.max(...values.map(Math.abs));

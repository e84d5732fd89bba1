/** Flat colours of aperiodic tiles. */
import type { PictureColour } from "../../shaders/effects/effect.ts";
import { linearFromOklab } from "../../shaders/lib/colour.ts";
import { type Affine, apply, determinant, type Point, rotation } from "../geometry/affine.ts";
import { boxOf } from "../geometry/window.ts";
import { linearChannel, packLight } from "../image/packed.ts";
import type { Samples } from "../image/samples.ts";
import type { Design, SourceBytes } from "../recipe/index.ts";
import { contains } from "../tilings/polygon.ts";
import type { RenderContext } from "./context.ts";
import type { Fill } from "./fill.ts";
import { inChunks } from "./in-chunks.ts";
import type { FlatColour } from "./mosaic.ts";
import { coloursOfDesign } from "./pattern-chain.ts";

/** Most points whose mean is a tile's colour. */
const POINTS = 2 ** 14;

/** Share of the shape's size that is averaged for one orientation. */
const SHARE = 0.35;

/**
 * Returns a function that resolves with a tile's colour.
 * @param shapes corners of the kinds of tiles
 * @param varied whether it is the mean of the fill on the side that the tile points to, so that tiles of one
 *   kind differ by orientation; otherwise it is a main colour of the design, another one for each kind
 */
export function createFlatColours(
  context: RenderContext,
  design: Design,
  source: SourceBytes,
  fill: Fill,
  shapes: readonly (readonly Point[])[],
  varied: boolean,
) {
  const known = new Map<string, FlatColour>();
  let main: readonly FlatColour[] | undefined;
  return async (kind: number, placement: Affine): Promise<FlatColour> => {
    if (!varied) {
      main ??= mainColours(
        await coloursOfDesign(context, design, source),
        await meanColour(context, fill, shapes[0]),
        shapes.length,
      );
      return main[kind];
    }
    const degrees = (Math.atan2(placement.c, placement.a) * 180) / Math.PI;
    const mirrored = determinant(placement) < 0;
    const key = [kind, Math.round(degrees * 1000), mirrored].join();
    const colour =
      known.get(key) ??
      meanOf(await samplesAt(context, fill, pointsBeside(shapes[kind], degrees, mirrored)));
    known.set(key, colour);
    return colour;
  };
}

/** Resolves with the mean colour of a fill in a shape. */
export const meanColour = async (
  context: RenderContext,
  fill: Fill,
  corners: readonly Point[],
): Promise<FlatColour> => meanOf(await samplesAt(context, fill, pointsWithin(corners)));

/**
 * Returns `count` colours: that which the picture shows most of and most colourfully, then those
 * unlike the ones before. A mean of many hues would be grey.
 * @param mean of the fill: all are as opaque, and have its colour if nothing else is visible
 */
function mainColours(
  colours: readonly PictureColour[],
  { colour, alpha }: FlatColour,
  count: number,
): readonly FlatColour[] {
  const chosen: Lab[] = [];
  for (let kind = 0; kind < count; kind++) {
    let best = 0;
    let next = chosen.at(-1);
    for (const { colour: one, share } of colours) {
      const unlike = Math.min(FAR, ...chosen.map((other) => distance(one, other)));
      const worth = Math.sqrt(share) * (GREY + distance(one, [one[0], 0, 0])) * unlike;
      if (worth > best) [best, next] = [worth, one];
    }
    if (next !== undefined) chosen.push(next);
  }
  return Array.from({ length: count }, (_, kind) => {
    const lab = chosen.at(kind);
    return { colour: lab === undefined ? colour : packLight(...linearFromOklab(lab)), alpha };
  });
}

/** Distance in OKLab from which colours count as unlike, and the worth of grey beside chroma. */
const FAR = 0.3;
const GREY = 0.04;

type Lab = PictureColour["colour"];

const distance = (one: Lab, other: Lab) =>
  Math.sqrt(one.reduce((sum, value, k) => sum + (value - other[k]) ** 2, 0));

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
  const { min, max } = boxOf(corners);
  for (const { x, y } of grid()) {
    const point = { x: min.x + x * (max.x - min.x), y: min.y + y * (max.y - min.y) };
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

/** Samples a fill at points of shapes' frames. */
function samplesAt(context: RenderContext, fill: Fill, points: Iterable<Point>): Promise<Samples> {
  const placed = Array.from(points, (point) => apply(fill.place, point));
  const place = (x: Float32Array, y: Float32Array, first: number, length: number) => {
    for (let k = 0; k < length; k++) {
      x[k] = placed[first + k].x;
      y[k] = placed[first + k].y;
    }
  };
  return inChunks(context, placed.length, place, fill.sample);
}

function meanOf({ colour, alpha }: Samples): FlatColour {
  const count = colour.length;
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

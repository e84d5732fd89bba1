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

const GRID_SIDE = 128;
/** Most points whose mean is a tile's colour. */
const POINTS = GRID_SIDE ** 2;

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

/** Points of a shape, in two arrays: thousands of objects would be garbage. */
class Points {
  readonly x = new Float64Array(POINTS);
  readonly y = new Float64Array(POINTS);
  count = 0;

  add({ x, y }: Point): void {
    this.x[this.count] = x;
    this.y[this.count++] = y;
  }
}

/** Returns points of a square on the side of a shape that the tile points to. */
function pointsBeside(corners: readonly Point[], degrees: number, mirrored: boolean): Points {
  const reach = Math.min(extent(corners.map(({ x }) => x)), extent(corners.map(({ y }) => y)));
  const middle = (1 - SHARE) * reach * (mirrored ? 0.5 : 1);
  const turn = rotation(degrees);
  const points = new Points();
  for (let k = 0; k < POINTS; k++) {
    const { x, y } = gridPoint(k);
    const beside = {
      x: middle + 2 * SHARE * reach * (x - 0.5),
      y: 2 * SHARE * reach * (y - 0.5),
    };
    points.add(apply(turn, beside));
  }
  return points;
}

/** Returns points inside a shape. */
function pointsWithin(corners: readonly Point[]): Points {
  const { min, max } = boxOf(corners);
  const points = new Points();
  for (let k = 0; k < POINTS; k++) {
    const { x, y } = gridPoint(k);
    const point = { x: min.x + x * (max.x - min.x), y: min.y + y * (max.y - min.y) };
    if (contains(corners, point)) points.add(point);
  }
  return points;
}

/** Returns one of the points of a square grid between 0 and 1. */
const gridPoint = (k: number): Point => ({
  x: ((k % GRID_SIDE) + 0.5) / GRID_SIDE,
  y: (Math.floor(k / GRID_SIDE) + 0.5) / GRID_SIDE,
});

/** Samples a fill at points of shapes' frames. */
function samplesAt(context: RenderContext, fill: Fill, points: Points): Promise<Samples> {
  const place = (x: Float32Array, y: Float32Array, first: number, length: number) => {
    for (let k = 0; k < length; k++) {
      const point = { x: points.x[first + k], y: points.y[first + k] };
      const placed = apply(fill.place, point);
      x[k] = placed.x;
      y[k] = placed.y;
    }
  };
  return inChunks(context, points.count, place, fill.sample);
}

function meanOf({ colour, alpha }: Samples): FlatColour {
  const count = colour.length;
  let [red, green, blue, opaque] = [0, 0, 0, 0];
  for (let k = 0; k < count; k++) {
    const weight = alpha === null ? 1 : alpha[k] / 255;
    opaque += weight;
    red += weight * linearChannel(colour[k], 16);
    green += weight * linearChannel(colour[k], 8);
    blue += weight * linearChannel(colour[k], 0);
  }
  const total = Math.max(opaque, 1e-9);
  return {
    colour: packLight(red / total, green / total, blue / total),
    alpha: Math.round((255 * opaque) / count),
  };
}

/** Returns how far a shape extends from its frame's origin. */
const extent = (values: readonly number[]) => Math.max(...values.map(Math.abs));

/** How tiles of one kind differ in what they show of the source: by their places in the tiling. */
import { randomSequence } from "../../shaders/lib/random.ts";
import {
  type Affine,
  apply,
  IDENTITY,
  type Point,
  rotation,
  translation,
} from "../geometry/affine.ts";
import { boxOf } from "../geometry/window.ts";
import type { Aperiodic, Motif } from "../recipe/index.ts";
import type { Size } from "../size.ts";
import { type Bounds, placeMotif } from "./placement.ts";

/** Where tiles show other parts, these have half the side of what tiles show otherwise. */
const ENLARGED = 2;

/** The most parts whose area the box around all of them has, if it is computed as a whole. */
export const WHOLE_PARTS = 8;

/** What tiles show of the source. */
export interface TileView {
  readonly variation: NonNullable<Aperiodic["variation"]>;
  readonly seed: number;
  /** Edges by which they show more than their shapes. */
  readonly reach: number;
}

export interface PlacedShapes {
  /** Map from a shape's frame to source pixels. */
  readonly toSource: Affine;
  /** What the tiles show, in their frames as `vary` has moved them. */
  readonly box: Bounds;
  /** Returns the motion of a shape's frame for a tile with this placement. */
  vary(placement: Affine): Affine;
}

/**
 * Places the source in shapes, as `placeMotif` does; parts are of all of the source, wherever the motif is.
 * @param corners of all shapes, each in its own frame, in edges of a tile
 * @param most square edges that the box of parts may have, if it is computed as a whole; else infinite
 */
export function placeShapes(
  { variation, seed, reach }: TileView,
  corners: readonly Point[],
  motif: Motif,
  source: Size,
  most: number,
): PlacedShapes {
  // Pixels on the edge lie half outside.
  const margin = 0.02 + reach;
  if (variation === "none") {
    const toSource = placeMotif(corners, motif, source);
    return { toSource, box: boxOf(corners, margin), vary: () => IDENTITY };
  }
  const radius = Math.max(...corners.map(({ x, y }) => Math.hypot(x, y)));
  if (variation === "turns") {
    const box = boxOf(squareAround(radius, radius), margin);
    const vary = (placement: Affine) => rotation(360 * randomAt(placement, seed)());
    return { toSource: placeMotif(corners, motif, source), box, vary };
  }
  const enlarged = { ...motif, x: 0.5, y: 0.5, scale: ENLARGED * motif.scale };
  const toSource = placeMotif(corners, enlarged, source);
  const perEdge = Math.hypot(toSource.a, toSource.c);
  const room = (side: number) => Math.max(0, side / 2 / perEdge - radius);
  const turn = rotation(motif.rotation);
  const all = { x: room(source.width), y: room(source.height) };
  const share = shareWithin(most, turn, all, radius + margin);
  const free = { x: share * all.x, y: share * all.y };
  const moved = squareAround(free.x, free.y).map((corner) => apply(turn, corner));
  const around = squareAround(radius, radius);
  const outline = moved.flatMap((middle) =>
    around.map(({ x, y }) => ({ x: middle.x + x, y: middle.y + y })),
  );
  return {
    toSource,
    box: boxOf(outline, margin),
    vary(placement) {
      const random = randomAt(placement, seed);
      const [x, y] = [2 * random() - 1, 2 * random() - 1];
      const middle = apply(turn, { x: free.x * x, y: free.y * y });
      return translation(middle.x, middle.y);
    },
  };
}

/**
 * Returns the share of the ways from the source's centre that parts can be moved, 0…1, so that the box
 * around them all is small enough.
 * @param reach of a part from its centre
 */
function shareWithin(most: number, turn: Affine, free: Point, reach: number): number {
  if (most === Number.POSITIVE_INFINITY) return 1;
  const room = Math.max(0, Math.min(most / 4, WHOLE_PARTS * reach * reach) - reach * reach);
  const x = Math.abs(turn.a) * free.x + Math.abs(turn.b) * free.y;
  const y = Math.abs(turn.c) * free.x + Math.abs(turn.d) * free.y;
  // Of (share · x + reach) · (share · y + reach) = room + reach².
  const half = reach * (x + y);
  const root = Math.sqrt(half * half + 4 * x * y * room);
  return Math.min((2 * room) / Math.max(half + root, 1e-9), 1);
}

const squareAround = (x: number, y: number): Point[] => [
  { x: -x, y: -y },
  { x, y: -y },
  { x, y },
  { x: -x, y },
];

/** Steps of an edge to which places are rounded: no two tiles are as close as one of them. */
const STEPS = 16;

/** Moves places of tiles, which are sums of square roots, away from where they are rounded. */
const SHIFT = 0.3137;

/** Returns random numbers that depend on a tile's place alone, however it was computed. */
function randomAt({ e, f }: Affine, seed: number) {
  const step = (value: number) => Math.floor(STEPS * value + SHIFT);
  return randomSequence(step(e) * 2 ** 26 + step(f), seed);
}

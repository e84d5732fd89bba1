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

/** Where tiles show other parts, these are half as large as the largest that fits into the source. */
const ENLARGED = 2;

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
 * Places the source in shapes, as `placeMotif` does.
 * @param corners of all shapes, each in its own frame, in edges of a tile
 */
export function placeShapes(
  { variation, seed, reach }: TileView,
  corners: readonly Point[],
  motif: Motif,
  source: Size,
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
  const toSource = placeMotif(corners, { ...motif, scale: ENLARGED * motif.scale }, source);
  const perEdge = Math.hypot(toSource.a, toSource.c);
  const room = (side: number) => Math.max(0, side / 2 / perEdge - radius);
  const free = { x: room(source.width), y: room(source.height) };
  const turn = rotation(motif.rotation);
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

const squareAround = (x: number, y: number): Point[] => [
  { x: -x, y: -y },
  { x, y: -y },
  { x, y },
  { x: -x, y },
];

/** Steps of an edge in which places are told apart; no tiles are closer. */
const STEPS = 16;

/** Moves places of tiles, which are sums of square roots, away from where they are rounded. */
const SHIFT = 0.3137;

/** Returns random numbers that depend on a tile's place alone, however it was computed. */
function randomAt({ e, f }: Affine, seed: number) {
  const step = (value: number) => Math.floor(STEPS * value + SHIFT);
  return randomSequence(step(e) * 2 ** 26 + step(f), seed);
}

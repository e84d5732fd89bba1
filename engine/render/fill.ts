/** The fill of an aperiodic sheet's tiles: the source placed in their shapes. */

import {
  type Affine,
  compose,
  IDENTITY,
  type Point,
  scaling,
  translation,
} from "../geometry/affine.ts";
import type { Design, SourceBytes } from "../recipe/index.ts";
import type { RenderContext } from "./context.ts";
import { inChunks, type Sampler } from "./in-chunks.ts";
import {
  applyPointwise,
  applyToPeriod,
  chainOf,
  type PatternChain,
  rectangularPeriod,
} from "./pattern-chain.ts";
import { type Bounds, sampledPart, toPixelsOf } from "./placement.ts";
import { sampleAt } from "./sample.ts";
import type { BoundSource } from "./sources.ts";
import { bindTexture } from "./texture.ts";
import { type PlacedShapes, placeShapes, type TileView } from "./tile-variation.ts";

export interface Fill extends Pick<PlacedShapes, "vary"> {
  /** Map from a shape's frame, moved by `vary`, to the positions that `sample` takes. */
  readonly place: Affine;
  readonly sample: Sampler;
  /** Whether all samples are opaque, and so have no alpha. */
  readonly opaque: boolean;
  /** Releases device memory. */
  end?(): void;
}

/** Most pixels of a fill with effects that need a period. */
export const MAX_TEXTURE_PIXELS = 4_000_000;

/**
 * Places the source, with a pattern's effects, in shapes: at scale 1 the box around all of them, with
 * their frames' origins coinciding, just fits into the source. One fill for all shapes has one scale
 * and one part of the source. Rejects with `SourceUnreadable`, `SourceTooLarge` or `LevelMissing`.
 * @param corners of all shapes, each in its own frame, in edges of a tile
 * @param edgesPerPixel edges from one output pixel to the next
 */
export async function fillOf(
  context: RenderContext,
  design: Design,
  source: SourceBytes,
  corners: readonly Point[],
  edgesPerPixel: number,
  shown: TileView,
): Promise<Fill> {
  const levels = await context.codec.levels(source);
  const chain = await chainOf(context, design, source);
  const isWhole = chain.onPeriod.length > 0;
  const most = isWhole ? MAX_TEXTURE_PIXELS * edgesPerPixel ** 2 : Number.POSITIVE_INFINITY;
  const { toSource, box, vary } = placeShapes(shown, corners, design.motif, levels, most);
  const part = sampledPart(box, toSource, levels, edgesPerPixel);
  const { sampling } = design.motif;
  const bound = context.sources.bind(source, levels, part, sampling);
  bound.blocks?.addWithin(part.outline);
  await bound.prepare(context.checkpoint);
  const plain = plainFill(context, chain, bound, compose(toPixelsOf(part), toSource));
  return isWhole
    ? { ...(await texturedFill(context, chain, plain, box, edgesPerPixel)), vary }
    : { ...plain, vary };
}

type Unvaried = Omit<Fill, "vary">;

/** Samples the source with pointwise effects. */
function plainFill(
  context: RenderContext,
  chain: PatternChain,
  bound: BoundSource,
  toPixels: Affine,
): Unvaried {
  return {
    place: IDENTITY,
    sample: async (x, y) =>
      applyPointwise(context, chain.pointwise, await sampleAt(bound, toPixels, x, y)),
    opaque: bound.alpha === null,
  };
}

/** Samples a texture to which the effects on a period have been applied. */
async function texturedFill(
  context: RenderContext,
  chain: PatternChain,
  plain: Unvaried,
  { min, max }: Bounds,
  edgesPerPixel: number,
): Promise<Unvaried> {
  const across = max.x - min.x;
  const down = max.y - min.y;
  const perEdge = Math.min(1 / edgesPerPixel, Math.sqrt(MAX_TEXTURE_PIXELS / (across * down)));
  const width = Math.max(4, Math.ceil(across * perEdge));
  const height = Math.max(4, Math.ceil(down * perEdge));
  const toPlane = compose(translation(min.x, min.y), scaling(across / width, down / height));
  const place = (x: Float32Array, y: Float32Array, first: number, count: number) => {
    for (let k = 0; k < count; k++) {
      x[k] = toPlane.a * (((first + k) % width) + 0.5) + toPlane.e;
      y[k] = toPlane.d * (Math.floor((first + k) / width) + 0.5) + toPlane.f;
    }
  };
  const sampled = await inChunks(context, width * height, place, plain.sample);
  const period = rectangularPeriod({ ...sampled, width, height }, toPlane, across, down);
  const changed = await applyToPeriod(context, chain.onPeriod, period);
  const texture = bindTexture(context.runner, changed, width);
  return {
    place: compose(
      translation(-0.5, -0.5),
      scaling(width / across, height / down),
      translation(-min.x, -min.y),
    ),
    sample: texture.sample,
    opaque: changed.alpha === null,
    end: texture.release,
  };
}

/** What the tiles of an aperiodic sheet are filled with: the source, laid into a shape. */
import type { SourceBytes } from "../door.ts";
import {
  type Affine,
  compose,
  IDENTITY,
  type Point,
  scaling,
  translation,
} from "../geometry/affine.ts";
import type { Design } from "../recipe.ts";
import type { RenderContext } from "./context.ts";
import { changePeriod, type PatternChain, recolour } from "./pattern-chain.ts";
import { type Box, cutFor, placeMotif, toCut } from "./placement.ts";
import { type Samples, sampleAt } from "./sample.ts";
import type { BoundSource } from "./sources.ts";
import { bindTexture } from "./texture.ts";

export interface Fill {
  /** From the shape's frame to the positions that `sample` takes. */
  readonly place: Affine;
  /** As many colours as there are positions: a kernel's call, always of one size. */
  sample(x: Float32Array, y: Float32Array): Promise<Samples>;
  /** Gives back what is held on the device. */
  end?(): void;
}

/** A picture with effects is kept with at most so many pixels. */
const MOST_TEXTURE_PIXELS = 4_000_000;

/**
 * The source with a pattern's effects, laid into shapes: at scale 1 the box around a shape,
 * centred on its frame's origin, just fits into the source. Throws `SourceUnreadable` or
 * `SourceTooLarge`.
 * @param shapes corners in edges of a tile
 * @param edgesPerPixel edges from one output pixel to the next
 */
export async function fillsOf(
  context: RenderContext,
  design: Design,
  source: SourceBytes,
  chain: PatternChain,
  shapes: readonly (readonly Point[])[],
  edgesPerPixel: number,
): Promise<Fill[]> {
  const picture = await context.sources.decoded(source);
  const fills: Fill[] = [];
  for (const corners of shapes) {
    const toSource = placeMotif(corners, design.motif, picture);
    const box = boxAround(corners);
    const cut = cutFor(box, toSource, picture, edgesPerPixel);
    const bound = context.sources.bound(source, picture, cut);
    const plain = plainFill(context, chain, bound, compose(toCut(cut), toSource));
    fills.push(
      chain.onPeriod.length === 0
        ? plain
        : await changedFill(context, chain, plain, box, edgesPerPixel),
    );
  }
  return fills;
}

/** Samples the source as it is. */
function plainFill(
  context: RenderContext,
  chain: PatternChain,
  bound: BoundSource,
  toCut: Affine,
): Fill {
  return {
    place: IDENTITY,
    sample: async (x, y) => recolour(context, chain.pointwise, await sampleAt(bound, toCut, x, y)),
  };
}

/** Samples a picture to which effects that look at neighbours have been applied. */
async function changedFill(
  context: RenderContext,
  chain: PatternChain,
  plain: Fill,
  { min, max }: Box,
  edgesPerPixel: number,
): Promise<Fill> {
  const across = max.x - min.x;
  const down = max.y - min.y;
  const perEdge = Math.min(1 / edgesPerPixel, Math.sqrt(MOST_TEXTURE_PIXELS / (across * down)));
  const width = Math.max(4, Math.ceil(across * perEdge));
  const height = Math.max(4, Math.ceil(down * perEdge));
  const toPlane = compose(translation(min.x, min.y), scaling(across / width, down / height));
  const sampled = await sampleGrid(context, plain, width, height, toPlane);
  const changed = await changePeriod(context, chain.onPeriod, {
    ...sampled,
    width,
    height,
    toPlane,
    lattice: [
      { x: across, y: 0 },
      { x: 0, y: down },
    ],
    discs: [{ x: width / 2, y: height / 2, radius: Math.min(width, height) / 2, mirrored: false }],
  });
  const texture = bindTexture(context.runner, changed, width);
  return {
    place: compose(
      translation(-0.5, -0.5),
      scaling(width / across, height / down),
      translation(-min.x, -min.y),
    ),
    sample: async (x, y) => ({
      colour: await texture.colour(x.length, [x, y]),
      alpha: texture.alpha === null ? null : await texture.alpha(x.length, [x, y]),
    }),
    end: texture.release,
  };
}

/** A fill's picture on a grid of pixels. */
async function sampleGrid(
  context: RenderContext,
  { sample }: Fill,
  width: number,
  height: number,
  toFrame: Affine,
): Promise<Samples> {
  const { chunk } = context.runner;
  const colour = new Float32Array(width * height);
  let alpha: Float32Array | null = null;
  for (let first = 0; first < colour.length; first += chunk) {
    const count = Math.min(chunk, colour.length - first);
    const x = new Float32Array(chunk);
    const y = new Float32Array(chunk);
    for (let k = 0; k < count; k++) {
      x[k] = toFrame.a * (((first + k) % width) + 0.5) + toFrame.e;
      y[k] = toFrame.d * (Math.floor((first + k) / width) + 0.5) + toFrame.f;
    }
    const part = await sample(x, y);
    colour.set(part.colour.subarray(0, count), first);
    if (part.alpha !== null) {
      alpha ??= new Float32Array(width * height);
      alpha.set(part.alpha.subarray(0, count), first);
    }
    await context.checkpoint();
  }
  return { colour, alpha };
}

/** A little more than the box of a shape: pixels on its edge lie half outside. */
function boxAround(corners: readonly Point[]): Box {
  const margin = 0.02;
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  return {
    min: { x: Math.min(...xs) - margin, y: Math.min(...ys) - margin },
    max: { x: Math.max(...xs) + margin, y: Math.max(...ys) + margin },
  };
}

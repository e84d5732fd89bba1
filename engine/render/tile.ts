/** Renders the tile that repeats. */

import { domainOfDesign } from "../geometry/counterchange.ts";
import { discsOf } from "../geometry/discs.ts";
import { asymmetricUnit, edgesPerPixelOf, gridOperations, type Tile } from "../geometry/grid.ts";
import { copyToOrbits, valuesInRuns } from "../geometry/orbits.ts";
import { type RepeatingTile, type TileFields, tileOf } from "../geometry/repeating-tile.ts";
import type { SampledImage, Samples } from "../image/samples.ts";
import type { Design, SourceBytes } from "../recipe/index.ts";
import { type Allocate, newNumbers } from "../reused-array.ts";
import type { RenderContext } from "./context.ts";
import { exchange, signsOfTile } from "./counterchange.ts";
import { linesOf } from "./lines.ts";
import { applyPointwise, applyToPeriod, chainOf, type PatternChain } from "./pattern-chain.ts";
import { type PatternPlacement, placePattern, sampleLines } from "./sample.ts";

interface TileOptions {
  /** Whether it has only the pattern's colours and their negatives, and none in between. */
  readonly isFlat?: boolean;
  /** Returns the memory for its pixels. */
  readonly allocate?: Allocate<Float32Array>;
}

/** Renders a tile with its pattern effects. */
export async function renderTile(
  context: RenderContext,
  design: Design,
  source: SourceBytes,
  fields: TileFields,
  { isFlat = false, allocate = newNumbers }: TileOptions = {},
): Promise<SampledImage & Pick<RepeatingTile, "strain">> {
  const domain = domainOfDesign(design);
  const { tile, strain } = tileOf(domain.isometries, fields);
  const pattern = await placePattern(
    context,
    domain,
    design,
    source,
    Math.max(tile.toPlane.a, tile.toPlane.d),
  );
  const { width, height } = tile;
  const chain = await chainOf(context, design, source);
  return {
    ...(await samplePeriod(
      context,
      pattern,
      { ...chain, isFlat: chain.isFlat || isFlat },
      tile,
      allocate,
    )),
    width,
    height,
    strain,
  };
}

/**
 * Samples the asymmetric unit of a period, copies it along the orbits, and applies effects.
 * @param allocate returns the memory for the pixels of the result
 */
export async function samplePeriod(
  context: RenderContext,
  pattern: PatternPlacement,
  chain: PatternChain,
  tile: Tile,
  allocate = newNumbers,
): Promise<Samples> {
  const { isometries } = pattern.domain;
  const operations = gridOperations(isometries, tile);
  const unit = asymmetricUnit(operations, tile);
  const spread = ({ colour, alpha }: Samples, allocate = newNumbers): Samples => ({
    colour: copyToOrbits(colour, unit, operations, tile, allocate),
    alpha: alpha === null ? null : copyToOrbits(alpha, unit, operations, tile, allocate),
  });
  const pixel = chain.isFlat ? 0 : edgesPerPixelOf(tile);
  const coloured = (period: Samples): Samples =>
    isometries.exchanging === undefined
      ? period
      : exchange(period, signsOfTile(pattern.domain, unit, operations, tile, pixel));
  const lines = linesOf(unit, tile.toPlane);
  const isLast = chain.onPeriod.length === 0;
  // In p1 the samples are the result.
  const sampled = await sampleLines(
    context,
    pattern,
    lines,
    isLast && operations.length === 1 ? allocate : newNumbers,
  );
  const toPeriod = await applyPointwise(context, chain.pointwise, sampled);
  if (isLast) return coloured(spread(toPeriod, allocate));
  const period = spread(toPeriod);
  const { colour, alpha } = await applyToPeriod(context, chain.onPeriod, {
    ...period,
    width: tile.width,
    height: tile.height,
    toPlane: tile.toPlane,
    lattice: isometries.lattice ?? isometries.basis,
    discs: discsOf(pattern.domain, tile),
  });
  // An effect may round the pixels of an orbit differently; copying makes the symmetry exact.
  const inUnit = (values: Float32Array) => valuesInRuns(values, unit, operations, tile);
  const exact = { colour: inUnit(colour), alpha: alpha === null ? null : inUnit(alpha) };
  return coloured(spread(exact, allocate));
}

/** Renders the tile that repeats. */

import { domainOfDesign } from "../geometry/counterchange.ts";
import { discsOf } from "../geometry/discs.ts";
import { asymmetricUnit, edgesPerPixelOf, gridOperations, type Tile } from "../geometry/grid.ts";
import { copyToOrbits, valuesInRuns } from "../geometry/orbits.ts";
import { type RepeatingTile, type TileFields, tileOf } from "../geometry/repeating-tile.ts";
import type { Line } from "../geometry/unfold.ts";
import { partOf, type SampledImage, type Samples } from "../image/samples.ts";
import type { Design, SourceBytes } from "../recipe/index.ts";
import { type Allocate, borrowFrom, newNumbers } from "../reused-array.ts";
import type { RenderContext } from "./context.ts";
import { exchange, signsOfTile } from "./counterchange.ts";
import { createItems, isShared, linesOfItem, type SampleTask, workWithHelp } from "./help.ts";
import { linesOf, pixelsOf } from "./lines.ts";
import { applyPointwise, applyToPeriod, chainOf, type PatternChain } from "./pattern-chain.ts";
import { memoryFor, type PatternPlacement, placePattern, sampleLines } from "./sample.ts";

interface TileOptions {
  /** Whether it has only the pattern's colours and their negatives, and none in between. */
  readonly isFlat?: boolean;
  /** Returns memory for its pixels, which other threads can write if it is shared. */
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
  const { pattern, tile, strain } = await placeTile(context, design, source, fields);
  const { width, height } = tile;
  const chain = await chainOf(context, design, source);
  const period = await samplePeriod(
    context,
    pattern,
    { ...chain, isFlat: chain.isFlat || isFlat },
    tile,
    {
      allocate,
      sample: (lines, into) =>
        sampleWithHelp(context, pattern, lines, { design, source, fields }, into),
    },
  );
  return { ...period, width, height, strain };
}

interface PlacedTile extends RepeatingTile {
  readonly pattern: PatternPlacement;
}

/** Places a design's pattern in its tile. Rejects with `SourceUnreadable` or `SourceTooLarge`. */
async function placeTile(
  context: RenderContext,
  design: Design,
  source: SourceBytes,
  fields: TileFields,
): Promise<PlacedTile> {
  const domain = domainOfDesign(design);
  const { tile, strain } = tileOf(domain.isometries, fields);
  const { a, d } = tile.toPlane;
  return {
    tile,
    strain,
    pattern: await placePattern(context, domain, design, source, Math.max(a, d)),
  };
}

/** Fewer pixels are sampled by one thread: each copies the blocks of the source that its lines need. */
const HELPED_PIXELS = 1 << 18;
/** Pixels of an item. */
const ITEM_PIXELS = 1 << 16;

/** Samples the lines of a tile's asymmetric unit, with the help of another thread if that pays. */
async function sampleWithHelp(
  context: RenderContext,
  pattern: PatternPlacement,
  lines: readonly Line[],
  { design, source, fields }: Pick<SampleTask, "design" | "source" | "fields">,
  into: Samples,
): Promise<Samples> {
  const { help, runner } = context;
  const total = pixelsOf(lines);
  // Threads that sample on a GPU would wait for each other, and each finds a cut seam for itself.
  const pays =
    total >= HELPED_PIXELS && runner.backend !== "webgpu" && design.seam.method !== "cut";
  if (help === undefined || !pays || !isShared(into)) {
    return sampleLines(context, pattern, lines, into);
  }
  const items = createItems(Math.ceil(total / ITEM_PIXELS));
  const task: SampleTask = { kind: "sample", design, source, fields, into, items };
  await workWithHelp(help, task, samplerOfItems(context, pattern, lines, task));
  return into;
}

/** Returns a function that samples an item of a task, given all lines of its tile. */
function samplerOfItems(
  context: RenderContext,
  pattern: PatternPlacement,
  lines: readonly Line[],
  { into, items }: SampleTask,
) {
  return async (item: number) => {
    const { lines: some, first, count } = linesOfItem(lines, items.count, item);
    await sampleLines(context, pattern, some, partOf(into, first, first + count));
    return null;
  };
}

/** Places the tile of a task. Resolves with a function that samples an item of it. */
export async function helpToSample(context: RenderContext, task: SampleTask) {
  const { pattern, tile } = await placeTile(context, task.design, task.source, task.fields);
  const { isometries } = pattern.domain;
  const unit = asymmetricUnit(gridOperations(isometries, tile), tile);
  return samplerOfItems(context, pattern, linesOf(unit, tile.toPlane), task);
}

interface PeriodOptions {
  /** Returns the memory for the pixels of the result. */
  readonly allocate?: Allocate<Float32Array>;
  /** Samples lines of the pattern. Resolves with `into`. */
  readonly sample?: (lines: readonly Line[], into: Samples) => Promise<Samples>;
}

/** Samples the asymmetric unit of a period, copies it along the orbits, and applies effects. */
export async function samplePeriod(
  context: RenderContext,
  pattern: PatternPlacement,
  chain: PatternChain,
  tile: Tile,
  {
    allocate = newNumbers,
    sample = (lines, into) => sampleLines(context, pattern, lines, into),
  }: PeriodOptions = {},
): Promise<Samples> {
  const { isometries } = pattern.domain;
  const operations = gridOperations(isometries, tile);
  const unit = asymmetricUnit(operations, tile);
  const spread = ({ colour, alpha }: Samples, allocate: Allocate<Float32Array>): Samples => ({
    colour: copyToOrbits(colour, unit, operations, tile, allocate),
    alpha: alpha === null ? null : copyToOrbits(alpha, unit, operations, tile, allocate),
  });
  const pixel = chain.isFlat ? 0 : edgesPerPixelOf(tile);
  const coloured = (period: Samples): Samples =>
    isometries.exchanging === undefined
      ? period
      : exchange(period, signsOfTile(pattern.domain, unit, operations, tile, pixel));
  const isLast = chain.onPeriod.length === 0;
  const lines = linesOf(unit, tile.toPlane);
  const pixels = pixelsOf(lines);
  // Not given back where sampling fails, see `startSheet`.
  const loan = borrowFrom(context.pictureMemory);
  // A unit that is the whole period is not copied.
  const isWhole = pixels === tile.width * tile.height;
  const into = memoryFor(pattern, pixels, isWhole ? allocate : loan.allocate);
  const toPeriod = await applyPointwise(context, chain.pointwise, await sample(lines, into));
  const period = spread(toPeriod, isLast ? allocate : newNumbers);
  loan.giveBack();
  if (isLast) return coloured(period);
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

/** Samples a pattern along lines of pixels. */

import { type Affine, compose } from "../geometry/affine.ts";
import type { Domain } from "../geometry/domain.ts";
import { indicesOf } from "../geometry/element-sets.ts";
import type { Line } from "../geometry/unfold.ts";
import {
  type ElementSet,
  elementTable,
  partOfTable,
  singleElement,
  type Window,
  windowOf,
} from "../geometry/window.ts";
import { makeOctaves } from "../image/make-octaves.ts";
import type { Samples } from "../image/samples.ts";
import type { SourceLevels } from "../image/source-levels.ts";
import type { Design, SourceBytes } from "../recipe/index.ts";
import type { Allocate } from "../reused-array.ts";
import type { RenderContext } from "./context.ts";
import { placeMotif, sampledPart, toPixelsOf } from "./placement.ts";
import { findCutSeam, seamNodes } from "./seams/cut-seam.ts";
import { cutWindow } from "./seams/cut-window.ts";
import type { BoundSeam, BoundSource, SampledElements, SampleKernel } from "./sources.ts";
import { blockAdder, divideLines, Spans } from "./spans.ts";

/** A pattern placed on the plane: the data that sampling needs, independent of the pixels. */
export interface PatternPlacement {
  readonly domain: Domain;
  readonly window: Window;
  readonly source: BoundSource;
  /** Maps of the window's elements from the domain to pixels of the bound source. */
  readonly elements: Float32Array;
  /** `keepContrast` of `shaders/orbit.ts`; at cut seams, `sharpness` of `shaders/deepest-copy.ts`. */
  readonly mixParameter: number;
}

/**
 * Places a design's source on the plane for pixels that are `edgesPerPixel` cell edges apart. Rejects
 * with `SourceUnreadable` or `SourceTooLarge`.
 */
export async function placePattern(
  context: RenderContext,
  domain: Domain,
  design: Design,
  source: SourceBytes,
  edgesPerPixel: number,
): Promise<PatternPlacement> {
  const levels = await context.codec.levels(source);
  const toSource = placeMotif(domain.frame ?? domain.corners, design.motif, levels);
  const at = { levels, toSource, edgesPerPixel };
  const seam = await cutSeamOf(context, domain, design, source, at);
  const window =
    seam === null ? windowOf(domain, design.seam) : cutWindow(domain, seam, edgesPerPixel);
  const part = sampledPart(window.box, toSource, levels, edgesPerPixel);
  if (seam === null && window.elements.length > 1 && design.seam.preserve_contrast) {
    // The contrast that is kept is relative to the source's mean.
    await makeOctaves(levels, context.checkpoint);
  }
  const toPixels = compose(toPixelsOf(part), toSource);
  return {
    domain,
    window,
    source: context.sources.bind(source, levels, part, design.motif.sampling, seam),
    elements: elementTable(window, toPixels),
    mixParameter: seam === null ? Number(design.seam.preserve_contrast) : 1 / edgesPerPixel,
  };
}

interface SourcePlacement {
  readonly levels: SourceLevels;
  readonly toSource: Affine;
  readonly edgesPerPixel: number;
}

/** Resolves with the seam of a design whose copies are cut, and a key for all that it depends on; null if none is. */
async function cutSeamOf(
  { seams, checkpoint }: RenderContext,
  domain: Domain,
  { group, lattice, motif, seam: { method, width } }: Design,
  { sha256 }: SourceBytes,
  { levels, toSource, edgesPerPixel }: SourcePlacement,
): Promise<BoundSeam | null> {
  if (method !== "cut" || domain.joined.length === 0) return null;
  const nodes = seamNodes(domain, width, edgesPerPixel);
  const key = JSON.stringify({ group, lattice, motif, width, nodes });
  const seam = await seams.of([sha256, key], () =>
    findCutSeam(checkpoint, domain, width, nodes, toSource, levels),
  );
  return { ...seam, key };
}

/** Returns memory for the samples of that many pixels of a pattern. */
export const memoryFor = (
  { source }: PatternPlacement,
  pixels: number,
  allocate: Allocate<Float32Array>,
): Samples => ({
  colour: allocate(pixels),
  alpha: source.alpha === null ? null : allocate(pixels),
});

/** Most spans whose memory is kept: 3.7 MB. */
const MOST_KEPT_SPANS = 1 << 16;

/**
 * Samples lines of pixels. Resolves with `into`, to which it writes the values in the lines' order.
 */
export async function sampleLines(
  context: RenderContext,
  pattern: PatternPlacement,
  lines: readonly Line[],
  into: Samples,
): Promise<Samples> {
  const { domain, window, source, elements: table, mixParameter } = pattern;
  const { spanMemory } = context;
  const spans = spanMemory.pop() ?? new Spans();
  const { single, mixed } = divideLines(domain, window, lines, spans);
  // With one element there is no contrast to keep.
  await sampleSpans(context, source, spans, single, { table, mixParameter: 0 }, into);
  await sampleSpans(context, source, spans, mixed, { table, mixParameter }, into);
  if (spans.length <= MOST_KEPT_SPANS) spanMemory.push(spans);
  return into;
}

/**
 * Samples a bound source at single points, all of whose blocks have been added and prepared, with one call of its kernels.
 * @param toPixels map from the points to pixels of the bound source
 */
export async function sampleAt(
  { colour, alpha }: BoundSource,
  toPixels: Affine,
  x: Float32Array,
  y: Float32Array,
): Promise<Samples> {
  const elements = { table: singleElement(toPixels), count: 1, mixParameter: 0 };
  const sample = (kernel: SampleKernel) => {
    const values = kernel(x, y, x.length, elements);
    return values instanceof Float32Array ? values.slice() : values;
  };
  return { colour: await sample(colour), alpha: alpha && (await sample(alpha)) };
}

/** Numbers of a place, where values of a kernel call go: values from … from + count − 1 to first … first + count − 1. */
const PLACE_LENGTH = 3;

/**
 * Samples spans in kernel calls of one size, each with the elements that its spans need.
 * @param groups of spans, for each of which the source is prepared: their first ones
 */
async function sampleSpans(
  context: RenderContext,
  { colour, alpha, blocks, prepare }: BoundSource,
  spans: Spans,
  groups: readonly number[],
  { table, mixParameter }: Omit<SampledElements, "count">,
  into: Samples,
): Promise<void> {
  if (groups.length === 0) return;
  const { chunk } = context.runner;
  const x = new Float32Array(chunk);
  const y = new Float32Array(chunk);
  const partFor = tableParts(table);
  const targets = [
    { kernel: colour, into: into.colour },
    ...(alpha && into.alpha ? [{ kernel: alpha, into: into.alpha }] : []),
  ];
  const places = new Int32Array(PLACE_LENGTH * chunk);
  let placesEnd = 0;
  const sets = new Set<ElementSet>();
  let filled = 0;
  /** Settles when nothing is read back any more, whatever has failed. */
  let readingBack: Promise<void> | undefined;

  const flush = async () => {
    const elements = { ...partFor(sets), mixParameter };
    const filledPlaces = places.subarray(0, placesEnd);
    const before = readingBack;
    for (const { kernel, into } of targets) {
      const values = kernel(x, y, filled, elements);
      if (values instanceof Float32Array) place(values, filledPlaces, into);
      else {
        // A GPU has copied the positions, so its last results are read back and the next positions
        // gathered while it computes.
        const kept = filledPlaces.slice();
        const reading = values.then((read) => place(read, kept, into));
        // The last await reports failures.
        reading.catch(() => undefined);
        readingBack = settled(readingBack, reading);
        readingBack.catch(() => undefined);
      }
    }
    placesEnd = 0;
    sets.clear();
    filled = 0;
    await before;
    await context.checkpoint();
  };

  const addBlocks = blocks === null ? () => undefined : blockAdder(blocks, table, spans);
  try {
    for (const group of groups) {
      for (let span = group; span >= 0; span = spans.next[span]) addBlocks(span);
      await prepare(context.checkpoint);
      for (let span = group; span >= 0; span = spans.next[span]) {
        const count = spans.count[span];
        const set = spans.set[span];
        for (let done = 0; done < count; ) {
          const part = Math.min(count - done, chunk - filled);
          const from = spans.from[span] + done;
          putPositions(x, filled, spans.x[span], spans.stepX[span], from, part);
          putPositions(y, filled, spans.y[span], spans.stepY[span], from, part);
          places[placesEnd++] = filled;
          places[placesEnd++] = spans.first[span] + done;
          places[placesEnd++] = part;
          sets.add(set);
          filled += part;
          done += part;
          if (filled === chunk) await flush();
        }
      }
    }
    if (filled > 0) await flush();
    await readingBack;
  } finally {
    // The caller may use the memory for something else then.
    await readingBack?.catch(() => undefined);
  }
}

/** Writes the coordinates of steps `from` … `from + count − 1` to `into`, at `at`. */
function putPositions(
  into: Float32Array,
  at: number,
  start: number,
  step: number,
  from: number,
  count: number,
): void {
  for (let k = 0; k < count; k++) into[at + k] = start + (from + k) * step;
}

/** Settles after both. Rejects if one of them does. */
async function settled(one: Promise<void> | undefined, other: Promise<void>): Promise<void> {
  try {
    await one;
  } finally {
    await other;
  }
}

function place(values: Float32Array, places: Int32Array, into: Float32Array): void {
  for (let at = 0; at < places.length; at += PLACE_LENGTH) {
    const from = places[at];
    const first = places[at + 1];
    const count = places[at + 2];
    // A place is no wider than a column: `set` would take longer to make a view of it.
    for (let k = 0; k < count; k++) into[first + k] = values[from + k];
  }
}

/** Returns a function that returns the table of all elements of some sets, and their number. */
function tableParts(table: Float32Array) {
  const parts = new Map<string, Omit<SampledElements, "mixParameter">>();
  return (sets: ReadonlySet<ElementSet>) => {
    const indices = [...new Set([...sets].flatMap(indicesOf))].sort((a, b) => a - b);
    const key = indices.join();
    const part = parts.get(key) ?? {
      table: partOfTable(table, indices),
      count: indices.length,
    };
    parts.set(key, part);
    return part;
  };
}

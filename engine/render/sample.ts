/** Samples a pattern along lines of pixels. */

import { type Affine, compose } from "../geometry/affine.ts";
import type { Domain } from "../geometry/domain.ts";
import { indicesOf, splitBySets } from "../geometry/element-sets.ts";
import { type Line, type Piece, unfold } from "../geometry/unfold.ts";
import {
  type ElementSet,
  elementTable,
  mapInTable,
  partOfTable,
  singleElement,
  type Window,
  windowOf,
} from "../geometry/window.ts";
import { makeOctaves } from "../image/make-octaves.ts";
import type { Samples } from "../image/samples.ts";
import type { SourceLevels } from "../image/source-levels.ts";
import type { Design, SourceBytes } from "../recipe/index.ts";
import { type Allocate, newNumbers } from "../reused-array.ts";
import { ColumnOrder } from "./columns.ts";
import type { RenderContext } from "./context.ts";
import { placeMotif, sampledPart, toPixelsOf } from "./placement.ts";
import { findCutSeam, seamNodes } from "./seams/cut-seam.ts";
import { cutWindow } from "./seams/cut-window.ts";
import type { BoundSeam, BoundSource, SampledElements } from "./sources.ts";

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

/** Pixels from … from + count − 1 of a piece, whose values go to first … first + count − 1. */
interface Span {
  readonly piece: Piece;
  readonly from: number;
  readonly first: number;
  readonly count: number;
  /** The elements that may weigh anything there. */
  readonly set: ElementSet;
}

const isSingle = (set: ElementSet) => indicesOf(set).length === 1;

/** Returns memory for the samples of that many pixels of a pattern. */
export const memoryFor = (
  { source }: PatternPlacement,
  pixels: number,
  allocate: Allocate<Float32Array>,
): Samples => ({
  colour: allocate(pixels),
  alpha: source.alpha === null ? null : allocate(pixels),
});

/**
 * Samples lines of pixels. Resolves with the values in the lines' order.
 * @param memory for the values
 */
export async function sampleLines(
  context: RenderContext,
  pattern: PatternPlacement,
  lines: readonly Line[],
  memory?: Samples,
): Promise<Samples> {
  const { domain, window, source, elements, mixParameter } = pattern;
  const bySet = new Map<ElementSet, ColumnOrder<Span>>();
  const addBlocks = blockAdder(pattern);
  let total = 0;
  for (const line of lines) {
    const offset = total;
    unfold(domain, line, (piece) =>
      splitBySets(window, piece, (from, to, set) => {
        const columns = bySet.get(set) ?? new ColumnOrder<Span>();
        bySet.set(set, columns);
        addBlocks(piece, from, to, set);
        columns.add(piece.first + from, piece.first + to, (begin, end) => ({
          piece,
          from: begin - piece.first,
          first: offset + begin,
          count: end - begin,
          set,
        }));
      }),
    );
    total += line.count;
  }
  await source.prepare(context.checkpoint);
  const samples = memory ?? memoryFor(pattern, total, newNumbers);
  const spansOf = ([, columns]: [ElementSet, ColumnOrder<Span>]) => columns.list();
  const inOrder = [...bySet].sort(([one], [other]) => one - other);
  // Only one element has weight there, and all of it: there is no contrast to keep. At cuts a call may hold spans of
  // different elements, which its kernel compares.
  const single = inOrder.filter(([set]) => isSingle(set)).flatMap(spansOf);
  const alone = window.grid === undefined ? 0 : mixParameter;
  await sampleSpans(context, source, single, { table: elements, mixParameter: alone }, samples);
  // In the order of their sets, so that most calls mix the same elements everywhere.
  const mixed = inOrder.filter(([set]) => !isSingle(set)).flatMap(spansOf);
  await sampleSpans(context, source, mixed, { table: elements, mixParameter }, samples);
  return samples;
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
  return {
    colour: await colour(x, y, elements),
    alpha: alpha === null ? null : await alpha(x, y, elements),
  };
}

/** Where the values of a kernel call go: values from … from + count − 1 to first … first + count − 1. */
interface Place {
  readonly from: number;
  readonly first: number;
  readonly count: number;
}

/** Samples spans in kernel calls of one size, each with the elements that its spans need. */
async function sampleSpans(
  context: RenderContext,
  { colour, alpha }: BoundSource,
  spans: readonly Span[],
  { table, mixParameter }: Omit<SampledElements, "count">,
  into: Samples,
): Promise<void> {
  const { chunk } = context.runner;
  const x = new Float32Array(chunk);
  const y = new Float32Array(chunk);
  const partFor = tableParts(table);
  let places: Place[] = [];
  let sets = new Set<ElementSet>();
  let filled = 0;
  let readingBack: Promise<void> | undefined;

  const flush = async () => {
    const elements = { ...partFor(sets), mixParameter };
    const targets = [
      { values: colour(x, y, elements), into: into.colour },
      ...(alpha && into.alpha ? [{ values: alpha(x, y, elements), into: into.alpha }] : []),
    ];
    const filledPlaces = places;
    places = [];
    sets = new Set();
    filled = 0;
    const before = readingBack;
    for (const { values, into } of targets) {
      if (values instanceof Float32Array) place(values, filledPlaces, into);
      else {
        // A GPU has copied the positions, so its last results are read back and the next positions
        // gathered while it computes.
        const reading = values.then((read) => place(read, filledPlaces, into));
        // The last await reports failures.
        reading.catch(() => undefined);
        readingBack = Promise.all([readingBack, reading]).then(() => undefined);
        readingBack.catch(() => undefined);
      }
    }
    await before;
    await context.checkpoint();
  };

  for (const { piece, from, first, count, set } of spans) {
    const { x: pieceX, y: pieceY, stepX, stepY } = piece;
    for (let done = 0; done < count; ) {
      const part = Math.min(count - done, chunk - filled);
      for (let k = 0; k < part; k++) {
        x[filled + k] = pieceX + (from + done + k) * stepX;
        y[filled + k] = pieceY + (from + done + k) * stepY;
      }
      places.push({ from: filled, first: first + done, count: part });
      sets.add(set);
      filled += part;
      done += part;
      if (filled === chunk) await flush();
    }
  }
  if (filled > 0) await flush();
  await readingBack;
}

function place(values: Float32Array, places: readonly Place[], into: Float32Array): void {
  for (const { from, first, count } of places) {
    // A place is no wider than a column: `set` would take longer to make a view of it.
    for (let k = 0; k < count; k++) into[first + k] = values[from + k];
  }
}

/** Returns a function that adds the blocks of the source that are needed for a set and pixels from … to − 1 of a piece. */
function blockAdder({ source: { blocks }, elements }: PatternPlacement) {
  const mapsOf = new Map<ElementSet, readonly Affine[]>();
  return (piece: Piece, from: number, to: number, set: ElementSet): void => {
    if (blocks === null) return;
    const maps = mapsOf.get(set) ?? indicesOf(set).map((index) => mapInTable(elements, index));
    mapsOf.set(set, maps);
    const { x, y, stepX, stepY } = piece;
    const [startX, startY] = [x + from * stepX, y + from * stepY];
    const [endX, endY] = [x + (to - 1) * stepX, y + (to - 1) * stepY];
    for (const { a, b, c, d, e, f } of maps) {
      blocks.addLine(
        a * startX + b * startY + e,
        c * startX + d * startY + f,
        a * endX + b * endY + e,
        c * endX + d * endY + f,
      );
    }
  };
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

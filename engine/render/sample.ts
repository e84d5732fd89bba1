/** Samples a pattern along lines of pixels. */

import { type Affine, compose, invert } from "../geometry/affine.ts";
import type { Domain } from "../geometry/domain.ts";
import { type Line, type Piece, unfold } from "../geometry/unfold.ts";
import { elementTable, singleElement, type Window, windowOf } from "../geometry/window.ts";
import type { Samples } from "../image/samples.ts";
import type { SourceLevels } from "../image/source-levels.ts";
import type { KernelArgument } from "../kernel-inputs.ts";
import type { CompiledKernel } from "../kernel-runner.ts";
import type { Design, SourceBytes } from "../recipe/index.ts";
import { ColumnOrder } from "./columns.ts";
import type { RenderContext } from "./context.ts";
import { cutFor, placeMotif, toCut } from "./placement.ts";
import { type CutSeam, findCutSeam } from "./seams/cut-seam.ts";
import { cutWindow } from "./seams/cut-window.ts";
import type { BoundSource } from "./sources.ts";

/** A pattern placed on the plane: the data that sampling needs, independent of the pixels. */
export interface PatternPlacement {
  readonly domain: Domain;
  readonly window: Window;
  readonly source: BoundSource;
  /** Maps of the window's elements from the domain to pixels of the bound source. */
  readonly elements: Float32Array;
  /** Last setting of the source's kernels: 1 to keep contrast, or the sharpness of a cut. */
  readonly mixing: number;
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
  const levels = await context.sources.levels(source, context.codec);
  const toSource = placeMotif(domain.corners, design.motif, levels);
  const seam = await cutSeamOf(context, domain, design, source, levels, toSource);
  const window = seam === null ? windowOf(domain, design.seam) : cutWindow(domain, seam);
  const cut = cutFor(window.box, toSource, levels, edgesPerPixel);
  const toPixels = compose(toCut(cut), toSource);
  return {
    domain,
    window,
    source: context.sources.bound(
      source,
      levels,
      cut,
      design.motif.sampling,
      seam && { ...seam, fromPixels: invert(toPixels), key: keyOf(design) },
    ),
    elements: elementTable(window, toPixels),
    mixing: seam === null ? Number(design.seam.preserve_contrast) : 1 / edgesPerPixel,
  };
}

/** What a seam depends on, besides the source. */
const keyOf = ({ group, lattice, motif, seam: { width } }: Design) =>
  JSON.stringify({ group, lattice, motif, width });

/** Resolves with the seam of a design whose copies are cut; null if none is. */
async function cutSeamOf(
  { seams }: RenderContext,
  domain: Domain,
  design: Design,
  { sha256 }: SourceBytes,
  levels: SourceLevels,
  toSource: Affine,
): Promise<CutSeam | null> {
  const { method, width } = design.seam;
  if (method !== "cut" || domain.joined.length === 0) return null;
  return seams.of([sha256, keyOf(design)], () => findCutSeam(domain, width, toSource, levels));
}

/** Pixels from … from + count − 1 of a piece, whose values go to first … first + count − 1. */
interface Span {
  readonly piece: Piece;
  readonly from: number;
  readonly first: number;
  readonly count: number;
}

/** Samples lines of pixels. Resolves with the values in the lines' order. */
export async function sampleLines(
  context: RenderContext,
  pattern: PatternPlacement,
  lines: readonly Line[],
): Promise<Samples> {
  const { source, window, elements } = pattern;
  const insideByColumn = new ColumnOrder<Span>();
  const seamsByColumn = new ColumnOrder<Span>();
  let total = 0;
  for (const line of lines) {
    const offset = total;
    unfold(pattern.domain, line, window.inside, (piece) => {
      const columns = piece.seam ? seamsByColumn : insideByColumn;
      columns.add(piece.first, piece.first + piece.count, (from, to) => ({
        piece,
        from: from - piece.first,
        first: offset + from,
        count: to - from,
      }));
    });
    total += line.count;
  }
  const inside = insideByColumn.list();
  const seams = seamsByColumn.list();
  const samples = {
    colour: new Float32Array(total),
    alpha: source.alpha === null ? null : new Float32Array(total),
  };
  // Inside, only the identity has weight.
  if (source.single !== null) {
    await sampleSpans(context, source.single, inside, [elements], samples.colour);
  } else {
    await sampleSpans(context, source.colour, inside, [elements, 1, 0], samples.colour);
    await sampleSpans(context, source.alpha, inside, [elements, 1, 0], samples.alpha);
  }
  const mixed = [elements, window.elements.length, pattern.mixing];
  await sampleSpans(context, source.colour, seams, mixed, samples.colour);
  await sampleSpans(context, source.alpha, seams, mixed, samples.alpha);
  return samples;
}

/**
 * Samples a bound source at single points, with one call of its kernels.
 * @param toCut map from the points to pixels of the bound source
 */
export async function sampleAt(
  { colour, alpha, single }: BoundSource,
  toCut: Affine,
  x: Float32Array,
  y: Float32Array,
): Promise<Samples> {
  const elements = singleElement(toCut);
  if (single !== null) return { colour: await single(x.length, [x, y, elements]), alpha: null };
  const settings = [x, y, elements, 1, 0];
  return {
    colour: await colour(x.length, settings),
    alpha: alpha === null ? null : await alpha(x.length, settings),
  };
}

/**
 * Runs a kernel over spans, batched into calls of one size. Does nothing without a kernel or a target.
 */
async function sampleSpans(
  context: RenderContext,
  kernel: CompiledKernel | null,
  spans: readonly Span[],
  settings: readonly KernelArgument[],
  into: Float32Array | null,
): Promise<void> {
  if (kernel === null || into === null) return;
  const chunk = context.runner.chunk;
  const x = new Float32Array(chunk);
  const y = new Float32Array(chunk);
  let gathered: { from: number; first: number; count: number }[] = [];
  let filled = 0;
  let readingBack: Promise<void> | undefined;

  const place = (values: Float32Array, places: typeof gathered) => {
    for (const { from, first, count } of places) {
      into.set(values.subarray(from, from + count), first);
    }
  };
  const flush = async () => {
    const values = kernel(chunk, [x, y, ...settings]);
    const places = gathered;
    gathered = [];
    filled = 0;
    if (values instanceof Float32Array) place(values, places);
    else {
      // A GPU has copied the positions, so its last results are read back and the next positions
      // gathered while it computes.
      const before = readingBack;
      readingBack = values.then((read) => place(read, places));
      // The last await reports failures.
      readingBack.catch(() => undefined);
      await before;
    }
    await context.checkpoint();
  };

  for (const { piece, from, first, count } of spans) {
    const { point, step } = piece;
    for (let done = 0; done < count; ) {
      const part = Math.min(count - done, chunk - filled);
      for (let k = 0; k < part; k++) {
        x[filled + k] = point.x + (from + done + k) * step.x;
        y[filled + k] = point.y + (from + done + k) * step.y;
      }
      gathered.push({ from: filled, first: first + done, count: part });
      filled += part;
      done += part;
      if (filled === chunk) await flush();
    }
  }
  if (filled > 0) await flush();
  await readingBack;
}

/** Divides lines of pixels into spans, in the order in which they are sampled. */
import type { Affine } from "../geometry/affine.ts";
import type { Domain } from "../geometry/domain.ts";
import { indicesOf, splitBySets } from "../geometry/element-sets.ts";
import { type Line, type Piece, unfold } from "../geometry/unfold.ts";
import { type ElementSet, mapInTable, type Window } from "../geometry/window.ts";
import type { PartBlocks } from "../image/continued-part.ts";
import { COLUMN_WIDTH, pixelsOf } from "./lines.ts";

/** Spans for which there is memory at first. */
const FEW = 256;

/**
 * Spans: pixels of a piece, up to a column's width, in which the same elements may weigh anything. Each of their numbers has
 * an array, because a sheet has millions of spans.
 */
export class Spans {
  /** How many they are. */
  length = 0;
  /** Where a span's piece begins in D, and the step from pixel to pixel. */
  x = new Float64Array(FEW);
  y = new Float64Array(FEW);
  stepX = new Float64Array(FEW);
  stepY = new Float64Array(FEW);
  /** The elements that may weigh anything there, each an `ElementSet`. */
  set = new Float64Array(FEW);
  /** The first pixel in the piece. */
  from = new Int32Array(FEW);
  /** Where the first value goes. */
  first = new Int32Array(FEW);
  count = new Int32Array(FEW);
  /** The next span of the same group, or −1. */
  next = new Int32Array(FEW);

  /** Adds pixels `from` … `to − 1` of a piece, and returns the number of their span. */
  add({ x, y, stepX, stepY }: Piece, from: number, to: number, first: number, set: ElementSet) {
    const span = this.length++;
    if (span === this.x.length) this.#grow();
    this.x[span] = x;
    this.y[span] = y;
    this.stepX[span] = stepX;
    this.stepY[span] = stepY;
    this.set[span] = set;
    this.from[span] = from;
    this.first[span] = first;
    this.count[span] = to - from;
    this.next[span] = -1;
    return span;
  }

  #grow(): void {
    for (const name of ["x", "y", "stepX", "stepY", "set"] as const) {
      const longer = new Float64Array(2 * this[name].length);
      longer.set(this[name]);
      this[name] = longer;
    }
    for (const name of ["from", "first", "count", "next"] as const) {
      const longer = new Int32Array(2 * this[name].length);
      longer.set(this[name]);
      this[name] = longer;
    }
  }
}

const isSingle = (set: ElementSet) => indicesOf(set).length === 1;

/**
 * Lines that are sampled together, column by column: what a column of them reads of the source, a quarter of a megabyte,
 * is copied just before and stays in the cache.
 */
const LINES_TOGETHER = 64;

/** Groups of spans, each of which reads one part of the source: their first spans. */
interface SpanGroups {
  /** Only one element weighs anything in them, and all of it; none at cuts. */
  readonly single: readonly number[];
  /** The others in the order of their sets, so that most calls of a kernel mix the same elements everywhere. */
  readonly mixed: readonly number[];
}

/** Divides lines into `spans`, which are overwritten. */
export function divideLines(
  domain: Domain,
  window: Window,
  lines: readonly Line[],
  spans: Spans,
): SpanGroups {
  spans.length = 0;
  const single: number[] = [];
  const mixed = new Map<ElementSet, number[]>();
  let total = 0;
  for (let from = 0; from < lines.length; from += LINES_TOGETHER) {
    const together = lines.slice(from, from + LINES_TOGETHER);
    for (const [set, { firsts }] of columnsOf(domain, window, together, total, spans)) {
      const isAlone = isSingle(set) && window.grid === undefined;
      const groups = isAlone ? single : (mixed.get(set) ?? []);
      groups.push(...Object.values(firsts));
      if (!isAlone) mixed.set(set, groups);
    }
    total += pixelsOf(together);
  }
  const inOrder = [...mixed].sort(([one], [other]) => one - other);
  return { single, mixed: inOrder.flatMap(([, groups]) => groups) };
}

/** The first and the last span of each column that has some. */
interface Columns {
  readonly firsts: number[];
  readonly lasts: number[];
}

/**
 * Adds the spans of lines, and returns their columns by their sets of elements.
 * @param total number of the lines' first value
 */
function columnsOf(
  domain: Domain,
  window: Window,
  lines: readonly Line[],
  total: number,
  spans: Spans,
): Map<ElementSet, Columns> {
  const bySet = new Map<ElementSet, Columns>();
  let lastSet = Number.NaN;
  let columns: Columns = { firsts: [], lasts: [] };
  let offset = total;
  let piece: Piece;
  const addSpans = (begin: number, end: number, set: ElementSet) => {
    if (set !== lastSet) {
      columns = bySet.get(set) ?? { firsts: [], lasts: [] };
      bySet.set(set, columns);
      lastSet = set;
    }
    const { first } = piece;
    for (let from = begin; from < end; ) {
      const column = Math.floor((first + from) / COLUMN_WIDTH);
      const to = Math.min(end, (column + 1) * COLUMN_WIDTH - first);
      const span = spans.add(piece, from, to, offset + first + from, set);
      const last = columns.lasts[column];
      if (last === undefined) columns.firsts[column] = span;
      else spans.next[last] = span;
      columns.lasts[column] = span;
      from = to;
    }
  };
  const split = (one: Piece) => {
    piece = one;
    splitBySets(window, one, addSpans);
  };
  for (const line of lines) {
    unfold(domain, line, split);
    offset += line.count;
  }
  return bySet;
}

/**
 * Returns a function that adds the blocks of a source that a span needs.
 * @param table of the elements
 */
export function blockAdder(blocks: PartBlocks, table: Float32Array, spans: Spans) {
  const mapsOf = new Map<ElementSet, readonly Affine[]>();
  return (span: number): void => {
    const set = spans.set[span];
    const maps = mapsOf.get(set) ?? indicesOf(set).map((index) => mapInTable(table, index));
    mapsOf.set(set, maps);
    const stepX = spans.stepX[span];
    const stepY = spans.stepY[span];
    const steps = spans.count[span] - 1;
    const startX = spans.x[span] + spans.from[span] * stepX;
    const startY = spans.y[span] + spans.from[span] * stepY;
    const endX = startX + steps * stepX;
    const endY = startY + steps * stepY;
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

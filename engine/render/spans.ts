/** Divides lines of pixels into spans, in the order in which they are sampled. */
import type { Affine } from "../geometry/affine.ts";
import type { Domain } from "../geometry/domain.ts";
import { indicesOf, splitBySets } from "../geometry/element-sets.ts";
import { type Line, type Piece, unfold } from "../geometry/unfold.ts";
import { type ElementSet, mapInTable, type Window } from "../geometry/window.ts";
import type { PartBlocks } from "../image/continued-part.ts";
import { ColumnOrder } from "./columns.ts";
import { pixelsOf } from "./lines.ts";

/** Pixels from … from + count − 1 of a piece, whose values go to first … first + count − 1. */
export interface Span {
  readonly piece: Piece;
  readonly from: number;
  readonly first: number;
  readonly count: number;
  /** The elements that may weigh anything there. */
  readonly set: ElementSet;
}

const isSingle = (set: ElementSet) => indicesOf(set).length === 1;

/**
 * Lines that are sampled together, column by column: what a column of them reads of the source, a quarter of a megabyte, is copied just
 * before and stays in the cache.
 */
const LINES_TOGETHER = 64;

/** Spans in groups, each of which reads one part of the source. */
interface SpanGroups {
  /** Only one element weighs anything in them, and all of it; none at cuts. */
  readonly single: readonly (readonly Span[])[];
  /** The others in the order of their sets, so that most calls of a kernel mix the same elements everywhere. */
  readonly mixed: readonly (readonly Span[])[];
}

/** Returns the spans of lines. */
export function spansOf(domain: Domain, window: Window, lines: readonly Line[]): SpanGroups {
  const single: Span[][] = [];
  const mixed = new Map<ElementSet, Span[][]>();
  let total = 0;
  for (let from = 0; from < lines.length; from += LINES_TOGETHER) {
    const together = lines.slice(from, from + LINES_TOGETHER);
    for (const [set, columns] of columnsOf(domain, window, together, total)) {
      const isAlone = isSingle(set) && window.grid === undefined;
      const spans = isAlone ? single : (mixed.get(set) ?? []);
      spans.push(...columns.list());
      if (!isAlone) mixed.set(set, spans);
    }
    total += pixelsOf(together);
  }
  const inOrder = [...mixed].sort(([one], [other]) => one - other);
  return { single, mixed: inOrder.flatMap(([, spans]) => spans) };
}

/**
 * Returns the spans of lines by their sets of elements and by columns.
 * @param first number of the lines' first value
 */
function columnsOf(
  domain: Domain,
  window: Window,
  lines: readonly Line[],
  first: number,
): Map<ElementSet, ColumnOrder<Span>> {
  const bySet = new Map<ElementSet, ColumnOrder<Span>>();
  let offset = first;
  for (const line of lines) {
    const start = offset;
    unfold(domain, line, (piece) =>
      splitBySets(window, piece, (from, to, set) => {
        const columns = bySet.get(set) ?? new ColumnOrder<Span>();
        bySet.set(set, columns);
        columns.add(piece.first + from, piece.first + to, (begin, end) => ({
          piece,
          from: begin - piece.first,
          first: start + begin,
          count: end - begin,
          set,
        }));
      }),
    );
    offset += line.count;
  }
  return bySet;
}

/**
 * Returns a function that adds the blocks of a source that a span needs.
 * @param table of the elements
 */
export function blockAdder(blocks: PartBlocks, table: Float32Array) {
  const mapsOf = new Map<ElementSet, readonly Affine[]>();
  return ({ piece, from, count, set }: Span): void => {
    const maps = mapsOf.get(set) ?? indicesOf(set).map((index) => mapInTable(table, index));
    mapsOf.set(set, maps);
    const { x, y, stepX, stepY } = piece;
    const [startX, startY] = [x + from * stepX, y + from * stepY];
    const [endX, endY] = [startX + (count - 1) * stepX, startY + (count - 1) * stepY];
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

/** Lists page by page, newest first. */

/** Which page of a list: at most `limit` rows with ids below `before`, where it is given. */
export interface PageRequest {
  readonly before?: number | null;
  readonly limit: number;
}

/** A page of a list, newest first; `next` is the `before` of the next page, or null at the end. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: number | null;
}

/** A page of rows that were selected with `limit + 1`: the extra row only says that there are more. */
export function page<Row extends { readonly id: number }>(
  found: readonly Row[],
  limit: number,
): Page<Row> {
  return pageBy(found, limit, ({ id }) => id);
}

/** As `page`, of rows in the order of another number than their id. */
export function pageBy<Row>(
  found: readonly Row[],
  limit: number,
  numberOf: (row: Row) => number,
): Page<Row> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: found.length > limit && last ? numberOf(last) : null };
}

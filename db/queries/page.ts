/** Lists page by page, newest first. */
import type { Page } from "../types/index.ts";

/**
 * A page of rows that were asked for with `limit` one higher than the page holds: the extra row
 * only says that there are more.
 */
export function page<Row extends { readonly id: number }>(
  found: readonly Row[],
  limit: number,
): Page<Row> {
  return pageBy(found, limit, ({ id }) => id);
}

/** Such a page of rows that are in the order of another number than their id. */
export function pageBy<Row>(
  found: readonly Row[],
  limit: number,
  numberOf: (row: Row) => number,
): Page<Row> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: found.length > limit && last ? numberOf(last) : null };
}

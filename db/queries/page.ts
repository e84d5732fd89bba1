/** Lists page by page, newest first. */
import type { Page } from "../door.ts";

/**
 * A page of rows that were asked for with `limit` one higher than the page holds: the extra row
 * only says that there are more.
 */
export function page<Row extends { readonly id: number }>(
  found: readonly Row[],
  limit: number,
): Page<Row> {
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? (rows.at(-1)?.id ?? null) : null };
}

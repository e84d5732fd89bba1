/** File names of downloads. */
import type { Pattern } from "../actions/services.ts";

/**
 * Returns a pattern's name without the characters that file systems refuse; its id if it has none.
 */
export function titleOf({ id, name }: Pick<Pattern, "id" | "name">): string {
  return name?.replace(/[\\/:*?"<>|]/g, " ").trim() || `pattern-${id}`;
}

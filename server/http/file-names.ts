/** Names to save files under. */
import type { Pattern } from "../actions/services.ts";

/** A pattern's name as far as file systems take it; of one without a name its number. */
export function titleOf({ id, name }: Pick<Pattern, "id" | "name">): string {
  return name?.replace(/[\\/:*?"<>|]/g, " ").trim() || `pattern-${id}`;
}

/** The text chunks of a PNG that describe how to reproduce it. */

import type { SheetRequest } from "../recipe/index.ts";
import { ENGINE_VERSION } from "../version.ts";
import { canonicalRender } from "./canonical.ts";

/** Keyword of the recipe's text chunk. */
export const RECIPE_KEYWORD = "orbifold";

/**
 * Returns a PNG's ASCII texts by keyword: the program, and the recipe as JSON, which has the canonical
 * fields of the pattern and the request and the source's SHA-256. Requests for the same picture have
 * the same texts, which say nothing about the caller or the time.
 */
export function recipeTexts({ design, source, render }: SheetRequest): Record<string, string> {
  const recipe = { ...canonicalRender(design, render), source_sha256: source.sha256 };
  return {
    Software: `orbifold, engine ${ENGINE_VERSION}`,
    [RECIPE_KEYWORD]: asciiJson(recipe),
  };
}

/** Serialises to ASCII JSON with the members of objects sorted by name. */
function asciiJson(value: object): string {
  const json = JSON.stringify(value, (_, member: unknown) =>
    typeof member !== "object" || member === null || Array.isArray(member)
      ? member
      : Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))),
  );
  return json.replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

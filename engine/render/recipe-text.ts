/** What a PNG says of how it was made, so that whoever has the file can have it made again. */
import { canonicalRender } from "../canonical.ts";
import type { RenderRequest } from "../door.ts";
import { ENGINE_VERSION } from "../version.ts";

/** The keyword of the recipe's text. */
export const RECIPE_KEYWORD = "orbifold";

/**
 * A PNG's texts by their keywords, in ASCII: the program, and the render's recipe as JSON — the
 * fields of the pattern and of the request in their canonical form, and the SHA-256 of the source.
 * Requests for the same picture have the same texts; they tell nothing of who asks, nor when.
 */
export function recipeTexts({ design, source, render }: RenderRequest): Record<string, string> {
  const recipe = { ...canonicalRender(design, render), source_sha256: source.sha256 };
  return {
    Software: `orbifold, engine ${ENGINE_VERSION}`,
    [RECIPE_KEYWORD]: asciiJson(recipe),
  };
}

/** JSON in which the order of an object's members, which depends on who wrote it, is that of their names. */
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

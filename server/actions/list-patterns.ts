import Type, { type Static } from "typebox";
import type { Page, Pattern } from "../../db/index.ts";
import { patternFields, readGroup } from "./pattern-input.ts";
import { strict } from "./resources/fields.ts";
import { pageFields, readCursor } from "./resources/page.ts";
import type { Services } from "./services.ts";

export const PatternList = Type.Object(
  {
    ...pageFields,
    group: Type.Optional(patternFields.group),
    source_id: Type.Optional(patternFields.source_id),
  },
  strict,
);

/**
 * A page of the account's patterns, newest first, of one group or one source if asked.
 * Throws InvalidInput for an unknown group or a foreign cursor.
 */
export async function listPatterns(
  { db }: Services,
  accountId: number,
  { cursor, limit, group, source_id }: Static<typeof PatternList>,
): Promise<Page<Pattern>> {
  return db.patterns.list(accountId, {
    ...readCursor(cursor),
    limit,
    ...(group !== undefined && { group: readGroup(group) }),
    ...(source_id !== undefined && { source_id }),
  });
}

import Type, { type Static } from "typebox";
import type { Export, Page } from "../../db/index.ts";
import { Id, strict } from "./resources/fields.ts";
import { pageFields, readCursor } from "./resources/page.ts";
import type { Services } from "./services.ts";

export const ExportList = Type.Object({ ...pageFields, pattern_id: Type.Optional(Id) }, strict);

/** A page of the account's exports, newest first. Throws InvalidInput for a foreign cursor. */
export async function listExports(
  { db }: Services,
  accountId: number,
  { cursor, ...filter }: Static<typeof ExportList>,
): Promise<Page<Export>> {
  return db.exports.list(accountId, { ...readCursor(cursor), ...filter });
}

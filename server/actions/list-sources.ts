import Type, { type Static } from "typebox";
import type { Page, Source } from "../../db/index.ts";
import { strict } from "./resources/fields.ts";
import { pageFields, readCursor } from "./resources/page.ts";
import type { Services } from "./services.ts";

export const SourceList = Type.Object(pageFields, strict);

/** A page of the account's sources, newest first. Throws InvalidInput for a foreign cursor. */
export async function listSources(
  { db }: Services,
  accountId: number,
  { cursor, limit }: Static<typeof SourceList>,
): Promise<Page<Source>> {
  return db.sources.list(accountId, { ...readCursor(cursor), limit });
}

import Type, { type Static } from "typebox";
import type { Account, CreditEntry, Page } from "../../db/index.ts";
import { strict } from "./resources/fields.ts";
import { pageFields, readCursor } from "./resources/page.ts";
import type { Services } from "./services.ts";

export const CreditList = Type.Object(pageFields, strict);

/** A page of what changed the account's balance, newest first. Throws InvalidInput for a foreign cursor. */
export async function listCredits(
  { db }: Services,
  { id }: Account,
  { cursor, limit }: Static<typeof CreditList>,
): Promise<Page<CreditEntry>> {
  return db.credits.entries(id, { ...readCursor(cursor), limit });
}

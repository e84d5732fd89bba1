import { NotFound } from "./errors.ts";
import type { Services } from "./services.ts";

/** Removes a pattern of the account. Throws NotFound. */
export async function deletePattern(
  { db }: Services,
  accountId: number,
  id: number,
): Promise<void> {
  if (!(await db.patterns.delete(accountId, id))) throw new NotFound(`pattern ${id}`);
}

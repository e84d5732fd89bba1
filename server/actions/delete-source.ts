import { NotFound } from "./errors.ts";
import type { Services } from "./services.ts";

/** Removes a source of the account. Throws NotFound, and Conflict while a pattern uses it. */
export async function deleteSource({ db }: Services, accountId: number, id: number): Promise<void> {
  if (!(await db.sources.delete(accountId, id))) throw new NotFound(`source ${id}`);
}

import type { Export } from "../../db/index.ts";
import { NotFound } from "./errors.ts";
import type { Services } from "./services.ts";

/** One export of the account. Throws NotFound. */
export async function getExport({ db }: Services, accountId: number, id: number): Promise<Export> {
  const found = await db.exports.get(accountId, id);
  if (!found) throw new NotFound(`export ${id}`);
  return found;
}

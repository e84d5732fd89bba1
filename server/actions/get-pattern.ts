import type { Pattern } from "../../db/index.ts";
import { NotFound } from "./errors.ts";
import type { Services } from "./services.ts";

/** One pattern of the account. Throws NotFound. */
export async function getPattern(
  { db }: Pick<Services, "db">,
  accountId: number,
  id: number,
): Promise<Pattern> {
  const pattern = await db.patterns.get(accountId, id);
  if (!pattern) throw new NotFound(`pattern ${id}`);
  return pattern;
}

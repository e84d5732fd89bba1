import type { Mockup } from "../../db/index.ts";
import { NotFound } from "./errors.ts";
import type { Services } from "./services.ts";

/** The mockups of one of the account's patterns, by product. Throws NotFound. */
export async function listMockups(
  { db }: Services,
  accountId: number,
  patternId: number,
): Promise<readonly Mockup[]> {
  const mockups = await db.mockups.list(accountId, patternId);
  if (!mockups) throw new NotFound(`pattern ${patternId}`);
  return mockups;
}

import type { Pattern } from "../../db/index.ts";
import { ChangedMeanwhile, NotFound } from "./errors.ts";
import { getPattern } from "./get-pattern.ts";
import type { Services } from "./services.ts";

/**
 * Removes a pattern of the account; with `wants`, only the stored version that it accepts. Throws
 * NotFound, ChangedMeanwhile.
 */
export async function deletePattern(
  services: Services,
  accountId: number,
  id: number,
  wants?: (stored: Pattern) => boolean,
): Promise<void> {
  const { patterns } = services.db;
  if (wants) {
    const stored = await getPattern(services, accountId, id);
    if (wants(stored) && (await patterns.delete(accountId, id, stored.version))) return;
    throw new ChangedMeanwhile(`pattern ${id}`);
  }
  if (!(await patterns.delete(accountId, id))) throw new NotFound(`pattern ${id}`);
}

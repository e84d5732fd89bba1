import { Conflict, type Source } from "../../db/index.ts";
import { deleteSource } from "./delete-source.ts";
import { NotFound } from "./errors.ts";
import type { Services } from "./services.ts";

/** Sources that are removed in one go at most. */
export const CLEAN_UP_MAXIMUM = 1000;

/**
 * Removes the account's preset sources that no pattern uses, the oldest first; with `isDryRun`
 * nothing happens to them. Gives those that were, or would be, removed.
 */
export async function cleanUpPresets(
  services: Services,
  accountId: number,
  isDryRun: boolean,
): Promise<readonly Source[]> {
  const unused = await services.db.sources.unusedPresets(accountId, CLEAN_UP_MAXIMUM);
  if (isDryRun) return unused;
  const removed: Source[] = [];
  for (const source of unused) {
    try {
      await deleteSource(services, accountId, source.id);
      removed.push(source);
    } catch (error) {
      // A pattern was made of it, or somebody else removed it, in this very moment.
      if (!(error instanceof Conflict || error instanceof NotFound)) throw error;
    }
  }
  return removed;
}

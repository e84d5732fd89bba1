/** Ids after a restore. */
import { openSession } from "./pool.ts";

/**
 * Ids that are left out, so that those that were given after the backup are not given again: tokens, shops and agents
 * may hold them.
 */
const SKIPPED_IDS = 1_000_000;

/** Raises the next id of every table, and returns by how much. */
export async function skipIds(url: string): Promise<number> {
  const session = await openSession(url);
  try {
    await session.query(
      `select setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, 0) + $1)
       from pg_sequences where schemaname = 'public'`,
      [SKIPPED_IDS],
    );
    return SKIPPED_IDS;
  } finally {
    await session.end();
  }
}

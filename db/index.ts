/** The database's only door. */
import { relative } from "node:path";
import { type DatabasePool, sql } from "slonik";
import type { Database, DatabaseOptions } from "./door.ts";
import { openEmbedded } from "./embedded.ts";
import { migrate } from "./migrate.ts";
import { openPool, place } from "./pool.ts";
import { accountQueries } from "./queries/accounts.ts";
import { apiKeyQueries } from "./queries/api-keys.ts";
import { patternQueries } from "./queries/patterns.ts";
import { sourceQueries } from "./queries/sources.ts";

export type {
  Account,
  ApiKey,
  Database,
  DatabaseOptions,
  NewSource,
  Page,
  Pattern,
  PatternFields,
  Plan,
  Source,
} from "./door.ts";
export { Conflict, CreditsExhausted } from "./door.ts";
export { SchemaMismatch } from "./migrate.ts";
export { DatabaseUnavailable } from "./pool.ts";

/** A folder as people would name it from where they are. */
function shown(folder: string): string {
  const near = relative("", folder);
  return near.startsWith("..") ? folder : near || ".";
}

/** What is the same for every database once it is migrated. */
async function wrap(
  pool: DatabasePool,
  description: string,
  isEmbedded: boolean,
  release: () => Promise<void>,
): Promise<Database> {
  return {
    description,
    isNew: isEmbedded && !(await pool.exists(sql.unsafe`select from accounts`)),
    accounts: accountQueries(pool),
    apiKeys: apiKeyQueries(pool),
    sources: sourceQueries(pool),
    patterns: patternQueries(pool),
    ping: async () => {
      await pool.query(sql.unsafe`select 1`);
    },
    close: async () => {
      await pool.end();
      await release();
    },
  };
}

/**
 * Opens the database, brings it to this version's shape and gives its queries. Throws
 * `DatabaseUnavailable` when it cannot be reached or started, `SchemaMismatch` when it was made by
 * a newer version or by changed migrations; both messages are one line for the operator.
 */
export async function openDatabase({ url, dataDir, log }: DatabaseOptions): Promise<Database> {
  const embedded = url === undefined ? await openEmbedded(dataDir, log) : null;
  const release = () => embedded?.release() ?? Promise.resolve();
  try {
    const server = url ?? embedded?.url ?? "";
    const version = await migrate(server, log);
    const description = embedded
      ? `embedded PostgreSQL ${version} in ${shown(dataDir)}`
      : `PostgreSQL ${version} at ${place(server)}`;
    return await wrap(await openPool(server), description, embedded !== null, release);
  } catch (error) {
    await release();
    throw error;
  }
}

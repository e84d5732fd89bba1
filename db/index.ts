/** The database's only door. */
import { relative } from "node:path";
import { type DatabasePool, sql } from "slonik";
import type { Connection } from "./connection.ts";
import type { Database, DatabaseOptions } from "./door.ts";
import { openEmbedded } from "./embedded.ts";
import { migrate } from "./migrate.ts";
import { subscribe } from "./notifications.ts";
import { openPool, place } from "./pool.ts";
import { accountQueries } from "./queries/accounts.ts";
import { apiKeyQueries } from "./queries/api-keys.ts";
import { creditQueries } from "./queries/credits.ts";
import { idempotencyQueries } from "./queries/idempotency.ts";
import { FRAMES_CHANNEL, mcpSessionQueries } from "./queries/mcp-sessions.ts";
import { patternQueries } from "./queries/patterns.ts";
import { secretQueries } from "./queries/secrets.ts";
import { sourceQueries } from "./queries/sources.ts";
import { openRateLimits, type RateLimits } from "./rate-limits.ts";

export type {
  Account,
  ApiKey,
  Claim,
  CreditEntry,
  Database,
  DatabaseOptions,
  McpNode,
  McpSession,
  NewSource,
  Page,
  Pattern,
  PatternFields,
  Plan,
  RateLimitUse,
  Source,
} from "./door.ts";
export { Conflict, CREDIT_REASONS, CreditsExhausted } from "./door.ts";
export { SchemaMismatch } from "./migrate.ts";
export { DatabaseUnavailable } from "./pool.ts";

/** A folder as people would name it from where they are. */
function shown(folder: string): string {
  const near = relative("", folder);
  return near.startsWith("..") ? folder : near || ".";
}

/** What is the same for every database once it is migrated. */
async function wrap(
  url: string,
  pool: DatabasePool,
  rateLimits: RateLimits,
  description: string,
  isEmbedded: boolean,
  release: () => Promise<void>,
): Promise<Database> {
  const whole = {
    description,
    isNew: isEmbedded && !(await pool.exists(sql.unsafe`select from accounts`)),
    rateLimits,
    ping: async () => {
      await pool.query(sql.unsafe`select 1`);
    },
    close: async () => {
      await Promise.all([pool.end(), rateLimits.close()]);
      await release();
    },
  };
  const bind = (connection: Connection): Database => ({
    ...whole,
    accounts: accountQueries(connection),
    apiKeys: apiKeyQueries(connection),
    credits: creditQueries(connection),
    idempotency: idempotencyQueries(pool, bind),
    mcpSessions: mcpSessionQueries(connection, (heard, missed) =>
      subscribe(url, FRAMES_CHANNEL, heard, missed),
    ),
    secrets: secretQueries(connection),
    sources: sourceQueries(connection),
    patterns: patternQueries(connection),
  });
  return bind(pool);
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
    const pool = await openPool(server);
    const rateLimits = openRateLimits(server);
    return await wrap(server, pool, rateLimits, description, embedded !== null, release);
  } catch (error) {
    await release();
    throw error;
  }
}

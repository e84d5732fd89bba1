/** The database's only door. */
import { relative } from "node:path";
import { type DatabasePool, sql } from "slonik";
import { callHolder } from "./connection/call-holder.ts";
import { subscribe } from "./connection/notifications.ts";
import { openPool, place } from "./connection/pool.ts";
import { preparedStatementClient } from "./connection/prepared-statement-client.ts";
import type { Connection } from "./connection/types.ts";
import { openEmbedded } from "./embedded/index.ts";
import { openJobs } from "./jobs/index.ts";
import type { JobsOptions } from "./jobs/types.ts";
import { migrate } from "./migrations/migrate.ts";
import { accountQueries } from "./queries/accounts.ts";
import { apiKeyQueries } from "./queries/api-keys.ts";
import { admission } from "./queries/authenticate-and-count.ts";
import { creditQueries } from "./queries/credits.ts";
import { deliveryQueries } from "./queries/deliveries.ts";
import { exportQueries } from "./queries/exports.ts";
import { handoffQueries } from "./queries/handoffs.ts";
import { idempotencyQueries } from "./queries/idempotency.ts";
import { listJobs } from "./queries/list-jobs.ts";
import { mailTokenQueries } from "./queries/mail-tokens.ts";
import { FRAMES_CHANNEL, mcpSessionQueries } from "./queries/mcp-sessions.ts";
import { mockupQueries } from "./queries/mockups.ts";
import { oldestJobSeconds } from "./queries/oldest-job.ts";
import { patternQueries } from "./queries/patterns.ts";
import { pinnedRenderQueries } from "./queries/pinned-renders.ts";
import { rateLimitQueries } from "./queries/rate-limits.ts";
import { secretQueries } from "./queries/secrets.ts";
import { sourceQueries } from "./queries/sources.ts";
import { sweepRateLimits } from "./queries/sweep-rate-limits.ts";
import { webhookQueries } from "./queries/webhooks.ts";
import { DEFAULT_QUOTAS, type Quotas } from "./quotas.ts";
import type { Database, DatabaseOptions } from "./types/index.ts";

export {
  DatabaseUnavailable,
  isDatabaseAway,
  isDatabaseDamaged,
  isDatabaseFull,
} from "./connection/pool.ts";
export { SchemaMismatch } from "./migrations/migrate.ts";
export type {
  Account,
  Admission,
  ApiKey,
  Attempt,
  Claim,
  Credentials,
  CreditEntry,
  Database,
  DatabaseOptions,
  Delivery,
  EventName,
  Export,
  ExportRun,
  FailedJob,
  Handoff,
  Job,
  Jobs,
  MailPurpose,
  McpListener,
  McpNode,
  Mockup,
  NewSource,
  Outcome,
  OutgoingDelivery,
  Page,
  Pattern,
  PatternFields,
  Plan,
  QueueName,
  Quotas,
  RateLimitUse,
  Source,
  Webhook,
} from "./types/index.ts";
export {
  CHUNK_BYTES,
  Conflict,
  CorruptedContent,
  CREDIT_REASONS,
  CreditsExhausted,
  DEFAULT_QUOTAS,
  DELIVERY_STATES,
  DISABLED_REASONS,
  ENFORCED_QUOTAS,
  EXPORT_STATES,
  JOB_STATES,
  MOCKUP_STATES,
  QUOTAS,
  QuotaExceeded,
  Superseded,
} from "./types/index.ts";

/** A folder as people would name it from where they are. */
function shown(folder: string): string {
  const near = relative("", folder);
  return near.startsWith("..") ? folder : near || ".";
}

/** What is the same for every database once it is migrated. */
async function wrap(
  url: string,
  pool: DatabasePool,
  description: string,
  isEmbedded: boolean,
  quotas: Quotas,
  release: () => Promise<void>,
): Promise<Database> {
  const forgetExpired = async () => {
    await exportQueries(pool, quotas).forgetExpired();
    await pinnedRenderQueries(pool, quotas).forgetExpired();
  };
  const session = preparedStatementClient(url);
  const holder = callHolder(url);
  const whole = {
    description,
    quotas,
    isNew: isEmbedded && !(await pool.exists(sql.unsafe`select from accounts`)),
    openJobs: (options: JobsOptions) =>
      openJobs(url, options, (connection) => bind(connection, null), forgetExpired),
    oldestJobSeconds: () => oldestJobSeconds(pool),
    ping: async () => {
      await pool.query(sql.unsafe`select 1`);
    },
    close: async () => {
      await session.close();
      await holder.close();
      await pool.end();
      await release();
    },
  };
  const sweep = sweepRateLimits(pool);
  const rateLimits = rateLimitQueries(session, sweep);
  const admit = admission(pool, session, sweep);
  const bind = (connection: Connection, handoffId: number | null): Database => ({
    ...whole,
    forGuest: (id) => bind(connection, id),
    accounts: accountQueries(connection),
    // Counted for good, whatever becomes of a transaction.
    apiKeys: { ...apiKeyQueries(connection, quotas), admit },
    credits: creditQueries(connection),
    listJobs: (which) => listJobs(connection, which),
    deliveries: deliveryQueries(connection),
    exports: exportQueries(connection, quotas),
    handoffs: handoffQueries(connection),
    idempotency: idempotencyQueries(pool, holder, (bound) => bind(bound, handoffId)),
    mailTokens: mailTokenQueries(connection),
    mcpSessions: mcpSessionQueries(connection, (heard, missed) =>
      subscribe(url, FRAMES_CHANNEL, heard, missed),
    ),
    mockups: mockupQueries(connection, handoffId, quotas),
    rateLimits,
    secrets: secretQueries(connection),
    sources: sourceQueries(connection, handoffId, quotas),
    patterns: patternQueries(connection, handoffId, quotas),
    pinnedRenders: pinnedRenderQueries(connection, quotas),
    webhooks: webhookQueries(connection),
  });
  return bind(pool, null);
}

/**
 * Opens the database, brings it to this version's shape and gives its queries. Throws
 * `DatabaseUnavailable` when it cannot be reached or started, `SchemaMismatch` when it was made by
 * a newer version or by changed migrations, `NoDatabase` where none may be created; the messages are
 * one line for the operator.
 */
export async function openDatabase({ url, ...options }: DatabaseOptions): Promise<Database> {
  const { dataDir, quotas = DEFAULT_QUOTAS, log } = options;
  const embedded = url === undefined ? await openEmbedded(options) : null;
  const release = () => embedded?.release() ?? Promise.resolve();
  try {
    const server = url ?? embedded?.url ?? "";
    const version = await migrate(server, log);
    const description = embedded
      ? `embedded PostgreSQL ${version} in ${shown(dataDir)}`
      : `PostgreSQL ${version} at ${place(server)}`;
    const pool = await openPool(server);
    return await wrap(server, pool, description, embedded !== null, quotas, release);
  } catch (error) {
    await release();
    throw error;
  }
}

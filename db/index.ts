/** The database's public API. */
import { hash } from "node:crypto";
import { relative } from "node:path";
import { sql } from "slonik";
import { subscribe } from "./connection/notifications.ts";
import { describeHost, openPool } from "./connection/pool.ts";
import { preparedStatementClient } from "./connection/prepared-statement-client.ts";
import { processLock } from "./connection/process-lock.ts";
import { skipIds } from "./connection/skip-ids.ts";
import type { Connection } from "./connection/types.ts";
import type { EmbeddedOptions } from "./embedded/cluster.ts";
import { openEmbedded } from "./embedded/index.ts";
import { openJobs } from "./jobs/index.ts";
import type { Job as BoundJob, JobsOptions, QueueName } from "./jobs/types.ts";
import { migrate } from "./migrations/migrate.ts";
import { accountQueries } from "./queries/accounts.ts";
import { apiKeyQueries } from "./queries/api-keys.ts";
import { createAuthenticateAndCount } from "./queries/authenticate-and-count.ts";
import { batchRunQueries } from "./queries/batch-runs.ts";
import { batchQueries } from "./queries/batches.ts";
import { creditQueries } from "./queries/credits.ts";
import { deliveryQueries } from "./queries/deliveries.ts";
import { exportQueries } from "./queries/exports.ts";
import { handoffSecretQueries } from "./queries/handoff-secrets.ts";
import { handoffQueries } from "./queries/handoffs.ts";
import { type Claim as BoundClaim, idempotencyQueries } from "./queries/idempotency.ts";
import { jobBacklog, oldestJobSeconds } from "./queries/job-backlog.ts";
import { type JobFilter, listJobs } from "./queries/list-jobs.ts";
import { mailTokenQueries } from "./queries/mail-tokens.ts";
import { MESSAGES_CHANNEL, mcpSessionQueries } from "./queries/mcp-sessions.ts";
import { mockupQueries } from "./queries/mockups.ts";
import { moveQueries } from "./queries/move-bytes.ts";
import { operatorActionQueries } from "./queries/operator-actions.ts";
import { patternQueries } from "./queries/patterns.ts";
import { pinnedRenderQueries } from "./queries/pinned-renders.ts";
import { rateLimitQueries, sweepRateLimits } from "./queries/rate-limits.ts";
import { renderNodeQueries } from "./queries/render-nodes.ts";
import { DEFAULT_RETENTION, deleteExpired, type Retention } from "./queries/retention.ts";
import { accountSearchQueries } from "./queries/search-accounts.ts";
import { secretQueries } from "./queries/secrets.ts";
import { sourceQueries } from "./queries/sources.ts";
import {
  type ObjectStorage,
  objectCleaning,
  type StoredObjects,
  storedObjects,
} from "./queries/stored-objects.ts";
import { webhookQueries } from "./queries/webhooks.ts";
import { DEFAULT_QUOTAS, guestQuotas, type Quotas } from "./quotas.ts";

export { CHUNK_BYTES } from "./connection/chunks.ts";
export {
  DatabaseUnavailable,
  isDatabaseDamaged,
  isDatabaseFull,
  isDatabaseUnavailable,
} from "./connection/pool.ts";
export { backUp } from "./embedded/backup.ts";
export { restore } from "./embedded/restore.ts";
export * from "./errors.ts";
export type { FailedJob, LinkPurpose, MailPurpose, QueueName } from "./jobs/types.ts";
export { SchemaMismatch } from "./migrations/migrate.ts";
export { type ObjectStore, ObjectStoreUnavailable } from "./object-store.ts";
export { type Account, type Credentials, ROLES, type Role } from "./queries/accounts.ts";
export type { ApiKey } from "./queries/api-keys.ts";
export type { AuthenticatedKey } from "./queries/authenticate-and-count.ts";
export type { BatchOutcome, BatchRun } from "./queries/batch-runs.ts";
export {
  BATCH_ITEM_STATES,
  BATCH_STATES,
  type Batch,
  type BatchItem,
  type BatchSubject,
} from "./queries/batches.ts";
export { CREDIT_REASONS, type CreditEntry } from "./queries/credits.ts";
export {
  type Attempt,
  DELIVERY_STATES,
  type Delivery,
  type DeliveryDetails,
  type Outcome,
  type OutgoingDelivery,
} from "./queries/deliveries.ts";
export { EVENT_FIELDS, type EventName, Id } from "./queries/events.ts";
export type { ExportRun } from "./queries/export-runs.ts";
export { EXPORT_STATES, type Export } from "./queries/exports.ts";
export type { Handoff } from "./queries/handoffs.ts";
export { JOB_STATES } from "./queries/list-jobs.ts";
export type { McpListener } from "./queries/mcp-sessions.ts";
export { MOCKUP_STATES, type Mockup } from "./queries/mockups.ts";
export { STORAGE_PLACES, type StoragePlace } from "./queries/mover.ts";
export {
  OPERATOR_ACTIONS,
  type OperatorAction,
  type Responsible,
} from "./queries/operator-actions.ts";
export type { Page } from "./queries/page.ts";
export type { Pattern, PatternFields } from "./queries/patterns.ts";
export type { RateLimitUse } from "./queries/rate-limits.ts";
export type { RenderNodeRow } from "./queries/render-nodes.ts";
export { DEFAULT_RETENTION, RETENTIONS, type Retention } from "./queries/retention.ts";
export type { FoundAccount } from "./queries/search-accounts.ts";
export type { NewSource, Source } from "./queries/sources.ts";
export type { ObjectStorage } from "./queries/stored-objects.ts";
export { DISABLED_REASONS, type Webhook } from "./queries/webhooks.ts";
export * from "./quotas.ts";

export interface DatabaseOptions extends EmbeddedOptions {
  /** A connection string. Default: the embedded PostgreSQL in `dataDir`, which is started or found. */
  readonly url?: string;
  /** Default: `DEFAULT_QUOTAS`. */
  readonly quotas?: Quotas;
  /** Default: `DEFAULT_RETENTION`. */
  readonly retention?: Retention;
  /** Where sources, exports and mockups are stored. Default: in the database. */
  readonly objects?: ObjectStorage | null;
}

/** Everything that the server asks of the database. */
export interface Database extends SharedQueries, ReturnType<typeof queriesOn> {
  /** The queries of a guest: of sources, patterns and mockups, on what was made in the handoff. */
  forGuest(handoffId: number): Database;
  readonly idempotency: ReturnType<typeof idempotencyQueries<Database>>;
  /** Starts this process's job workers. */
  openJobs(options: JobsOptions): ReturnType<typeof openJobs<Database>>;
}
type SharedQueries = Awaited<ReturnType<typeof openShared>>["queries"];

export type Claim = BoundClaim<Database>;
export type Job<Queue extends QueueName> = BoundJob<Queue, Database>;
export type Jobs = Awaited<ReturnType<Database["openJobs"]>>;
export type McpNode = Awaited<ReturnType<Database["mcpSessions"]["join"]>>;

const MINUTE = 60_000;

/** Names this database in a bucket that it may share with others. */
async function installationId(pool: Connection): Promise<string> {
  const secret = await secretQueries(pool).get("object store");
  return hash("sha256", secret, "hex").slice(0, 16);
}

/** The path of a folder, relative where it lies below the working directory. */
function shortPath(folder: string): string {
  const path = relative("", folder);
  return path.startsWith("..") ? folder : path || ".";
}

/** The connections of a database, and the queries that are the same on all of them. */
async function openShared(
  url: string,
  description: string,
  isEmbedded: boolean,
  quotas: Quotas,
  retention: Retention,
  storage: ObjectStorage | null,
  release: () => Promise<void>,
) {
  const pool = await openPool(url);
  const objects = storedObjects(storage, storage ? await installationId(pool) : "");
  const cleaning = objectCleaning(pool, objects);
  const session = preparedStatementClient(url);
  const lock = processLock(url);
  const sweep = sweepRateLimits(pool);
  const queries = {
    /** The server, without a password: `embedded PostgreSQL 18 in .data`, `PostgreSQL 17 at host/db`. */
    description,
    /** True when the database is embedded and holds no account yet. */
    isNew: isEmbedded && !(await pool.exists(sql.unsafe`select from accounts`)),
    quotas,
    rateLimits: rateLimitQueries(session, sweep),
    oldestJobSeconds: () => oldestJobSeconds(pool),
    jobBacklog: () => jobBacklog(pool),
    renderNodes: renderNodeQueries(pool),
    deleteExpired: () => deleteExpired(pool, retention),
    /** Raises the next id of every table, after a restore, and returns by how much. */
    skipIds: () => skipIds(url),
    ...cleaning,
    ...moveQueries(pool, objects),
    /** Returns the pool's connections by state, and the queries that wait for one. */
    connections: () => {
      const { acquiredConnections, idleConnections, pendingConnections, waitingClients } =
        pool.state();
      return {
        busy: acquiredConnections,
        idle: idleConnections,
        opening: pendingConnections,
        waiting: waitingClients,
      };
    },
    /** Resolves when the database answers; for readiness checks. */
    ping: async () => {
      await pool.query(sql.unsafe`select 1`);
    },
    /** Closes the connections, and stops the embedded database if no other process uses it. */
    close: async () => {
      await session.close();
      await lock.close();
      await pool.end();
      await release();
    },
  };
  return {
    pool,
    lock,
    objects,
    authenticateAndCount: createAuthenticateAndCount(pool, session, sweep),
    queries,
  };
}

/** The queries on one connection: the pool, a transaction or a job's transaction. */
function queriesOn(
  connection: Connection,
  handoffId: number | null,
  quotas: Quotas,
  retention: Retention,
  url: string,
  objects: StoredObjects,
  authenticateAndCount: ReturnType<typeof createAuthenticateAndCount>,
) {
  const creatorQuotas = handoffId === null ? quotas : guestQuotas(quotas);
  return {
    accounts: { ...accountQueries(connection, retention), ...accountSearchQueries(connection) },
    // A request counts even when the transaction is rolled back.
    apiKeys: { ...apiKeyQueries(connection, quotas), authenticateAndCount },
    batches: {
      ...batchQueries(connection, quotas, retention),
      ...batchRunQueries(connection, retention),
    },
    credits: creditQueries(connection),
    deliveries: deliveryQueries(connection),
    exports: exportQueries(connection, quotas, retention, objects),
    handoffs: handoffQueries(connection),
    handoffSecrets: handoffSecretQueries(connection),
    listJobs: (filter: JobFilter) => listJobs(connection, filter),
    mailTokens: mailTokenQueries(connection),
    mcpSessions: mcpSessionQueries(connection, (onNotification, onReconnect) =>
      subscribe(url, MESSAGES_CHANNEL, onNotification, onReconnect),
    ),
    operatorActions: operatorActionQueries(connection),
    mockups: mockupQueries(connection, handoffId, creatorQuotas, objects),
    patterns: patternQueries(connection, handoffId, creatorQuotas),
    pinnedRenders: pinnedRenderQueries(connection, quotas),
    secrets: secretQueries(connection),
    sources: sourceQueries(connection, handoffId, creatorQuotas, objects),
    webhooks: webhookQueries(connection),
  };
}

/**
 * Opens the database and applies missing migrations. Throws `DatabaseUnavailable` when it cannot be
 * reached or started, `SchemaMismatch` when a newer version has removed what this one uses, or by changed migrations,
 * `NoDatabase` where none may be created; the messages are one line for the operator.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { dataDir, quotas = DEFAULT_QUOTAS, retention = DEFAULT_RETENTION, log } = options;
  const embedded = options.url === undefined ? await openEmbedded(options) : null;
  const release = () => embedded?.release() ?? Promise.resolve();
  try {
    const url = options.url ?? embedded?.url ?? "";
    const version = await migrate(url, log);
    const description = embedded
      ? `embedded PostgreSQL ${version} in ${shortPath(dataDir)}`
      : `PostgreSQL ${version} at ${describeHost(url)}`;
    const { pool, lock, objects, authenticateAndCount, queries } = await openShared(
      url,
      description,
      embedded !== null,
      quotas,
      retention,
      options.objects ?? null,
      release,
    );
    const bind = (connection: Connection, handoffId: number | null): Database => ({
      ...queries,
      ...queriesOn(connection, handoffId, quotas, retention, url, objects, authenticateAndCount),
      forGuest: (id) => bind(connection, id),
      idempotency: idempotencyQueries(pool, lock, (bound) => bind(bound, handoffId)),
      openJobs: (jobsOptions) =>
        openJobs(url, jobsOptions, (bound) => bind(bound, null), [
          { run: queries.deleteExpired, everyMs: 10 * MINUTE },
          { run: queries.deleteRemoved, everyMs: MINUTE },
          // Soon, as a process may not run for hours.
          { run: queries.deleteOrphans, everyMs: 6 * 60 * MINUTE, firstMs: 5 * MINUTE },
        ]),
    });
    return bind(pool, null);
  } catch (error) {
    await release();
    throw error;
  }
}

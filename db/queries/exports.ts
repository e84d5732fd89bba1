/** Exports: files for print, made by a job. */
import { type FragmentSqlToken, sql } from "slonik";
import Type from "typebox";
import { columnsOf, idRow, Nullable, type RowOf, row, Timestamp } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { Conflict, Superseded } from "../errors.ts";
import { QuotaExceeded, type Quotas } from "../quotas.ts";
import { exportFileQueries, insertChunkHashes } from "./export-files.ts";
import { checkRun, type ExportRun, isRunning, type MadeFile, superseded } from "./export-runs.ts";
import { requestJob } from "./outbox.ts";
import { type PageRequest, page } from "./page.ts";
import type { Retention } from "./retention.ts";
import type { StoredObjects } from "./stored-objects.ts";
import { checkQuotas } from "./usage.ts";

export const EXPORT_STATES = ["queued", "running", "done", "failed"] as const;

const exportRow = row({
  id: Type.Integer(),
  account_id: Type.Integer(),
  pattern_id: Type.Integer(),
  /** The pattern as it was when the export was ordered. */
  design: Type.Unknown(),
  source_sha256: Type.String(),
  /** The request. */
  fields: Type.Unknown(),
  preflight: Type.Unknown(),
  media_type: Type.String(),
  status: Type.Enum(EXPORT_STATES),
  /** Percent. */
  progress: Type.Integer(),
  /** Of the pattern's symmetry; null before it is done, and where it has none to certify. */
  certificate: Type.Unknown(),
  /** Why it failed. */
  error: Nullable(Type.String()),
  /** Length and SHA-256 in hex of the file, once it is done. */
  bytes: Nullable(Type.Integer()),
  sha256: Nullable(Type.String()),
  created_at: Timestamp,
  finished_at: Nullable(Timestamp),
  expires_at: Nullable(Timestamp),
});
const exportColumns = columnsOf(exportRow);

/** A file for print. */
export type Export = RowOf<typeof exportRow>;

type NewExport = Pick<
  Export,
  "pattern_id" | "design" | "source_sha256" | "fields" | "preflight" | "media_type"
>;

interface ExportLimits {
  /** What the export counts as until it is done. */
  readonly estimatedBytes: number;
  /** Unfinished exports that the account may have, this one included. */
  readonly unfinishedAtMost: number;
}

/** A finished file. */
interface FileFacts extends MadeFile {
  readonly certificate: unknown;
}

const runRow = row({ run: Type.Integer(), failures: Type.Integer() });
const countedRow = row({ account_id: Type.Integer(), counted_bytes: Type.Integer() });
const unfinishedRow = row({ unfinished: Type.Integer() });

/** An expired export does not exist for callers, even before it is deleted. */
const isKept = sql.fragment`(expires_at is null or expires_at > now())`;

const jsonb = (value: unknown) => sql.fragment`${JSON.stringify(value)}::jsonb`;

export function exportQueries(
  pool: Connection,
  quotas: Quotas,
  retention: Retention,
  objects: StoredObjects,
) {
  const settle = (connection: Connection, run: ExportRun, changes: FragmentSqlToken) =>
    connection.maybeOne(sql.type(idRow)`
      update exports set ${changes}, finished_at = now(),
        expires_at = now() + ${`${retention.exports} d`}::interval
      where ${isRunning(run)} returning id`);

  return {
    ...exportFileQueries(pool, objects),

    /**
     * Orders a file, to be made by the job `make_export`. Null when the pattern is not the account's.
     * Throws `QuotaExceeded`, and `Conflict` where the account has too many unfinished exports.
     */
    create: (accountId: number, fields: NewExport, limits: ExportLimits) =>
      pool.transaction(async (transaction) => {
        const { estimatedBytes, unfinishedAtMost } = limits;
        // Locked until the export is inserted, so that the pattern cannot be deleted in between.
        const pattern = await transaction.maybeOne(sql.type(idRow)`
          select id from patterns where id = ${fields.pattern_id} and account_id = ${accountId}
          for key share`);
        if (!pattern) return null;
        // Expired ones count no longer.
        await transaction.query(sql.unsafe`
          delete from exports where account_id = ${accountId} and expires_at <= now()`);
        const ordered = await transaction.one(sql.type(exportRow)`
          insert into exports
            (account_id, pattern_id, design, source_sha256, fields, preflight, media_type,
             counted_bytes)
          values (${accountId}, ${fields.pattern_id}, ${jsonb(fields.design)},
            ${fields.source_sha256}, ${jsonb(fields.fields)}, ${jsonb(fields.preflight)},
            ${fields.media_type}, ${estimatedBytes})
          returning ${exportColumns}`);
        const added = { output_bytes: estimatedBytes };
        await checkQuotas(transaction, quotas, accountId, added, true);
        // Counted after the check of quotas, whose lock concurrent orders pass one at a time.
        const { unfinished } = await transaction.one(sql.type(unfinishedRow)`
          select count(*) as unfinished from exports
          where account_id = ${accountId} and status in ('queued', 'running')`);
        if (unfinished > unfinishedAtMost) {
          throw new Conflict(`${unfinishedAtMost} exports of the account are not finished yet`);
        }
        const data = { export_id: ordered.id };
        await requestJob(transaction, "make_export", { data, group: `account ${accountId}` });
        return ordered;
      }),

    get: (accountId: number, id: number) =>
      pool.maybeOne(sql.type(exportRow)`
        select ${exportColumns} from exports
        where id = ${id} and account_id = ${accountId} and ${isKept}`),

    list: async (
      accountId: number,
      {
        before = null,
        limit,
        pattern_id = null,
      }: PageRequest & { readonly pattern_id?: number | null },
    ) =>
      page(
        await pool.any(sql.type(exportRow)`
          select ${exportColumns} from exports
          where account_id = ${accountId} and ${isKept}
            and (${before}::bigint is null or id < ${before})
            and (${pattern_id}::bigint is null or pattern_id = ${pattern_id})
          order by id desc limit ${limit + 1}`),
        limit,
      ),

    /** Deletes an export with its file; a run of it is superseded. False when there is no such export. */
    delete: async (accountId: number, id: number) => {
      const deleted = await pool.maybeOne(sql.type(idRow)`
        delete from exports where id = ${id} and account_id = ${accountId} and ${isKept}
        returning id`);
      return deleted !== null;
    },

    /**
     * Begins a run, from the start of the file. Null when the export is done, failed or deleted. An
     * earlier run that was not paused counts as a failure.
     */
    begin: (id: number) =>
      pool.transaction(async (transaction) => {
        const begun = await transaction.maybeOne(sql.type(runRow)`
          update exports set status = 'running', runs = runs + 1, progress = 0,
            failures = failures + case when status = 'running' then 1 else 0 end
          where id = ${id} and status in ('queued', 'running') returning runs as run, failures`);
        if (!begun) return null;
        await transaction.query(sql.unsafe`delete from export_chunks where export_id = ${id}`);
        const ordered = await transaction.one(sql.type(exportRow)`
          select ${exportColumns} from exports where id = ${id}`);
        return { ordered, ...begun };
      }),

    /** Records the progress, in percent. This and both below throw `Superseded`. */
    recordProgress: async (run: ExportRun, progress: number) => {
      const found = await pool.maybeOne(sql.type(idRow)`
        update exports set progress = ${progress} where ${isRunning(run)} returning id`);
      checkRun(found, run);
    },

    /**
     * Records that the file is done; it now counts as its `bytes`, and is kept for the retention of
     * exports. Throws `QuotaExceeded` for a file larger than its estimate that the account has no room for.
     */
    finish: async (run: ExportRun, { bytes, sha256, certificate, object }: FileFacts) => {
      const done = sql.fragment`
        status = 'done', progress = 100, bytes = ${bytes}, counted_bytes = ${bytes},
        sha256 = ${sha256}, certificate = ${jsonb(certificate)},
        object_key = ${object?.key ?? null}`;
      try {
        await pool.transaction(async (transaction) => {
          const running = await transaction.maybeOne(sql.type(countedRow)`
            select account_id, counted_bytes from exports where ${isRunning(run)} for update`);
          if (!running) throw superseded(run);
          await settle(transaction, run, done);
          if (object) await insertChunkHashes(transaction, run.id, object.chunkHashes);
          const added = { output_bytes: bytes - running.counted_bytes };
          await checkQuotas(transaction, quotas, running.account_id, added, true);
        });
      } catch (error) {
        // After other errors the row may have been written.
        const isUnused = error instanceof Superseded || error instanceof QuotaExceeded;
        if (object && isUnused) await objects.discard(object.key);
        throw error;
      }
    },

    /** Records that the export has failed for good, and deletes the chunks of its file. */
    fail: (run: ExportRun, error: string) =>
      pool.transaction(async (transaction) => {
        const failed = sql.fragment`status = 'failed', error = ${error}, counted_bytes = 0`;
        checkRun(await settle(transaction, run, failed), run);
        await transaction.query(sql.unsafe`delete from export_chunks where export_id = ${run.id}`);
      }),

    /** Puts the export back in the queue, through no fault of its own; no effect once superseded. */
    pause: async (run: ExportRun) => {
      await pool.query(sql.unsafe`
        update exports set status = 'queued', progress = 0 where ${isRunning(run)}`);
    },
  };
}

/** Files for print: what was ordered, and the files in pieces. */
import { hash } from "node:crypto";
import { sql } from "slonik";
import Type, { type Static } from "typebox";
import { binary } from "../connection/binary.ts";
import { Bytes, Instant, idRow, Nullable, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import type { Quotas } from "../quotas.ts";
import {
  Conflict,
  CorruptedContent,
  type Database,
  EXPORT_STATES,
  type ExportRun,
  Superseded,
} from "../types/index.ts";
import { requestJob } from "./outbox.ts";
import { page } from "./page.ts";
import { checkQuotas } from "./usage.ts";

const exportRow = row(
  Type.Object({
    id: Type.Integer(),
    account_id: Type.Integer(),
    pattern_id: Type.Integer(),
    design: Type.Unknown(),
    source_sha256: Type.String(),
    fields: Type.Unknown(),
    preflight: Type.Unknown(),
    media_type: Type.String(),
    status: Type.Enum([...EXPORT_STATES]),
    progress: Type.Integer(),
    certificate: Type.Unknown(),
    error: Nullable(Type.String()),
    bytes: Nullable(Type.Integer()),
    sha256: Nullable(Type.String()),
    created_at: Instant,
    finished_at: Nullable(Instant),
    expires_at: Nullable(Instant),
  }),
);
const exportColumns = sql.fragment`
  id, account_id, pattern_id, design, source_sha256, fields, preflight, media_type, status,
  progress, certificate, error, bytes, sha256, created_at, finished_at, expires_at`;

const runRow = row(Type.Object({ run: Type.Integer(), failures: Type.Integer() }));
const chunkColumns = Type.Object({ content: Bytes, sha256: Bytes });
const chunkRow = row(chunkColumns);
const countedRow = row(Type.Object({ account_id: Type.Integer(), counted_bytes: Type.Integer() }));
const unfinishedRow = row(Type.Object({ unfinished: Type.Integer() }));

/** What has expired is gone for everybody, even while it lies there. */
const isKept = sql.fragment`(expires_at is null or expires_at > now())`;

const jsonb = (value: unknown) => sql.fragment`${JSON.stringify(value)}::jsonb`;

/** The condition that a row of `exports` belongs to a run that nothing has superseded. */
const isRunning = ({ id, run }: ExportRun) =>
  sql.fragment`(id = ${id} and runs = ${run} and status = 'running')`;

const sha256Of = (content: Uint8Array) => hash("sha256", content, "buffer");

/** The content of a piece. Throws CorruptedContent. */
function verified({ content, sha256 }: Static<typeof chunkColumns>, id: number): Uint8Array {
  if (Buffer.compare(sha256Of(content), sha256) === 0) return content;
  throw new CorruptedContent(`export ${id}`, { remedy: "order it again" });
}

const superseded = ({ id, run }: ExportRun) =>
  new Superseded(`run ${run} of export ${id} has been superseded`);

function check(found: unknown, run: ExportRun): void {
  if (found === null) throw superseded(run);
}

/** The queries about exports; their contract is the door's. */
export function exportQueries(pool: Connection, quotas: Quotas): Database["exports"] {
  const settle = (
    connection: Connection,
    run: ExportRun,
    changes: ReturnType<typeof sql.fragment>,
    keptDays: number,
  ) =>
    connection.maybeOne(sql.type(idRow)`
      update exports set ${changes}, finished_at = now(),
        expires_at = now() + ${`${keptDays} d`}::interval
      where ${isRunning(run)} returning id`);

  const written = async (run: ExportRun, number: number) => {
    const chunk = await pool.maybeOne(sql.type(chunkRow)`
      select content, sha256 from export_chunks
      where export_id = (select id from exports where ${isRunning(run)}) and number = ${number}`);
    return chunk && verified(chunk, run.id);
  };

  return {
    create: (accountId, fields, { estimatedBytes, unfinishedAtMost }) =>
      pool.transaction(async (transaction) => {
        // Held until the export stands, so that the pattern cannot be deleted in between.
        const pattern = await transaction.maybeOne(sql.type(idRow)`
          select id from patterns where id = ${fields.pattern_id} and account_id = ${accountId}
          for key share`);
        if (!pattern) return null;
        // Those that have expired count no longer, whether they were swept or not.
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
        // Counted after the check, which of concurrent orders lets one at a time pass.
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

    get: (accountId, id) =>
      pool.maybeOne(sql.type(exportRow)`
        select ${exportColumns} from exports
        where id = ${id} and account_id = ${accountId} and ${isKept}`),

    list: async (accountId, { before = null, limit, pattern_id = null }) =>
      page(
        await pool.any(sql.type(exportRow)`
          select ${exportColumns} from exports
          where account_id = ${accountId} and ${isKept}
            and (${before}::bigint is null or id < ${before})
            and (${pattern_id}::bigint is null or pattern_id = ${pattern_id})
          order by id desc limit ${limit + 1}`),
        limit,
      ),

    delete: async (accountId, id) => {
      const deleted = await pool.maybeOne(sql.type(idRow)`
        delete from exports where id = ${id} and account_id = ${accountId} and ${isKept}
        returning id`);
      return deleted !== null;
    },

    chunk: async (id, number) => {
      const chunk = await pool.maybeOne(sql.type(chunkRow)`
        select content, sha256 from export_chunks
        where export_id = (select id from exports where id = ${id} and status = 'done')
          and number = ${number}`);
      return chunk && verified(chunk, id);
    },

    begin: (id) =>
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

    proceed: async (run, progress) => {
      const found = await pool.maybeOne(sql.type(idRow)`
        update exports set progress = ${progress} where ${isRunning(run)} returning id`);
      check(found, run);
    },

    write: async (run, number, content) => {
      const found = await pool.maybeOne(sql.type(idRow)`
        insert into export_chunks (export_id, number, content, sha256)
        select id, ${number}, ${binary(content)}, ${binary(sha256Of(content))} from exports
        where ${isRunning(run)} for share
        returning export_id as id`);
      check(found, run);
    },

    overwrite: async (run, at, content) => {
      const first = await written(run, 0);
      check(first, run);
      const changed = Buffer.from(first ?? []);
      changed.set(content, at);
      const found = await pool.maybeOne(sql.type(idRow)`
        update export_chunks
        set content = ${binary(changed)}, sha256 = ${binary(sha256Of(changed))}
        where number = 0 and export_id = (select id from exports where ${isRunning(run)})
        returning export_id as id`);
      check(found, run);
    },

    written,

    finish: (run, { bytes, sha256, certificate }, keptDays) =>
      pool.transaction(async (transaction) => {
        const running = await transaction.maybeOne(sql.type(countedRow)`
          select account_id, counted_bytes from exports where ${isRunning(run)} for update`);
        if (!running) throw superseded(run);
        const done = sql.fragment`
          status = 'done', progress = 100, bytes = ${bytes}, counted_bytes = ${bytes},
          sha256 = ${sha256}, certificate = ${jsonb(certificate)}`;
        await settle(transaction, run, done, keptDays);
        // What an estimate fell short by.
        const added = { output_bytes: bytes - running.counted_bytes };
        await checkQuotas(transaction, quotas, running.account_id, added, true);
      }),

    fail: (run, error, keptDays) =>
      pool.transaction(async (transaction) => {
        const failed = sql.fragment`status = 'failed', error = ${error}, counted_bytes = 0`;
        check(await settle(transaction, run, failed, keptDays), run);
        await transaction.query(sql.unsafe`delete from export_chunks where export_id = ${run.id}`);
      }),

    pause: async (run) => {
      await pool.query(sql.unsafe`
        update exports set status = 'queued', progress = 0 where ${isRunning(run)}`);
    },

    forgetExpired: async () => {
      await pool.query(sql.unsafe`delete from exports where expires_at <= now()`);
    },
  };
}

/** Batches: renders that are ordered together, as the account sees them. */
import { sql } from "slonik";
import Type from "typebox";
import { columnsOf, idRow, Nullable, type RowOf, row, Timestamp } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import type { Quotas } from "../quotas.ts";
import { requestJob } from "./outbox.ts";
import { type PageRequest, page, pageBy } from "./page.ts";
import type { Retention } from "./retention.ts";
import { checkQuotas } from "./usage.ts";

export const BATCH_STATES = ["queued", "running", "finished", "cancelled"] as const;
export const BATCH_ITEM_STATES = ["queued", "done", "failed"] as const;

const batchRow = row({
  id: Type.Integer(),
  account_id: Type.Integer(),
  name: Nullable(Type.String()),
  status: Type.Enum(BATCH_STATES),
  /** Numbers of items: all, those with a picture, those with an error. */
  total: Type.Integer(),
  done: Type.Integer(),
  failed: Type.Integer(),
  created_at: Timestamp,
  finished_at: Nullable(Timestamp),
  expires_at: Nullable(Timestamp),
});
export const batchColumns = columnsOf(batchRow);
export { batchRow };
export type Batch = RowOf<typeof batchRow>;

const itemFields = {
  /** Counted from 0. */
  index: Type.Integer(),
  pattern_id: Type.Integer(),
  /** The pattern's name when the batch was created. */
  name: Nullable(Type.String()),
  request: Type.Unknown(),
  status: Type.Enum(BATCH_ITEM_STATES),
  error: Type.Unknown(),
  /** Hex. */
  sha256: Nullable(Type.String()),
  bytes: Nullable(Type.Integer()),
  media_type: Nullable(Type.String()),
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
};
const itemRow = row(itemFields);
/** What a batch is asked for, and what became of it. */
export type BatchItem = RowOf<typeof itemRow>;

const subjectRow = row({
  ...itemFields,
  account_id: Type.Integer(),
  batch_status: Type.Enum(BATCH_STATES),
  /** SHA-256, in hex, of everything that decides the picture's bytes. */
  fingerprint: Nullable(Type.String()),
  /** The pattern as it was when the batch was created; null if the account had none with this id. */
  design: Type.Unknown(),
  source_sha256: Nullable(Type.String()),
  /** Whether the account still has the source. */
  has_source: Type.Boolean(),
});
/** An item with all that renders it. */
export type BatchSubject = RowOf<typeof subjectRow>;

const itemColumns = sql.fragment`i.index, i.pattern_id, p.name, i.request, i.status, i.error,
  encode(i.sha256, 'hex') as sha256, i.bytes, i.media_type, i.width, i.height`;
const itemTables = sql.fragment`batch_items i
  join batches b on b.id = i.batch_id
  left join batch_patterns p on p.batch_id = i.batch_id and p.pattern_id = i.pattern_id`;

/** Returns items of a batch with all that renders them, in their order. */
export function batchSubjects(
  pool: Connection,
  where: ReturnType<typeof sql.fragment>,
  limit: number,
) {
  return pool.any(sql.type(subjectRow)`
    select ${itemColumns}, b.account_id, b.status as batch_status,
      encode(i.fingerprint, 'hex') as fingerprint, p.design,
      encode(p.source_sha256, 'hex') as source_sha256,
      exists (
        select from sources s
        where s.account_id = b.account_id and s.sha256 = p.source_sha256) as has_source
    from ${itemTables} where ${where} order by i.index limit ${limit}`);
}

/** What is asked for of one pattern. */
export interface BatchRequest {
  readonly pattern_id: number;
}

/** Items that a statement inserts at most. */
const INSERTED = 1000;

interface ItemPageRequest {
  /** The index of the first item. */
  readonly from: number;
  readonly limit: number;
  readonly status?: BatchItem["status"] | null;
}

/** The changes that end a batch, which is kept for its retention. */
export const ended = (retention: Retention) => sql.fragment`finished_at = now(),
  expires_at = now() + ${`${retention.batches} d`}::interval`;

export function batchQueries(pool: Connection, quotas: Quotas, retention: Retention) {
  /** An expired batch does not exist for callers, even before it is deleted. */
  const owned = (accountId: number, id: number) =>
    sql.fragment`(b.id = ${id} and b.account_id = ${accountId}
      and (b.expires_at is null or b.expires_at > now()))`;

  const get = (accountId: number, id: number) =>
    pool.maybeOne(sql.type(batchRow)`
      select ${batchColumns} from batches b where ${owned(accountId, id)}`);

  return {
    /**
     * Creates a batch of the patterns as they are now, to be rendered by the job `render_batch`. Throws
     * `QuotaExceeded`.
     */
    create: (accountId: number, name: string | null, requests: readonly BatchRequest[]) =>
      pool.transaction(async (transaction) => {
        // In the order in which the deletion of the account locks both.
        await transaction.query(sql.unsafe`
          select from accounts where id = ${accountId} for key share`);
        // Expired ones count no longer.
        await transaction.query(sql.unsafe`
          delete from batches where account_id = ${accountId} and expires_at <= now()`);
        const batch = await transaction.one(sql.type(batchRow)`
          insert into batches (account_id, name, total)
          values (${accountId}, ${name}, ${requests.length}) returning ${batchColumns}`);
        const added = { batch_items: requests.length, open_batches: 1 };
        await checkQuotas(transaction, quotas, accountId, added, true);
        const patternIds = [...new Set(requests.map(({ pattern_id }) => pattern_id))];
        await transaction.query(sql.unsafe`
          insert into batch_patterns (batch_id, pattern_id, name, source_sha256, design)
          select ${batch.id}, p.id, p.name, s.sha256, jsonb_build_object(
            'group', p."group", 'motif', p.motif, 'lattice', p.lattice,
            'counterchange', p.counterchange, 'seam', p.seam, 'effects', p.effects,
            'palette', p.palette, 'style', p.style, 'background', p.background)
          from patterns p join sources s on s.account_id = p.account_id and s.id = p.source_id
          where p.account_id = ${accountId} and p.id = any(${sql.array(patternIds, "int8")})`);
        for (let from = 0; from < requests.length; from += INSERTED) {
          const part = requests.slice(from, from + INSERTED);
          const rows = part.map((request, n) => [
            from + n,
            request.pattern_id,
            JSON.stringify(request),
          ]);
          await transaction.query(sql.unsafe`
            insert into batch_items (batch_id, index, pattern_id, request)
            select ${batch.id}, w.index, w.pattern_id, w.request::json
            from ${sql.unnest(rows, ["int4", "int8", "text"])} as w (index, pattern_id, request)`);
        }
        const data = { batch_id: batch.id };
        await requestJob(transaction, "render_batch", { data, group: `account ${accountId}` });
        return batch;
      }),

    get,

    list: async (accountId: number, { before = null, limit }: PageRequest) =>
      page(
        await pool.any(sql.type(batchRow)`
          select ${batchColumns} from batches
          where account_id = ${accountId} and (expires_at is null or expires_at > now())
            and (${before}::bigint is null or id < ${before})
          order by id desc limit ${limit + 1}`),
        limit,
      ),

    /** A page of the items, in their order; `next` is the `from` of the next page. */
    items: async (accountId: number, id: number, { from, limit, status = null }: ItemPageRequest) =>
      pageBy(
        await pool.any(sql.type(itemRow)`
          select ${itemColumns} from ${itemTables}
          where ${owned(accountId, id)} and i.index >= ${from}
            and (${status}::text is null or i.status = ${status})
          order by i.index limit ${limit + 1}`),
        limit,
        ({ index }) => index + 1,
      ),

    /** The first items with all that renders them, or the one with an index. */
    subjects: (accountId: number, id: number, limit: number) =>
      batchSubjects(pool, owned(accountId, id), limit),
    subject: async (accountId: number, id: number, index: number) => {
      const where = sql.fragment`${owned(accountId, id)} and i.index = ${index}`;
      const [found = null] = await batchSubjects(pool, where, 1);
      return found;
    },

    /** Cancels a batch that has not ended; its run is superseded. Returns the batch as it is then, or null. */
    cancel: async (accountId: number, id: number) => {
      const cancelled = await pool.maybeOne(sql.type(batchRow)`
        update batches b set status = 'cancelled', ${ended(retention)}
        where ${owned(accountId, id)} and status in ('queued', 'running')
        returning ${batchColumns}`);
      return cancelled ?? get(accountId, id);
    },

    /** Deletes a batch; a run of it is superseded. False when there is no such batch. */
    delete: async (accountId: number, id: number) => {
      const deleted = await pool.maybeOne(sql.type(idRow)`
        delete from batches b where ${owned(accountId, id)} returning id`);
      return deleted !== null;
    },
  };
}

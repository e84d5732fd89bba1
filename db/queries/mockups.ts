/** Mockups: pictures of products that show a pattern, made by a job. */
import { hash, randomUUID } from "node:crypto";
import { type FragmentSqlToken, sql } from "slonik";
import Type from "typebox";
import { CHUNK_BYTES } from "../connection/chunks.ts";
import {
  Bytes,
  columnsOf,
  idRow,
  Nullable,
  type RowOf,
  row,
  Timestamp,
} from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { CorruptedContent } from "../errors.ts";
import type { Quotas } from "../quotas.ts";
import { type EventData, recordEvent } from "./events.ts";
import { requestJob } from "./outbox.ts";
import { ownedBy } from "./owner.ts";
import { readVerified, upload } from "./stored-bytes.ts";
import type { StoredObjects } from "./stored-objects.ts";
import { checkQuotas } from "./usage.ts";

export const MOCKUP_STATES = ["queued", "done", "failed"] as const;

const mockupRow = row({
  id: Type.Integer(),
  account_id: Type.Integer(),
  pattern_id: Type.Integer(),
  product: Type.String(),
  /** Edge of the pattern's cell on the product. */
  cell_mm: Type.Number(),
  /** The order that it belongs to, a UUID. */
  batch: Type.String(),
  status: Type.Enum(MOCKUP_STATES),
  error: Nullable(Type.String()),
  /** SHA-256 in hex of the stored picture; while it is being drawn again, of the previous one. */
  sha256: Nullable(Type.String()),
  created_at: Timestamp,
  finished_at: Nullable(Timestamp),
});
const mockupColumns = columnsOf(mockupRow);

/** A picture of a product that shows a pattern. */
export type Mockup = RowOf<typeof mockupRow>;

interface StoredImage {
  readonly image: Uint8Array;
  /** Hex. */
  readonly sha256: string;
}

const countRow = row({ count: Type.Integer() });
const imageRow = row({
  length: Nullable(Type.Integer()),
  object_key: Nullable(Type.String()),
  sha256: Type.String(),
});
const chunkRow = row({ chunk: Bytes });

/** With a handoff they reach only mockups of patterns that were made in it. */
export function mockupQueries(
  pool: Connection,
  handoffId: number | null,
  quotas: Quotas,
  objects: StoredObjects,
) {
  /** The condition that a mockup belongs to the account, and its pattern to the handoff. */
  const owned = (accountId: number) =>
    handoffId === null
      ? sql.fragment`account_id = ${accountId}`
      : sql.fragment`(account_id = ${accountId}
          and pattern_id in (select id from patterns where handoff_id = ${handoffId}))`;

  /** @param missing the key of an object that there is not */
  const image = async (
    accountId: number,
    id: number,
    missing?: string,
  ): Promise<StoredImage | null> => {
    const found = await pool.maybeOne(sql.type(imageRow)`
      select octet_length(image) as length, object_key, sha256 from mockups
      where id = ${id} and ${owned(accountId)} and sha256 is not null`);
    if (!found) return null;
    const { length, object_key, sha256 } = found;
    const about = [`mockup ${id}`, "order it again"] as const;
    if (object_key !== null) {
      if (object_key === missing) throw new CorruptedContent(about[0], { remedy: about[1] });
      const stored = await objects.getVerified(object_key, sha256, about);
      return stored ? { image: stored, sha256 } : image(accountId, id, object_key);
    }
    const read = async (start: number) => {
      const next = await pool.maybeOne(sql.type(chunkRow)`
        select substring(image from ${start + 1} for ${CHUNK_BYTES}) as chunk
        from mockups where id = ${id} and sha256 = ${sha256} and image is not null`);
      return next?.chunk;
    };
    const bytes = await readVerified(length ?? 0, sha256, read, about);
    // Null when another picture has replaced it, or it was moved, meanwhile.
    return bytes ? { image: bytes, sha256 } : image(accountId, id);
  };

  return {
    /**
     * Orders mockups, to be drawn by the job `draw_mockups`; one that exists is drawn again. Null when
     * the pattern is not the account's. Until it is drawn, each counts as `estimatedBytes`. Throws
     * `QuotaExceeded`.
     */
    order: (
      accountId: number,
      patternId: number,
      wanted: readonly Pick<Mockup, "product" | "cell_mm">[],
      estimatedBytes: number,
    ) =>
      pool.transaction(async (transaction) => {
        // Locked until the mockups are inserted, so that the pattern cannot be deleted in between.
        const pattern = await transaction.maybeOne(sql.type(idRow)`
          select id from patterns where id = ${patternId} and ${ownedBy(accountId, handoffId)}
          for key share`);
        if (!pattern) return null;
        const products = wanted.map(({ product }) => product);
        const { count } = await transaction.one(sql.type(countRow)`
          select count(*) from mockups
          where pattern_id = ${patternId} and product = any(${sql.array(products, "text")})`);
        const batch = randomUUID();
        const rows = wanted.map(({ product, cell_mm }) => [product, cell_mm]);
        const ordered = await transaction.any(sql.type(mockupRow)`
          insert into mockups (account_id, pattern_id, product, cell_mm, batch, counted_bytes)
          select ${accountId}, ${patternId}, w.product, w.cell_mm, ${batch}::uuid,
            ${estimatedBytes}
          from ${sql.unnest(rows, ["text", "float8"])} as w (product, cell_mm)
          -- In one order for all, so that no two deadlock.
          order by w.product
          on conflict (pattern_id, product) do update
            set cell_mm = excluded.cell_mm, batch = excluded.batch, status = 'queued',
              error = null, created_at = now(), finished_at = null,
              counted_bytes = greatest(mockups.counted_bytes, excluded.counted_bytes)
          returning ${mockupColumns}`);
        // Existing ones are counted already.
        const added = { output_bytes: (ordered.length - count) * estimatedBytes };
        await checkQuotas(transaction, quotas, accountId, added, true);
        const data = { account_id: accountId, pattern_id: patternId, batch };
        await requestJob(transaction, "draw_mockups", { data, group: `account ${accountId}` });
        return ordered;
      }),

    /** The mockups of a pattern, by product. Null when the pattern is not the account's. */
    list: async (accountId: number, patternId: number) => {
      const found = await pool.any(sql.type(mockupRow)`
        select ${mockupColumns} from mockups
        where pattern_id = ${patternId} and ${owned(accountId)} order by product`);
      if (found.length > 0) return found;
      const isThere = await pool.exists(sql.unsafe`
        select from patterns where id = ${patternId} and ${ownedBy(accountId, handoffId)}`);
      return isThere ? found : null;
    },

    get: (accountId: number, id: number) =>
      pool.maybeOne(sql.type(mockupRow)`
        select ${mockupColumns} from mockups where id = ${id} and ${owned(accountId)}`),

    /** The picture; null while there is none. Throws `CorruptedContent`, `ObjectStoreUnavailable`. */
    image: (accountId: number, id: number) => image(accountId, id),

    /** The mockups of an order, but for those that were ordered again since. */
    ofBatch: (batch: string) =>
      pool.any(sql.type(mockupRow)`
        select ${mockupColumns} from mockups where batch = ${batch}::uuid order by product`),

    /** Whether a mockup waits to be drawn, and was not ordered again, ended or deleted meanwhile. */
    isWanted: (batch: string, id: number) =>
      pool.exists(sql.unsafe`
        select from mockups where id = ${id} and batch = ${batch}::uuid and status = 'queued'`),

    /** Resolves if pictures can be stored. Throws `ObjectStoreUnavailable`, and the reason of `signal`. */
    checkWritable: (signal: AbortSignal) => objects.checkWritable("mockups", signal),

    /** Stores the picture, or the error. Does nothing when the mockup was ordered again, or deleted. */
    settle: async (
      batch: string,
      id: number,
      outcome: { readonly image: Uint8Array } | { readonly error: string },
    ) => {
      const isWanted = sql.fragment`id = ${id} and batch = ${batch}::uuid`;
      if ("error" in outcome) {
        await pool.query(sql.unsafe`
          update mockups set status = 'failed', error = ${outcome.error}, image = null,
            object_key = null, image_bytes = null, sha256 = null, counted_bytes = 0,
            finished_at = now()
          where ${isWanted}`);
        return;
      }
      const drawn = outcome.image;
      const sha256 = hash("sha256", drawn);
      const key = objects.writable && (await objects.putVerified("mockups", sha256, drawn));
      const store = (connection: Connection, uploaded: FragmentSqlToken) =>
        connection.query(sql.unsafe`
          update mockups set status = 'done', image = ${uploaded}, object_key = ${key},
            image_bytes = ${drawn.byteLength}, sha256 = ${sha256},
            counted_bytes = ${drawn.byteLength}, finished_at = now()
          where ${isWanted}`);
      if (key === null) {
        await pool.transaction((transaction) =>
          upload(transaction, drawn, (uploaded) => store(transaction, uploaded)),
        );
        return;
      }
      const { rowCount } = await store(pool, sql.fragment`null`);
      if (rowCount === 0) await objects.discard(key);
    },

    /** Records the event `mockup.ready`. */
    recordReady: (
      accountId: number,
      patternId: number,
      mockups: EventData["mockup.ready"]["mockups"],
    ) =>
      recordEvent(
        pool,
        accountId,
        "mockup.ready",
        { pattern_id: patternId, mockups },
        // The job's transaction began before any of them was drawn.
        sql.fragment`clock_timestamp()`,
      ),
  };
}

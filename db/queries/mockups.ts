/** Pictures of products that show a pattern. */
import { randomUUID } from "node:crypto";
import { sql } from "slonik";
import Type from "typebox";
import { PIECE_BYTES } from "../connection/pieces.ts";
import { Bytes, Instant, idRow, Nullable, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import type { Quotas } from "../quotas.ts";
import { type Database, MOCKUP_STATES } from "../types/index.ts";
import { recordEvent } from "./events.ts";
import { requestJob } from "./outbox.ts";
import { ownedBy } from "./owner.ts";
import { readVerified, upload } from "./stored-bytes.ts";
import { checkQuotas } from "./usage.ts";

const mockupRow = row(
  Type.Object({
    id: Type.Integer(),
    account_id: Type.Integer(),
    pattern_id: Type.Integer(),
    product: Type.String(),
    cell_mm: Type.Number(),
    batch: Type.String(),
    status: Type.Enum([...MOCKUP_STATES]),
    error: Nullable(Type.String()),
    sha256: Nullable(Type.String()),
    created_at: Instant,
    finished_at: Nullable(Instant),
  }),
);
const mockupColumns = sql.fragment`
  id, account_id, pattern_id, product, cell_mm, batch, status, error, sha256, created_at, finished_at`;

const countRow = row(Type.Object({ count: Type.Integer() }));
const imageRow = row(Type.Object({ length: Type.Integer(), sha256: Type.String() }));
const pieceRow = row(Type.Object({ piece: Bytes }));

/**
 * The queries about mockups; their contract is the door's. With a handoff they reach only mockups of
 * patterns that were made in it.
 */
export function mockupQueries(
  pool: Connection,
  handoffId: number | null,
  quotas: Quotas,
): Database["mockups"] {
  /** The condition that a mockup is the account's, and shows a pattern of the handoff. */
  const owned = (accountId: number) =>
    handoffId === null
      ? sql.fragment`account_id = ${accountId}`
      : sql.fragment`(account_id = ${accountId}
          and pattern_id in (select id from patterns where handoff_id = ${handoffId}))`;

  const readImage: Database["mockups"]["image"] = async (accountId, id) => {
    const found = await pool.maybeOne(sql.type(imageRow)`
      select octet_length(image) as length, sha256 from mockups
      where id = ${id} and ${owned(accountId)} and image is not null`);
    if (!found) return null;
    const { length, sha256 } = found;
    const read = async (start: number) => {
      const next = await pool.maybeOne(sql.type(pieceRow)`
        select substring(image from ${start + 1} for ${PIECE_BYTES}) as piece
        from mockups where id = ${id} and sha256 = ${sha256}`);
      return next?.piece;
    };
    const image = await readVerified(length, sha256, read, [`mockup ${id}`, "order it again"]);
    // Another one took its place while it was read.
    return image ? { image, sha256 } : readImage(accountId, id);
  };

  return {
    order: (accountId, patternId, wanted, estimatedBytes) =>
      pool.transaction(async (transaction) => {
        // Held until the mockups stand, so that the pattern cannot be deleted in between.
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
          -- In one order for all, so that no two wait for each other.
          order by w.product
          on conflict (pattern_id, product) do update
            set cell_mm = excluded.cell_mm, batch = excluded.batch, status = 'queued',
              error = null, created_at = now(), finished_at = null,
              counted_bytes = greatest(mockups.counted_bytes, excluded.counted_bytes)
          returning ${mockupColumns}`);
        // Those that are there already take up no more.
        const added = { output_bytes: (ordered.length - count) * estimatedBytes };
        await checkQuotas(transaction, quotas, accountId, added, true);
        const data = { account_id: accountId, pattern_id: patternId, batch };
        await requestJob(transaction, "draw_mockups", { data, group: `account ${accountId}` });
        return ordered;
      }),

    list: async (accountId, patternId) => {
      const found = await pool.any(sql.type(mockupRow)`
        select ${mockupColumns} from mockups
        where pattern_id = ${patternId} and ${owned(accountId)} order by product`);
      if (found.length > 0) return found;
      const isThere = await pool.exists(sql.unsafe`
        select from patterns where id = ${patternId} and ${ownedBy(accountId, handoffId)}`);
      return isThere ? found : null;
    },

    get: (accountId, id) =>
      pool.maybeOne(sql.type(mockupRow)`
        select ${mockupColumns} from mockups where id = ${id} and ${owned(accountId)}`),

    image: readImage,

    ofBatch: (batch) =>
      pool.any(sql.type(mockupRow)`
        select ${mockupColumns} from mockups where batch = ${batch}::uuid order by product`),

    settle: async (batch, id, outcome) => {
      const isWanted = sql.fragment`id = ${id} and batch = ${batch}::uuid`;
      if ("error" in outcome) {
        await pool.query(sql.unsafe`
          update mockups set status = 'failed', error = ${outcome.error}, image = null,
            sha256 = null, counted_bytes = 0, finished_at = now()
          where ${isWanted}`);
        return;
      }
      await pool.transaction((transaction) =>
        upload(transaction, outcome.image, (uploaded) =>
          transaction.query(sql.unsafe`
            update mockups set status = 'done', image = drawn,
              sha256 = encode(sha256(drawn), 'hex'), counted_bytes = octet_length(drawn),
              finished_at = now()
            from (select ${uploaded}) as uploaded (drawn)
            where ${isWanted}`),
        ),
      );
    },

    announce: (accountId, patternId, mockups) =>
      recordEvent(
        pool,
        accountId,
        "mockup.ready",
        { pattern_id: patternId, mockups },
        // The transaction is the job's, which began before any of them was drawn.
        sql.fragment`clock_timestamp()`,
      ),
  };
}

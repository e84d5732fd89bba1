/** Handoffs: customers of shops on their way through the editor. */
import { sql } from "slonik";
import Type from "typebox";
import { Instant, idRow, Nullable, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import type { Database } from "../types/index.ts";
import { recordEvent } from "./events.ts";

const handoffRow = row(
  Type.Object({
    id: Type.Integer(),
    account_id: Type.Integer(),
    product_id: Type.Integer(),
    return_url: Type.String(),
    max_patterns: Type.Integer(),
    created_at: Instant,
    expires_at: Instant,
    opened_at: Nullable(Instant),
    pattern_id: Nullable(Type.Integer()),
    finished_at: Nullable(Instant),
  }),
);
const handoffColumns = sql.fragment`
  id, account_id, product_id, return_url, max_patterns, created_at, expires_at, opened_at, pattern_id, finished_at`;

/** The queries about handoffs; their contract is the door's. */
export function handoffQueries(pool: Connection): Database["handoffs"] {
  return {
    create: (accountId, { tokenHash, product_id, return_url, max_patterns, lifetimeSeconds }) =>
      pool.transaction((transaction) =>
        transaction.one(sql.type(handoffRow)`
          insert into handoffs (account_id, token_hash, product_id, return_url, max_patterns, expires_at)
          values (${accountId}, ${sql.binary(Buffer.from(tokenHash))}, ${product_id},
            ${return_url}, ${max_patterns}, now() + ${`${lifetimeSeconds} s`}::interval)
          returning ${handoffColumns}`),
      ),

    waiting: (tokenHash) =>
      pool.maybeOne(sql.type(handoffRow)`
        select ${handoffColumns} from handoffs
        where token_hash = ${sql.binary(Buffer.from(tokenHash))}
          and opened_at is null and expires_at > now()`),

    open: (handoffId) =>
      pool.transaction(async (transaction) => {
        const handoff = await transaction.maybeOne(sql.type(handoffRow)`
          update handoffs set opened_at = now()
          where id = ${handoffId} and opened_at is null and expires_at > now()
          returning ${handoffColumns}`);
        if (!handoff) return null;
        const { id, account_id, product_id } = handoff;
        const started = { handoff_id: id, product_id };
        await recordEvent(transaction, account_id, "design.applied", started);
        return handoff;
      }),

    finish: (accountId, id, patternId) =>
      pool.transaction(async (transaction) => {
        // Held, so that the pattern cannot be deleted in between.
        const pattern = await transaction.maybeOne(sql.type(idRow)`
          select id from patterns
          where id = ${patternId} and account_id = ${accountId} and handoff_id = ${id}
          for key share`);
        if (!pattern) return null;
        const handoff = await transaction.one(sql.type(handoffRow)`
          update handoffs set pattern_id = ${patternId}, finished_at = now()
          where id = ${id} and account_id = ${accountId}
          returning ${handoffColumns}`);
        const { product_id } = handoff;
        const done = { handoff_id: id, product_id, pattern_id: patternId };
        await recordEvent(transaction, accountId, "design.applied", done);
        return handoff;
      }),
  };
}

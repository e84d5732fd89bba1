/** Handoffs: customers that a shop sends through the editor. */
import { sql } from "slonik";
import Type from "typebox";
import { binary } from "../connection/binary.ts";
import { columnsOf, Instant, idRow, Nullable, type RowOf, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { recordEvent } from "./events.ts";

const handoffRow = row({
  id: Type.Integer(),
  account_id: Type.Integer(),
  /** The shop's own number. */
  product_id: Type.Integer(),
  return_url: Type.String(),
  /** Charged creations, and free uploads, that the customer's session may make. */
  max_patterns: Type.Integer(),
  created_at: Instant,
  expires_at: Instant,
  opened_at: Nullable(Instant),
  pattern_id: Nullable(Type.Integer()),
  finished_at: Nullable(Instant),
});
const handoffColumns = columnsOf(handoffRow);

/** A shop's customer on the way through the editor. */
export type Handoff = RowOf<typeof handoffRow>;

type NewHandoff = Pick<Handoff, "product_id" | "return_url" | "max_patterns"> & {
  /** SHA-256. */
  readonly tokenHash: Uint8Array;
  readonly lifetimeSeconds: number;
};

export function handoffQueries(pool: Connection) {
  return {
    create: (accountId: number, fields: NewHandoff) =>
      pool.transaction((transaction) => {
        const { tokenHash, product_id, return_url, max_patterns, lifetimeSeconds } = fields;
        return transaction.one(sql.type(handoffRow)`
          insert into handoffs (account_id, token_hash, product_id, return_url, max_patterns, expires_at)
          values (${accountId}, ${binary(tokenHash)}, ${product_id}, ${return_url}, ${max_patterns},
            now() + ${`${lifetimeSeconds} s`}::interval)
          returning ${handoffColumns}`);
      }),

    /** The handoff whose token has this hash; null when the token is unknown, used or expired. */
    waiting: (tokenHash: Uint8Array) =>
      pool.maybeOne(sql.type(handoffRow)`
        select ${handoffColumns} from handoffs
        where token_hash = ${binary(tokenHash)}
          and opened_at is null and expires_at > now()`),

    /** Uses a handoff's token up; null when another call was faster. */
    open: (handoffId: number) =>
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

    /** Records the pattern that the customer returns with; null for one not made in the handoff. */
    finish: (accountId: number, id: number, patternId: number) =>
      pool.transaction(async (transaction) => {
        // Locked, so that the pattern cannot be deleted in between.
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

/** Pinned renders: what signed links lead to. */
import { sql } from "slonik";
import Type from "typebox";
import { Nullable, type RowOf, row, Timestamp } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { QuotaExceeded, type Quotas } from "../quotas.ts";
import { checkQuotas } from "./usage.ts";

const pinnedRow = row({
  account_id: Type.Integer(),
  pattern_id: Type.Integer(),
  /** The pattern's name. */
  name: Nullable(Type.String()),
  /** SHA-256, in hex, of everything that decides the picture's bytes. */
  fingerprint: Type.String(),
  /** Hex. */
  source_sha256: Type.String(),
  design: Type.Unknown(),
  fields: Type.Unknown(),
  /** Whether the account still has the source. */
  has_source: Type.Boolean(),
});

/** A render as it was when a link to it was made. */
type PinnedRender = Omit<RowOf<typeof pinnedRow>, "has_source">;

const hex = (text: string) => sql.fragment`decode(${text}, 'hex')`;
const jsonb = (value: unknown) => sql.fragment`${JSON.stringify(value)}::jsonb`;

const expiryRow = row({ first: Nullable(Timestamp) });
const insertedRow = row({ is_new: Type.Boolean() });

export function pinnedRenderQueries(pool: Connection, quotas: Quotas) {
  /** Locks the rows in one order, so that concurrent deletions do not deadlock. */
  const deleteExpired = async (accountId: number) => {
    await pool.query(sql.unsafe`
      delete from pinned_renders where id in (
        select id from pinned_renders where account_id = ${accountId} and expires_at <= now()
        order by id for update)`);
  };
  const insert = async (id: string, render: PinnedRender, expiresAt: Date) => {
    const { account_id, pattern_id, name, fingerprint, source_sha256 } = render;
    await pool.transaction(async (transaction) => {
      // A row that was inserted has no earlier version.
      const { is_new } = await transaction.one(sql.type(insertedRow)`
        insert into pinned_renders
          (id, account_id, pattern_id, name, fingerprint, source_sha256, design, fields, expires_at)
        values
          (${hex(id)}, ${account_id}, ${pattern_id}, ${name}, ${hex(fingerprint)},
           ${hex(source_sha256)}, ${jsonb(render.design)}, ${jsonb(render.fields)},
           ${expiresAt.toISOString()}::timestamptz)
        on conflict (id) do update
          set expires_at = greatest(pinned_renders.expires_at, excluded.expires_at)
        returning xmax = 0 as is_new`);
      if (!is_new) return;
      await checkQuotas(transaction, quotas, account_id, { pinned_renders: 1 }, true);
    });
  };
  return {
    /**
     * Stores a render under its id (32 hex digits of a content hash) until `expiresAt`; a stored one is
     * kept until the later of both times. The account's expired ones make room where there is none.
     * Throws `QuotaExceeded`.
     */
    async pin(id: string, render: PinnedRender, expiresAt: Date) {
      try {
        await insert(id, render, expiresAt);
      } catch (error) {
        if (!(error instanceof QuotaExceeded)) throw error;
        // By itself: a transaction that held the account's counters then would deadlock with the sweep.
        await deleteExpired(render.account_id);
        await insert(id, render, expiresAt);
      }
    },

    /** When the first of an account's renders expires; null where it has none. */
    firstExpiry: async (accountId: number) => {
      const { first } = await pool.one(sql.type(expiryRow)`
        select min(expires_at) as first from pinned_renders
        where account_id = ${accountId} and expires_at > now()`);
      return first;
    },

    find: (id: string) =>
      pool.maybeOne(sql.type(pinnedRow)`
        select account_id, pattern_id, name, encode(fingerprint, 'hex') as fingerprint,
          encode(source_sha256, 'hex') as source_sha256, design, fields,
          exists (
            select from sources s
            where s.account_id = p.account_id and s.sha256 = p.source_sha256) as has_source
        from pinned_renders p where id = ${hex(id)}`),
  };
}

/** Renders that signed links stand for. */
import { type FragmentSqlToken, sql } from "slonik";
import Type from "typebox";
import { Instant, Nullable, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import type { Quotas } from "../quotas.ts";
import type { Database } from "../types/index.ts";
import { checkQuotas } from "./usage.ts";

const pinnedRow = row(
  Type.Object({
    account_id: Type.Integer(),
    pattern_id: Type.Integer(),
    name: Nullable(Type.String()),
    fingerprint: Type.String(),
    source_sha256: Type.String(),
    design: Type.Unknown(),
    fields: Type.Unknown(),
    has_source: Type.Boolean(),
  }),
);

const hex = (text: string) => sql.fragment`decode(${text}, 'hex')`;
const jsonb = (value: unknown) => sql.fragment`${JSON.stringify(value)}::jsonb`;

const expiryRow = row(Type.Object({ first: Nullable(Instant) }));
const pinnedIdRow = row(Type.Object({ is_new: Type.Boolean() }));

/** The queries about pinned renders; their contract is the door's. */
export function pinnedRenderQueries(pool: Connection, quotas: Quotas): Database["pinnedRenders"] {
  /** Locks rows in one order, so that two that delete the same rows wait for each other's end. */
  const deleteExpired = async (condition: FragmentSqlToken) => {
    await pool.query(sql.unsafe`
      delete from pinned_renders where id in (
        select id from pinned_renders where ${condition} and expires_at <= now()
        order by id for update)`);
  };
  return {
    async pin(id, render, expiresAt) {
      const { account_id, pattern_id, name, fingerprint, source_sha256 } = render;
      // By itself: a transaction that held the account's counters then would deadlock with the sweep.
      await deleteExpired(sql.fragment`account_id = ${account_id}`);
      await pool.transaction(async (transaction) => {
        // A row that was inserted has no earlier version.
        const { is_new } = await transaction.one(sql.type(pinnedIdRow)`
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
    },

    firstExpiry: async (accountId) => {
      const { first } = await pool.one(sql.type(expiryRow)`
        select min(expires_at) as first from pinned_renders
        where account_id = ${accountId} and expires_at > now()`);
      return first;
    },

    find: (id) =>
      pool.maybeOne(sql.type(pinnedRow)`
        select account_id, pattern_id, name, encode(fingerprint, 'hex') as fingerprint,
          encode(source_sha256, 'hex') as source_sha256, design, fields,
          exists (
            select from sources s
            where s.account_id = p.account_id and s.sha256 = p.source_sha256) as has_source
        from pinned_renders p where id = ${hex(id)}`),

    forgetExpired: () => deleteExpired(sql.fragment`true`),
  };
}

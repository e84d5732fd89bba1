/** API keys. A revoked one stays as a row, so that its id is never reused. */
import { sql } from "slonik";
import Type from "typebox";
import { batchQueries } from "../connection/batch-queries.ts";
import { columnsOf, idRow, Nullable, type RowOf, row, Timestamp } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import type { Quotas } from "../quotas.ts";
import { accountColumns, accountRow } from "./accounts.ts";
import { endSessionsOf } from "./mcp-sessions.ts";
import { recordKeyUses } from "./record-key-uses.ts";
import { checkQuotas } from "./usage.ts";

const keyRow = row({
  id: Type.Integer(),
  account_id: Type.Integer(),
  name: Type.String(),
  prefix: Type.String(),
  last_four: Type.String(),
  /** What it may do; null: everything. */
  scopes: Nullable(Type.Array(Type.String())),
  created_at: Timestamp,
  last_used_at: Nullable(Timestamp),
});
const keyColumns = columnsOf(keyRow);

/** A key as it is stored: its secret exists only as a SHA-256. */
export type ApiKey = RowOf<typeof keyRow>;

/** An account's columns under their own names, its key's with `key_` before them. */
const keyWithAccountRow = row({
  ...accountRow.columns,
  sha256: Type.String(),
  key_id: Type.Integer(),
  key_name: Type.String(),
  key_prefix: Type.String(),
  key_last_four: Type.String(),
  key_scopes: Nullable(Type.Array(Type.String())),
  key_created_at: Timestamp,
  key_last_used_at: Nullable(Timestamp),
});

function splitKeyAndAccount(found: RowOf<typeof keyWithAccountRow>) {
  const {
    sha256: _,
    key_id,
    key_name,
    key_prefix,
    key_last_four,
    key_scopes,
    key_created_at,
    key_last_used_at,
    ...account
  } = found;
  const key: ApiKey = {
    id: key_id,
    account_id: account.id,
    name: key_name,
    prefix: key_prefix,
    last_four: key_last_four,
    scopes: key_scopes,
    created_at: key_created_at,
    last_used_at: key_last_used_at,
  };
  return { key, account };
}

/** A key to store; `sha256` in hex. */
interface NewApiKey extends Pick<ApiKey, "name" | "prefix" | "last_four"> {
  readonly sha256: string;
  /** Left out: everything. */
  readonly scopes?: readonly string[] | null;
}

export function apiKeyQueries(pool: Connection, quotas: Quotas) {
  return {
    /** Throws `QuotaExceeded`. */
    create: (accountId: number, fields: NewApiKey) =>
      pool.transaction(async (transaction) => {
        const { name, sha256, prefix, last_four, scopes = null } = fields;
        const key = await transaction.one(sql.type(keyRow)`
          insert into api_keys (account_id, name, sha256, prefix, last_four, scopes)
          values (${accountId}, ${name}, decode(${sha256}, 'hex'), ${prefix}, ${last_four},
            ${scopes && sql.array([...scopes], "text")})
          returning ${keyColumns}`);
        await checkQuotas(transaction, quotas, accountId, { api_keys: 1 }, true);
        return key;
      }),

    /**
     * The live (not revoked) key with this SHA-256 and its account, or null; records the use, at most
     * once a minute.
     */
    authenticate: batchQueries(async (hashes: readonly string[]) => {
      const wanted = sql.fragment`select decode(hash, 'hex') from ${sql.unnest(
        hashes.map((hash) => [hash]),
        ["text"],
      )} as wanted (hash)`;
      // One round trip for both.
      const found = await pool.any(sql.type(keyWithAccountRow)`
        with noted as (
          ${recordKeyUses(sql.fragment`sha256 in (${wanted}) and revoked_at is null`)})
        select ${accountColumns}, encode(k.sha256, 'hex') as sha256,
          k.id as key_id, k.name as key_name, k.prefix as key_prefix,
          k.last_four as key_last_four, k.scopes as key_scopes, k.created_at as key_created_at,
          k.last_used_at as key_last_used_at
        from api_keys k join accounts a on a.id = k.account_id
        where k.sha256 in (${wanted}) and k.revoked_at is null`);
      const byHash = new Map(found.map((one) => [one.sha256, splitKeyAndAccount(one)]));
      return hashes.map((hash) => byHash.get(hash) ?? null);
    }),

    list: (accountId: number) =>
      pool.any(sql.type(keyRow)`
        select ${keyColumns} from api_keys
        where account_id = ${accountId} and revoked_at is null
        order by id`),

    /** The account of a live key; null once it is revoked. */
    holder: (id: number) =>
      pool.maybeOne(sql.type(accountRow)`
        select ${accountColumns} from api_keys k join accounts a on a.id = k.account_id
        where k.id = ${id} and k.revoked_at is null`),

    /** True when there was such a live key of this account. */
    revoke: (accountId: number, id: number) =>
      pool.transaction(async (transaction) => {
        const revoked = await transaction.maybeOne(sql.type(idRow)`
          update api_keys set revoked_at = now()
          where id = ${id} and account_id = ${accountId} and revoked_at is null
          returning id`);
        if (revoked) await endSessionsOf(transaction, sql.fragment`id = ${id}`);
        return revoked !== null;
      }),
  };
}

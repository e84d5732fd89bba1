/** API keys. A revoked one stays as a row, so that its id is never given to another. */
import { sql } from "slonik";
import Type, { type Static } from "typebox";
import { batched } from "../connection/batch-queries.ts";
import { Instant, idRow, Nullable, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import type { Quotas } from "../quotas.ts";
import type { Database } from "../types/index.ts";
import { AccountRow, accountColumns } from "./accounts.ts";
import { endSessionsOf } from "./mcp-sessions.ts";
import { noteKeyUses } from "./note-key-uses.ts";
import { checkQuotas } from "./usage.ts";

const keyRow = row(
  Type.Object({
    id: Type.Integer(),
    account_id: Type.Integer(),
    name: Type.String(),
    prefix: Type.String(),
    last_four: Type.String(),
    created_at: Instant,
    last_used_at: Nullable(Instant),
  }),
);
const keyColumns = sql.fragment`id, account_id, name, prefix, last_four, created_at, last_used_at`;

/** An account's columns under their own names, its key's with `key_` before them. */
const KeyWithAccount = Type.Object({
  ...AccountRow.properties,
  sha256: Type.String(),
  key_id: Type.Integer(),
  key_name: Type.String(),
  key_prefix: Type.String(),
  key_last_four: Type.String(),
  key_created_at: Instant,
  key_last_used_at: Nullable(Instant),
});
type KeyWithAccount = Static<typeof KeyWithAccount>;
const keyWithAccountRow = row(KeyWithAccount);

const accountRow = row(AccountRow);

/** A key with its account, as the door gives them. */
function holderOf(found: KeyWithAccount | undefined) {
  if (found === undefined) return null;
  const {
    sha256: _,
    key_id,
    key_name,
    key_prefix,
    key_last_four,
    key_created_at,
    key_last_used_at,
    ...account
  } = found;
  const key = {
    id: key_id,
    account_id: account.id,
    name: key_name,
    prefix: key_prefix,
    last_four: key_last_four,
    created_at: key_created_at,
    last_used_at: key_last_used_at,
  };
  return { key, account };
}

/** The queries about API keys; their contract is the door's. */
export function apiKeyQueries(
  pool: Connection,
  quotas: Quotas,
): Omit<Database["apiKeys"], "admit"> {
  return {
    create: (accountId, { name, sha256, prefix, last_four }) =>
      pool.transaction(async (transaction) => {
        const key = await transaction.one(sql.type(keyRow)`
          insert into api_keys (account_id, name, sha256, prefix, last_four)
          values (${accountId}, ${name}, decode(${sha256}, 'hex'), ${prefix}, ${last_four})
          returning ${keyColumns}`);
        await checkQuotas(transaction, quotas, accountId, { api_keys: 1 }, true);
        return key;
      }),

    authenticate: batched(async (hashes: readonly string[]) => {
      const asked = sql.fragment`select decode(hash, 'hex') from ${sql.unnest(
        hashes.map((hash) => [hash]),
        ["text"],
      )} as asked (hash)`;
      // One round trip for both.
      const found = await pool.any(sql.type(keyWithAccountRow)`
        with noted as (
          ${noteKeyUses(sql.fragment`sha256 in (${asked}) and revoked_at is null`)})
        select ${accountColumns("a")}, encode(k.sha256, 'hex') as sha256,
          k.id as key_id, k.name as key_name, k.prefix as key_prefix,
          k.last_four as key_last_four, k.created_at as key_created_at,
          k.last_used_at as key_last_used_at
        from api_keys k join accounts a on a.id = k.account_id
        where k.sha256 in (${asked}) and k.revoked_at is null`);
      const byHash = new Map(found.map((one) => [one.sha256, one]));
      return hashes.map((hash) => holderOf(byHash.get(hash)));
    }),

    list: (accountId) =>
      pool.any(sql.type(keyRow)`
        select ${keyColumns} from api_keys
        where account_id = ${accountId} and revoked_at is null
        order by id`),

    holder: (id) =>
      pool.maybeOne(sql.type(accountRow)`
        select ${accountColumns("a")} from api_keys k join accounts a on a.id = k.account_id
        where k.id = ${id} and k.revoked_at is null`),

    revoke: (accountId, id) =>
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

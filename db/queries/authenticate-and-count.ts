/**
 * What every request with a key needs: the account of the key, its use of the rate limit, and the
 * stored version of a pattern. Concurrent requests share one prepared statement.
 */
import { sql } from "slonik";
import Type from "typebox";
import { batchQueries } from "../connection/batch-queries.ts";
import type {
  PreparedStatementClient,
  Statement,
} from "../connection/prepared-statement-client.ts";
import { Nullable, type RowOf, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import type { Plan } from "../quotas.ts";
import { type Account, accountRow } from "./accounts.ts";
import { counterRow, countUses, type RateLimitUse, splitUses } from "./rate-limits.ts";
import { recordKeyUses } from "./record-key-uses.ts";

/**
 * Milliseconds in which concurrent requests gather for one statement: one for three costs each of them
 * half as much as one for each.
 */
const GATHER_MS = 4;

/** How often a key may be used, by its account's plan. */
interface KeyLimits {
  readonly quotas: Readonly<Record<Plan, number>>;
  readonly windowSeconds: number;
}

/** An active key that a request was made with, and the count of its uses. */
export interface AuthenticatedKey {
  readonly account: Account;
  readonly keyId: number;
  /** What the key may do; null: everything. */
  readonly scopes: readonly string[] | null;
  readonly use: RateLimitUse;
  /** The pattern's version; null where the account has no such pattern. */
  readonly patternVersion: number | null;
}

const authenticatedRow = row({
  ...accountRow.columns,
  ...counterRow.columns,
  place: Type.Integer(),
  key_id: Type.Integer(),
  scopes: Nullable(Type.Array(Type.String())),
  is_use_due: Type.Boolean(),
  pattern_version: Nullable(Type.Integer()),
});

const accountNames = Object.keys(accountRow.columns);

/** Returns a row for each live key, with its request's place in the batch, from 1. */
const authenticateStatement: Statement<RowOf<typeof authenticatedRow>> = {
  name: "authenticate_and_count",
  row: authenticatedRow,
  sql: `
    with live as materialized (
      select requests.place, requests.pattern, requests.seconds, 'key:' || keys.key_id as key,
        keys.*, holders.*
      from unnest($1::text[], $2::int8[], $3::int4[]) with ordinality
        as requests (hash, pattern, seconds, place)
      cross join lateral (
        select id as key_id, account_id, scopes,
          last_used_at is null or last_used_at < now() - interval '1 minute' as is_use_due
        from api_keys where sha256 = decode(requests.hash, 'hex') and revoked_at is null
        offset 0) as keys
      cross join lateral (
        select ${accountNames.join(", ")} from accounts where id = keys.account_id
        offset 0) as holders
    ), counted as (
      ${countUses("select key, count(*)::int4 as uses, max(seconds) as seconds from live group by key")}
    )
    select live.place::int4, live.key_id, live.scopes, live.is_use_due, key, counted.used, counted.reset_ms,
      ${accountNames.map((name) => `live.${name}`).join(", ")},
      (select version from patterns where id = live.pattern and account_id = live.id)
        as pattern_version
    from live join counted using (key)`,
};

interface AuthenticationRequest extends KeyLimits {
  readonly sha256: string;
  readonly patternId: number | null;
}

/** Creates `apiKeys.authenticateAndCount`. `onUses` is called with the number of uses. */
export function createAuthenticateAndCount(
  pool: Connection,
  session: PreparedStatementClient,
  onUses: (uses: number) => void,
) {
  const recordUses = (ids: readonly number[]) =>
    pool.query(sql.unsafe`${recordKeyUses(sql.fragment`id = any(${sql.array(ids, "int8")})`)}`);

  const authenticateAll = batchQueries(
    async (requests: readonly AuthenticationRequest[]): Promise<(AuthenticatedKey | null)[]> => {
      const found = await session.run(authenticateStatement, [
        requests.map(({ sha256 }) => sha256),
        requests.map(({ patternId }) => patternId),
        requests.map(({ windowSeconds }) => windowSeconds),
      ]);
      onUses(found.length);
      const due = found.filter(({ is_use_due }) => is_use_due);
      if (due.length > 0) await recordUses(due.map(({ key_id }) => key_id));
      const byPlace = new Map(found.map((one) => [one.place, one]));
      const useOf = splitUses(
        found.map(({ key }) => key),
        found,
      );
      return requests.map(({ quotas, windowSeconds }, index) => {
        const one = byPlace.get(index + 1);
        if (!one) return null;
        const {
          place,
          key,
          key_id,
          scopes,
          used,
          reset_ms,
          is_use_due,
          pattern_version,
          ...account
        } = one;
        const use = useOf({ key, quota: quotas[account.plan], windowSeconds });
        return { account, keyId: key_id, scopes, use, patternVersion: pattern_version };
      });
    },
    GATHER_MS,
  );

  /**
   * Authenticates a request as `authenticate` does, counts one use of `key:<its id>` as
   * `rateLimits.use` does, and reads the version of one of the account's patterns; in one query.
   */
  return (sha256: string, limits: KeyLimits, patternId: number | null) =>
    authenticateAll({ sha256, patternId, ...limits });
}

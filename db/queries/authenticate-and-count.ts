/**
 * What every request with a key asks: whose key it is, how often it was used of late, and which version
 * of a pattern is stored. Requests that come together ask in one prepared statement.
 */
import { sql } from "slonik";
import Type, { type Static } from "typebox";
import { batched } from "../connection/batch-queries.ts";
import type {
  PreparedStatementClient,
  Statement,
} from "../connection/prepared-statement-client.ts";
import { Nullable, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import type { Admission, AdmissionRules } from "../types/index.ts";
import { AccountRow } from "./accounts.ts";
import { noteKeyUses } from "./note-key-uses.ts";
import { Counter, countUses, inTurn } from "./rate-limits.ts";

/**
 * Milliseconds in which requests gather for one statement while several come at a time: one for three
 * costs each of them half as much as one for each.
 */
const GATHER_MS = 4;

const Found = Type.Object({
  ...AccountRow.properties,
  ...Counter.properties,
  place: Type.Integer(),
  key_id: Type.Integer(),
  is_use_due: Type.Boolean(),
  pattern_version: Nullable(Type.Integer()),
});
type Found = Static<typeof Found>;

const accountNames = Object.keys(AccountRow.properties);

/** A row for each live key that was asked for, with its place among those asked, from 1 on. */
const admit: Statement<Found> = {
  name: "admit",
  row: row(Found),
  sql: `
    with live as materialized (
      select asked.place, asked.pattern, asked.seconds, 'key:' || keys.key_id as key, keys.*,
        holders.*
      from unnest($1::text[], $2::int8[], $3::int4[]) with ordinality
        as asked (hash, pattern, seconds, place)
      cross join lateral (
        select id as key_id, account_id,
          last_used_at is null or last_used_at < now() - interval '1 minute' as is_use_due
        from api_keys where sha256 = decode(asked.hash, 'hex') and revoked_at is null
        offset 0) as keys
      cross join lateral (
        select ${accountNames.join(", ")} from accounts where id = keys.account_id
        offset 0) as holders
    ), counted as (
      ${countUses("select key, count(*)::int4 as uses, max(seconds) as seconds from live group by key")}
    )
    select live.place::int4, live.key_id, live.is_use_due, key, counted.used, counted.reset_ms,
      ${accountNames.map((name) => `live.${name}`).join(", ")},
      (select version from patterns where id = live.pattern and account_id = live.id)
        as pattern_version
    from live join counted using (key)`,
};

interface Asked extends AdmissionRules {
  readonly sha256: string;
  readonly patternId: number | null;
}

/** Makes the door's `admit`. `counted` hears how many uses were. */
export function admission(
  pool: Connection,
  session: PreparedStatementClient,
  counted: (uses: number) => void,
) {
  const noteUses = (ids: readonly number[]) =>
    pool.query(sql.unsafe`${noteKeyUses(sql.fragment`id = any(${sql.array(ids, "int8")})`)}`);

  const admitAll = batched(async (asked: readonly Asked[]): Promise<(Admission | null)[]> => {
    const found = await session.run(admit, [
      asked.map(({ sha256 }) => sha256),
      asked.map(({ patternId }) => patternId),
      asked.map(({ windowSeconds }) => windowSeconds),
    ]);
    counted(found.length);
    const due = found.filter(({ is_use_due }) => is_use_due);
    if (due.length > 0) await noteUses(due.map(({ key_id }) => key_id));
    const uses = found.map(({ key, place, plan }) => {
      const { quotas, windowSeconds } = asked[place - 1] as Asked;
      return { key, quota: quotas[plan], windowSeconds };
    });
    const answers: (Admission | null)[] = asked.map(() => null);
    for (const [index, use] of inTurn(uses, found).entries()) {
      const { place, key, key_id, used, reset_ms, is_use_due, pattern_version, ...account } = found[
        index
      ] as Found;
      answers[place - 1] = { account, keyId: key_id, use, patternVersion: pattern_version };
    }
    return answers;
  }, GATHER_MS);

  return (sha256: string, rules: AdmissionRules, patternId: number | null) =>
    admitAll({ sha256, patternId, ...rules });
}

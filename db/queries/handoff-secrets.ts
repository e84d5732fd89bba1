/** The secrets that sign the returns of shops' customers. */
import { sql } from "slonik";
import Type from "typebox";
import { Nullable, row, Timestamp } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";

const secretRow = row({ secret: Nullable(Type.String()) });
const rotatedRow = row({ previous_until: Nullable(Timestamp) });

export function handoffSecretQueries(pool: Connection) {
  return {
    /** The secret that signs: during an overlap the previous one. Null for an account without one. */
    signing: async (accountId: number) => {
      const { secret } = await pool.one(sql.type(secretRow)`
        select case when previous_handoff_secret_until > now() then previous_handoff_secret
          else handoff_secret end as secret
        from accounts where id = ${accountId}`);
      return secret;
    },

    /** Sets a secret. The one before, if any, goes on to sign for so many hours. */
    rotate: async (accountId: number, secret: string, overlapHours: number) => {
      const { previous_until } = await pool.one(sql.type(rotatedRow)`
        update accounts set handoff_secret = ${secret},
          previous_handoff_secret = case when ${overlapHours} > 0 then handoff_secret end,
          previous_handoff_secret_until = case when ${overlapHours} > 0
            and handoff_secret is not null then now() + ${`${overlapHours} h`}::interval end
        where id = ${accountId}
        returning previous_handoff_secret_until as previous_until`);
      return previous_until;
    },
  };
}

/** The list of all accounts, for operators. */
import { sql } from "slonik";
import { Nullable, type RowOf, row, Timestamp } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import type { Plan } from "../quotas.ts";
import { accountColumns, accountRow } from "./accounts.ts";
import { type PageRequest, page } from "./page.ts";

const lastUseRow = row({ last_used_at: Nullable(Timestamp) });

/** The last request of a user, to the hour, or with a key, to the minute. */
const lastUse = sql.fragment`greatest(a.last_used_at,
  (select max(last_used_at) from api_keys where account_id = a.id))`;

/** Which accounts to list; left out: all. */
export interface AccountFilter {
  /** A part of the e-mail address, or the id. */
  readonly search?: string | undefined;
  readonly plan?: Plan | undefined;
  readonly frozen?: boolean | undefined;
}

const foundRow = row({ ...accountRow.columns, ...lastUseRow.columns });
/** An account in the list of all. */
export type FoundAccount = RowOf<typeof foundRow>;

export function accountSearchQueries(pool: Connection) {
  return {
    /** A page of all accounts, newest first. */
    search: async (
      { search = "", plan, frozen }: AccountFilter,
      { before = null, limit }: PageRequest,
    ) =>
      page(
        await pool.any(sql.type(foundRow)`
          select ${accountColumns}, ${lastUse} as last_used_at from accounts a
          where (${before}::bigint is null or a.id < ${before})
            and (strpos(lower(a.email), lower(${search})) > 0 or a.id::text = ${search})
            and (${plan ?? null}::text is null or a.plan = ${plan ?? null})
            and (${frozen ?? null}::boolean is null or a.frozen = ${frozen ?? null})
          order by a.id desc limit ${limit + 1}`),
        limit,
      ),

    /** When an account was used last; null: never, or there is none. */
    lastUse: async (id: number) => {
      const found = await pool.maybeOne(
        sql.type(lastUseRow)`select ${lastUse} as last_used_at from accounts a where a.id = ${id}`,
      );
      return found?.last_used_at ?? null;
    },
  };
}

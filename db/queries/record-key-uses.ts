import { type FragmentSqlToken, sql } from "slonik";

/**
 * The update that records a use of the keys that match `which`, at most once a minute each. Keys locked
 * by another update are left to that.
 */
export const recordKeyUses = (which: FragmentSqlToken) => sql.fragment`
  update api_keys set last_used_at = now() where id in (
    select id from api_keys
    where ${which} and (last_used_at is null or last_used_at < now() - interval '1 minute')
    for no key update skip locked)`;

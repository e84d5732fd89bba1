import { sql } from "slonik";

/**
 * The update that notes the use of the keys that `which` picks, each once a minute at most; those that
 * others are noting at this moment are left to them.
 */
export const noteKeyUses = (which: ReturnType<typeof sql.fragment>) => sql.fragment`
  update api_keys set last_used_at = now() where id in (
    select id from api_keys
    where ${which} and (last_used_at is null or last_used_at < now() - interval '1 minute')
    for no key update skip locked)`;

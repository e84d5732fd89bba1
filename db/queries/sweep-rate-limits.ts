import { sql } from "slonik";
import type { Connection } from "../connection/types.ts";

/** After so many uses one process removes windows that are long over. */
const SWEEP_EVERY = 1000;

/** Gives a function that hears of uses, and now and then removes the counters that nobody needs. */
export function sweepRateLimits(pool: Connection): (uses: number) => void {
  let heard = 0;
  return (uses) => {
    heard += uses;
    if (heard < SWEEP_EVERY) return;
    heard = 0;
    // Nobody waits for it, and what it leaves the next one finds.
    pool
      .query(sql.unsafe`
        delete from rate_limits where key in (
          select key from rate_limits where window_ends < now() - interval '1 hour'
          for update skip locked)`)
      .catch(() => undefined);
  };
}

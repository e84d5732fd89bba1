import { sql } from "slonik";
import type { Connection } from "../connection/types.ts";

/** Uses between two deletions of expired counters. */
const SWEEP_EVERY = 1000;

/** Returns a function, to be called with numbers of uses, that now and then deletes expired counters. */
export function sweepRateLimits(pool: Connection): (uses: number) => void {
  let counted = 0;
  return (uses) => {
    counted += uses;
    if (counted < SWEEP_EVERY) return;
    counted = 0;
    // In the background; after a failure the next sweep deletes the rest.
    pool
      .query(sql.unsafe`
        delete from rate_limits where key in (
          select key from rate_limits where window_ends < now() - interval '1 hour'
          for update skip locked)`)
      .catch(() => undefined);
  };
}

/** Counters of requests that all nodes share. */
import pg from "pg";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Database } from "./door.ts";
import { sessionOptions } from "./pool.ts";

/** Counting takes a fraction of a millisecond, so few connections serve many requests. */
const CONNECTIONS = 4;

export interface RateLimits {
  readonly use: Database["rateLimits"]["use"];
  close(): Promise<void>;
}

/** Counters in the database at `url`, on connections of their own: the limiter brings its own SQL. */
export function openRateLimits(url: string): RateLimits {
  const pool = new pg.Pool({ ...sessionOptions(url), max: CONNECTIONS, idleTimeoutMillis: 60_000 });
  // Without a listener a connection that breaks while idle would end the process.
  pool.on("error", () => undefined);
  const limiters = new Map<string, RateLimiterPostgres>();
  const limiterOf = (quota: number, windowSeconds: number): RateLimiterPostgres => {
    const name = `${quota}/${windowSeconds}`;
    const known = limiters.get(name);
    if (known) return known;
    const limiter = new RateLimiterPostgres({
      storeClient: pool,
      storeType: "pool",
      tableName: "rate_limits",
      tableCreated: true,
      keyPrefix: "",
      points: quota,
      duration: windowSeconds,
      // Who is over the limit stays so until the window ends, and costs no query.
      inMemoryBlockOnConsumed: quota + 1,
    });
    limiters.set(name, limiter);
    return limiter;
  };
  return {
    async use(key, { quota, windowSeconds }) {
      const { allowed, found } = await consume(limiterOf(quota, windowSeconds), key);
      return {
        allowed,
        remaining: allowed ? found.remainingPoints : 0,
        resetMs: found.msBeforeNext,
      };
    },
    close: () => pool.end(),
  };
}

/** The limiter throws its finding where the limit is exceeded. */
async function consume(limiter: RateLimiterPostgres, key: string) {
  try {
    return { allowed: true, found: await limiter.consume(key) };
  } catch (error) {
    if (error instanceof RateLimiterRes) return { allowed: false, found: error };
    throw error;
  }
}

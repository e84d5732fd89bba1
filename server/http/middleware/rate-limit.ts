import type { Context, Middleware } from "koa";
import {
  countUse,
  digest,
  type LimitUse,
  RateLimited,
  secondsUntil,
} from "../../actions/rate-limits.ts";
import type { Database } from "../../actions/services.ts";
import { networkOf } from "../client.ts";
import type { AddressLimit } from "../route.ts";

/**
 * Sets the RateLimit headers (draft-ietf-httpapi-ratelimit-headers-10) of whatever response this
 * request gets. Throws `RateLimited` if nothing is left.
 */
export function applyLimit(ctx: Context, policy: string, use: LimitUse): void {
  const { quota, windowSeconds } = use.limit;
  ctx.set("RateLimit-Policy", `"${policy}";q=${quota};w=${windowSeconds}`);
  ctx.set("RateLimit", `"${policy}";r=${use.remaining};t=${secondsUntil(use.resetMs)}`);
  if (!use.allowed) throw new RateLimited(use);
}

/** Limits a public route by the client's address. */
export function limitByAddress(db: Database, { policy, ...limit }: AddressLimit): Middleware {
  return async (ctx, next) => {
    applyLimit(ctx, policy, await countUse(db, `${policy}:${digest(networkOf(ctx.ip))}`, limit));
    return next();
  };
}

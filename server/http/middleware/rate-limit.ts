import { isIPv6 } from "node:net";
import type { Context, Middleware } from "koa";
import {
  countUse,
  digest,
  type LimitUse,
  RateLimited,
  secondsUntil,
} from "../../actions/rate-limits.ts";
import type { Database } from "../../actions/services.ts";
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

/** An IPv6 customer usually has a /64 and may use any address in it. */
export function networkOf(reported: string): string {
  // Some proxies include the port.
  const address = reported
    .replace(/^\[(.*)\](:\d+)?$/, "$1")
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, "$1");
  const [mapped] = /\d+(\.\d+){3}$/.exec(address) ?? [];
  if (mapped || !isIPv6(address)) return mapped ?? address;
  const [head = "", tail] = address.replace(/%.*/, "").split("::");
  const groups = (text: string) => (text ? text.split(":") : []);
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array(missing).fill("0"), ...groups(tail ?? "")];
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}

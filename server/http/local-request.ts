import type { Context } from "koa";
import { isLoopback } from "../actions/origins.ts";

/** What proxies add to requests that they forward. */
const FORWARDED = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

/**
 * Whether a request comes from a program on this machine: from a loopback address, to a loopback host
 * (which pages of other sites cannot ask for, DNS rebinding included), and through no proxy that says so.
 */
export function isLocalRequest(ctx: Context): boolean {
  const address = ctx.req.socket.remoteAddress ?? "";
  const isLoopbackAddress = /^(::ffff:)?127\.|^::1$/.test(address);
  const isForwarded = FORWARDED.some((name) => name in ctx.headers);
  return isLoopbackAddress && !isForwarded && isLoopback(ctx.hostname);
}

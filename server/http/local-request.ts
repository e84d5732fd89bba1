import type { Context } from "koa";
import { isLoopback } from "../actions/origins.ts";

/** What proxies add to requests that they forward. */
const FORWARDED = /^(forwarded|via|x-forwarded-.*|x-real-ip)$/;

/**
 * Whether a request comes from a program on this machine: from a loopback address, to a loopback host
 * (which pages of other sites cannot ask for, DNS rebinding included), and through no proxy that shows.
 * HTTP/1.0 shows one: nginx speaks it where it was told no other, and adds no header then.
 */
export function isLocalRequest(ctx: Context): boolean {
  const address = ctx.req.socket.remoteAddress ?? "";
  const isLoopbackAddress = /^(::ffff:)?127\.|^::1$/.test(address);
  const isForwarded =
    ctx.req.httpVersion === "1.0" || Object.keys(ctx.headers).some((name) => FORWARDED.test(name));
  return isLoopbackAddress && !isForwarded && isLoopback(ctx.hostname);
}

import type { Context } from "koa";
import { isLoopback } from "../actions/origins.ts";

/** Headers that proxies add. */
const FORWARDED = /^(forwarded|via|x-forwarded-.*|x-real-ip)$/;

/**
 * Whether a request comes from a program on this machine: from a loopback address, to a loopback
 * host (which pages of other sites cannot request, DNS rebinding included), and not through a
 * visible proxy. HTTP/1.0 counts as a proxy: it is nginx's default, which then adds no header.
 */
export function isLocalRequest(ctx: Context): boolean {
  const address = ctx.req.socket.remoteAddress ?? "";
  const isLoopbackAddress = /^(::ffff:)?127\.|^::1$/.test(address);
  const isForwarded =
    ctx.req.httpVersion === "1.0" || Object.keys(ctx.headers).some((name) => FORWARDED.test(name));
  return isLoopbackAddress && !isForwarded && isLoopback(ctx.hostname);
}

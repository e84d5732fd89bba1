/** The client of a request: its network, whether it is on this machine, whether it has left. */
import { isIPv6 } from "node:net";
import type { Context } from "koa";
import { isLoopback } from "../actions/origins.ts";

/**
 * Returns the network of a client's address: an IPv6 customer usually has a /64 and may use any
 * address in it.
 */
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

/** Aborts when the connection closes before the response is complete. */
export function clientAbortSignal(ctx: Context): AbortSignal {
  const controller = new AbortController();
  ctx.res.once("close", () => {
    if (!ctx.res.writableFinished) controller.abort();
  });
  return controller.signal;
}

const CODES = new Set(["ECONNRESET", "EPIPE", "ERR_STREAM_PREMATURE_CLOSE"]);

/** Whether an error only means that the client has disconnected. */
export function isClientAbort(error: unknown, { res }: Context): boolean {
  if (!(error instanceof Error)) return false;
  // A disconnect is not the only reason for an abort.
  if (error.name === "AbortError") return res.destroyed;
  return "code" in error && CODES.has(String(error.code));
}

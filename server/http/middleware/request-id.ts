import { randomUUID } from "node:crypto";
import type { Middleware } from "koa";

/** Long enough for tracing systems, without characters that could break a log line. */
const SANE = /^[\w.:/+=-]{1,128}$/;

/** Sets the request id: the request's X-Request-Id if it is valid, else a new one. */
export function requestId(): Middleware {
  return (ctx, next) => {
    const given = ctx.get("X-Request-Id");
    ctx.state.requestId = SANE.test(given) ? given : randomUUID();
    ctx.set("X-Request-Id", ctx.state.requestId);
    return next();
  };
}

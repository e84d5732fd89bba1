import { randomUUID } from "node:crypto";
import type { Middleware } from "koa";

/** Long enough for any tracing system, and nothing that could break a log line. */
const SANE = /^[\w.:/+=-]{1,128}$/;

/** Names each request: by its own X-Request-Id where that is sane, else by a new one. */
export function requestId(): Middleware {
  return (ctx, next) => {
    const given = ctx.get("X-Request-Id");
    ctx.state.requestId = SANE.test(given) ? given : randomUUID();
    ctx.set("X-Request-Id", ctx.state.requestId);
    return next();
  };
}

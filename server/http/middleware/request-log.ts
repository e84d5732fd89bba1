import type { Middleware } from "koa";
import type { Log } from "../../actions/log.ts";

/**
 * Logs one entry for each request once its answer has left or its client has gone. Only the path
 * is logged: queries and headers may hold secrets.
 */
export function requestLog(log: Log): Middleware {
  return (ctx, next) => {
    const start = performance.now();
    ctx.res.once("close", () => {
      const { requestId, accountId, problem, error } = ctx.state;
      log({
        method: ctx.method,
        path: ctx.path,
        // None has been sent to a client that left before.
        status: ctx.res.headersSent ? ctx.status : null,
        ms: Math.round(performance.now() - start),
        request_id: requestId,
        ...(accountId && { account: accountId }),
        ...(problem && { problem }),
        ...(!ctx.res.writableFinished && { aborted: true }),
        ...(error && { error }),
      });
    });
    return next();
  };
}

import type { Socket } from "node:net";
import type { Context, Middleware } from "koa";
import type { Log } from "../../actions/log.ts";

interface Transferred {
  readonly received: number;
  readonly sent: number;
}

/** What each open connection had transferred when its last response ended. */
const transferredBefore = new WeakMap<Socket, Transferred>();

/**
 * Logs one entry for each request once its response was sent or its client has gone: faults of ours
 * as errors. Queries and headers are not logged: they may hold secrets.
 */
export function requestLog(log: Log): Middleware {
  return (ctx, next) => {
    const start = performance.now();
    // The socket does not know its peer any more once it is closed.
    const address = ctx.ip;
    ctx.res.once("close", () => {
      const { requestId, route, accountId, keyId, handoffId, problem, error } = ctx.state;
      const entry = {
        request_id: requestId,
        method: ctx.method,
        path: ctx.path,
        ...(route && { route }),
        // None has been sent to a client that left before.
        status: ctx.res.headersSent ? ctx.status : null,
        ms: Math.round(performance.now() - start),
        ...bytesOf(ctx),
        address,
        ...(accountId && { account_id: accountId }),
        ...(keyId && { key_id: keyId }),
        ...(handoffId && { handoff_id: handoffId }),
        ...(problem && { problem }),
        ...(!ctx.res.writableFinished && { aborted: true }),
        ...(error && { error }),
      };
      if (error) log.error(entry, "request failed");
      else log.info(entry, "request");
    });
    return next();
  };
}

/** The bytes of the request and of its response, their heads included. */
function bytesOf({ socket }: Context): { readonly bytes_in: number; readonly bytes_out: number } {
  const { received, sent } = transferredBefore.get(socket) ?? { received: 0, sent: 0 };
  transferredBefore.set(socket, { received: socket.bytesRead, sent: socket.bytesWritten });
  return { bytes_in: socket.bytesRead - received, bytes_out: socket.bytesWritten - sent };
}

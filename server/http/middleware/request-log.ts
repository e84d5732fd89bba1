import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import type { Context, Middleware } from "koa";
import type { Log } from "../../actions/log.ts";
import { measure } from "../../actions/measurements.ts";

/** Long enough for tracing systems, without characters that could break a log line. */
const REQUEST_ID = /^[\w.:/+=-]{1,128}$/;

interface Transferred {
  readonly received: number;
  readonly sent: number;
}

/** Bytes that each connection had transferred at the end of its last response. */
const transferredBefore = new WeakMap<Socket, Transferred>();

/**
 * Identifies each request, by its `X-Request-Id` if that is valid, and logs one entry for it when its
 * response is complete or its client has disconnected: faults of the service as errors, those of the
 * object store as warnings. Queries and headers are not logged: they may contain secrets.
 */
export function requestLog(log: Log): Middleware {
  return (ctx, next) => {
    const given = ctx.get("X-Request-Id");
    ctx.state.requestId = REQUEST_ID.test(given) ? given : randomUUID();
    ctx.set("X-Request-Id", ctx.state.requestId);
    const start = performance.now();
    // The peer's address is unknown after the socket closes.
    const address = ctx.ip;
    ctx.res.once("close", () => {
      const { requestId, traceId, route, accountId, keyId, handoffId, problem } = ctx.state;
      const { error, errorLevel = "error" } = ctx.state;
      // A client that disconnected before got no status.
      const status = ctx.res.headersSent ? ctx.status : null;
      const ms = performance.now() - start;
      const entry = {
        request_id: requestId,
        ...(traceId && { trace_id: traceId }),
        method: ctx.method,
        path: ctx.path,
        ...(route && { route }),
        status,
        ms: Math.round(ms),
        ...bytesOf(ctx),
        address,
        ...(accountId && { account_id: accountId }),
        ...(keyId && { key_id: keyId }),
        ...(handoffId && { handoff_id: handoffId }),
        ...(problem && { problem }),
        ...(!ctx.res.writableFinished && { aborted: true }),
        ...(error && { error }),
      };
      if (error) log[errorLevel as "warn" | "error"](entry, "request failed");
      else log.info(entry, "request");
      measure("request", {
        method: ctx.method,
        route: route ?? null,
        status,
        seconds: ms / 1000,
        problem: problem ?? null,
      });
    });
    return next();
  };
}

/** Returns the bytes of the request and of its response, including their headers. */
function bytesOf({ socket }: Context): { readonly bytes_in: number; readonly bytes_out: number } {
  const { received, sent } = transferredBefore.get(socket) ?? { received: 0, sent: 0 };
  transferredBefore.set(socket, { received: socket.bytesRead, sent: socket.bytesWritten });
  return { bytes_in: socket.bytesRead - received, bytes_out: socket.bytesWritten - sent };
}

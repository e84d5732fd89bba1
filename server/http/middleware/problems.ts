import type { Middleware } from "koa";
import { logLevelOf } from "../../actions/failures.ts";
import { MCP_ENDPOINT, type McpPort } from "../../actions/mcp-port.ts";
import type { Readiness } from "../../actions/readiness.ts";
import { isClientAbort } from "../client.ts";
import { lingeringBody } from "../linger.ts";
import { problemOf } from "../problem.ts";
import { refusalOf } from "./refused-calls.ts";

/**
 * Responds to errors with a problem whose `type` starts with `basePath`; at MCP's endpoint, where
 * every body is JSON-RPC, with a JSON-RPC error. Faults of the service and of the object store are
 * passed on to the log.
 */
export function problems(basePath: string, mcp: McpPort, readiness: Readiness): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      readiness.reportError(error);
      const { headers, body } = problemOf(error, {
        requestId: ctx.state.requestId,
        basePath,
        place: ctx.state.inputPlace,
        retrySeconds: ctx.state.retrySeconds,
        isGuest: (ctx.state.handoffId ?? null) !== null,
      });
      const errorLevel = logLevelOf(error, body.code);
      if (errorLevel !== null && !isClientAbort(error, ctx)) {
        Object.assign(ctx.state, { error, errorLevel });
      }
      ctx.state.problem = body.code;
      ctx.set({ "Cache-Control": "no-store", ...headers });
      ctx.status = body.status;
      const isRpc = ctx.path.replace(/\/$/, "") === MCP_ENDPOINT;
      ctx.type = isRpc ? "application/json" : "application/problem+json";
      const text = JSON.stringify(isRpc ? refusalOf(mcp, error, ctx) : body);
      ctx.body = ctx.req.complete ? text : lingeringBody(ctx, text);
      ctx.length = Buffer.byteLength(text);
    }
  };
}

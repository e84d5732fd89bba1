import type { Context, Middleware } from "koa";
import type { McpPort } from "../../actions/mcp-port.ts";
import type { Services } from "../../actions/services.ts";
import { isClientAbort } from "../client.ts";
import { problemOf } from "../problem.ts";
import type { Route } from "../route.ts";
import { readBody } from "./body.ts";

/**
 * Bytes of a refused call that are read at most, so that callers beyond their limits cost little.
 */
const REFUSED_BYTES = 64 * 1024;

/**
 * Determines which MCP call is refused: clients wait for a response with the call's id and may
 * ignore the status. Over SSE the session's stream carries the response, beside the status.
 */
export function respondToRefusedCalls(route: Route, services: Services, mcp: McpPort): Middleware {
  const read = readBody({ ...route, maximumBytes: REFUSED_BYTES }, services);
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const id = isClientAbort(error, ctx) ? null : await callOf(ctx);
      ctx.state.callId = id;
      if (route.auth === "session" && id !== null) {
        // If that fails, the client only gets the status.
        const sent = mcp.reply(String(ctx.query.session_id), refusalOf(mcp, error, ctx));
        await sent.catch(() => undefined);
      }
      throw error;
    }
  };

  async function callOf(ctx: Context) {
    // Nothing is read for unauthenticated callers.
    if (!ctx.state.account) return null;
    if (!("body" in ctx.state)) {
      const nothing = () => Promise.resolve();
      await Promise.resolve(read(ctx, nothing)).catch(nothing);
    }
    return mcp.requestIdOf(ctx.state.body);
  }
}

/** Returns the JSON-RPC response to a request that is refused with `error`. */
export function refusalOf(mcp: McpPort, error: unknown, ctx: Context): object {
  const { callId = null, requestId, retrySeconds } = ctx.state;
  const { headers, body } = problemOf(error, { requestId, retrySeconds });
  const retryAfter = headers["Retry-After"];
  return mcp.refusalMessage(error, callId, {
    ...body,
    ...(retryAfter !== undefined && { retryAfter: Number(retryAfter) }),
  });
}

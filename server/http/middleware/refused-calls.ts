import type { Context, Middleware } from "koa";
import type { Services } from "../../actions/services.ts";
import { isClientAbort } from "../client-abort.ts";
import type { McpPort } from "../../actions/mcp-port.ts";
import { problemOf } from "../problem.ts";
import type { Route } from "../route.ts";
import { readBody } from "./body.ts";

/** A refused call is read only so far, so that callers beyond their limits cost little. */
const REFUSED_BYTES = 64 * 1024;

/**
 * Finds out which call of an MCP client is refused: clients wait for the answer to a call's id and may
 * not look at statuses. Over SSE the session's stream gets the answer, beside the status.
 */
export function answerRefusedCalls(route: Route, services: Services, mcp: McpPort): Middleware {
  const read = readBody({ ...route, maximumBytes: REFUSED_BYTES }, services);
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const id = isClientAbort(error, ctx) ? null : await callOf(ctx);
      ctx.state.callId = id;
      if (route.auth === "session" && id !== null) {
        // Where that fails, the status has to do.
        const told = mcp.reply(String(ctx.query.session_id), refusalOf(mcp, error, ctx));
        await told.catch(() => undefined);
      }
      throw error;
    }
  };

  async function callOf(ctx: Context) {
    // Of callers that are not known nothing is read.
    if (!ctx.state.account) return null;
    if (!("body" in ctx.state)) {
      const nothing = () => Promise.resolve();
      await Promise.resolve(read(ctx, nothing)).catch(nothing);
    }
    return mcp.requestIdOf(ctx.state.body);
  }
}

/** The protocol's answer to the request, which is refused with `error`. */
export function refusalOf(mcp: McpPort, error: unknown, ctx: Context): object {
  const { callId = null, requestId, retrySeconds } = ctx.state;
  const { headers, body } = problemOf(error, { requestId, retrySeconds });
  const retryAfter = headers["Retry-After"];
  return mcp.refusalMessage(error, callId, {
    ...body,
    ...(retryAfter !== undefined && { retryAfter: Number(retryAfter) }),
  });
}

import type { Middleware } from "koa";
import { isLeaving } from "../leaving.ts";
import { problemOf } from "../problem.ts";

/** Answers whatever is thrown below as a problem. Faults of our own are left to the log. */
export function problems(): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const { headers, body } = problemOf(error, ctx.state.requestId);
      if (body.status === 500 && !isLeaving(error, ctx)) ctx.state.error = error;
      ctx.state.problem = body.code;
      ctx.set(headers);
      ctx.status = body.status;
      ctx.type = "application/problem+json";
      ctx.body = JSON.stringify(body);
    }
  };
}

import type { Middleware } from "koa";
import { Unavailable } from "../errors.ts";

/** Sends requests that still come over open connections elsewhere once the service is to stop. */
export function refuseWhenStopping(stopping: AbortSignal): Middleware {
  return (ctx, next) => {
    if (!stopping.aborted) return next();
    ctx.set("Connection", "close");
    throw new Unavailable("the service is stopping");
  };
}

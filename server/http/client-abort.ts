/** Clients that disconnect before the response is complete. */
import type { Context } from "koa";

/** Aborts when the connection closes before the response is complete. */
export function clientAbortSignal(ctx: Context): AbortSignal {
  const controller = new AbortController();
  ctx.res.once("close", () => {
    if (!ctx.res.writableFinished) controller.abort();
  });
  return controller.signal;
}

const CODES = new Set(["ECONNRESET", "EPIPE", "ERR_STREAM_PREMATURE_CLOSE"]);

/** Whether an error only means that the client has disconnected. */
export function isClientAbort(error: unknown, { res }: Context): boolean {
  if (!(error instanceof Error)) return false;
  // A disconnect is not the only reason for an abort.
  if (error.name === "AbortError") return res.destroyed;
  return "code" in error && CODES.has(String(error.code));
}

/** Clients that go away before their answer has left. */
import type { Context } from "koa";

/** Aborts when the connection ends before the answer has left. */
export function clientAbortSignal(ctx: Context): AbortSignal {
  const controller = new AbortController();
  ctx.res.once("close", () => {
    if (!ctx.res.writableFinished) controller.abort();
  });
  return controller.signal;
}

const CODES = new Set(["ECONNRESET", "EPIPE", "ERR_STREAM_PREMATURE_CLOSE"]);

/** Whether an error says only that the client has gone: nobody's fault, and nobody to tell. */
export function isClientAbort(error: unknown, { res }: Context): boolean {
  if (!(error instanceof Error)) return false;
  // Other things than a client's leaving abort work, too.
  if (error.name === "AbortError") return res.destroyed;
  return "code" in error && CODES.has(String(error.code));
}

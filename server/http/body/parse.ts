import type { Context } from "koa";
import { type KoaBodyMiddlewareOptions, koaBody } from "koa-body";
import { TooManyBytes } from "../../actions/errors.ts";
import { boundedRequest } from "./bounded-request.ts";

/**
 * Runs koa-body over at most `maximumBytes` of the request. Throws TooManyBytes, MalformedRequest
 * for a body that breaks off, and what koa-body throws; then the rest of the body runs out unread.
 */
export async function parseBody(
  ctx: Context,
  maximumBytes: number,
  options: Partial<KoaBodyMiddlewareOptions>,
): Promise<void> {
  if (Number(ctx.get("Content-Length")) > maximumBytes) {
    throw new TooManyBytes("the body", maximumBytes);
  }
  const { request, failed, release } = boundedRequest(ctx.req, maximumBytes);
  // koa-body reads from `req` and writes to `request`, which stays the context's own.
  const reader = Object.create(ctx, { req: { value: request } });
  const parse = koaBody({ json: false, text: false, urlencoded: false, ...options });
  try {
    await Promise.race([parse(reader, () => Promise.resolve()), failed]);
  } finally {
    release();
  }
}

/** Responses to requests whose body is still being sent. */
import { Readable } from "node:stream";
import type { Context } from "koa";

/**
 * Bytes and time for which the body of a refused request is discarded before the connection is
 * closed.
 */
const DISCARDED_BYTES = 64 * 1024 * 1024;
const LINGER_MS = 30_000;

/**
 * Returns a response body that ends when the request's body has been discarded, within bounds. A
 * client whose connection is closed while it still sends gets a reset, and never reads the response
 * (RFC 9112, section 9.6).
 */
export function lingeringBody(ctx: Context, text: string): Readable {
  const { req, res } = ctx;
  async function* body() {
    yield text;
    await discardRest(ctx);
    if (!req.complete) res.once("finish", () => req.socket.destroySoon());
  }
  return Readable.from(body(), { objectMode: false });
}

async function discardRest({ req }: Context): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, LINGER_MS);
  let discarded = 0;
  const discard = (chunk: Buffer) => {
    discarded += chunk.byteLength;
    if (discarded > DISCARDED_BYTES) resolve();
  };
  req.on("data", discard).once("end", resolve).once("close", resolve);
  req.resume();
  await promise;
  clearTimeout(timer);
  req.off("data", discard).pause();
}

/** Answers to requests whose body is still on its way. */
import { Readable } from "node:stream";
import type { Context } from "koa";

/** How much of a refused body is discarded, and for how long, before the connection is cut. */
const DISCARDED_BYTES = 64 * 1024 * 1024;
const LINGER_MS = 30_000;

/**
 * The body of an answer that ends once the request's body has been discarded, within bounds. A connection
 * that is closed while its client still sends is reset, and the client never reads the answer (RFC 9112,
 * section 9.6).
 */
export function lingering(ctx: Context, text: string): Readable {
  const { req, res } = ctx;
  async function* answer() {
    yield text;
    await discardRest(ctx);
    if (!req.complete) res.once("finish", () => req.socket.destroySoon());
  }
  return Readable.from(answer(), { objectMode: false });
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

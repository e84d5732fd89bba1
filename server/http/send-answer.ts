import { Readable } from "node:stream";
import type { Context } from "koa";
import type { Answer } from "./route.ts";

/** Puts a handler's answer on the wire. Nothing is kept by caches unless the answer says so. */
export function sendAnswer(ctx: Context, answer: Answer): void {
  ctx.status = answer.status;
  ctx.set({ "Cache-Control": "no-store", ...answer.headers });
  if (answer.fileName) {
    ctx.attachment(answer.fileName, { type: "inline", fallback: plainName(answer.fileName) });
  }
  if (answer.stream) {
    ctx.body = streamBody(ctx, answer.stream, answer.trailers);
  } else if (answer.bytes) {
    const { buffer, byteOffset, byteLength } = answer.bytes;
    ctx.body = Buffer.from(buffer, byteOffset, byteLength);
  } else if (answer.json !== undefined) {
    ctx.type = answer.headers?.["Content-Type"] ?? "application/json";
    ctx.body = JSON.stringify(answer.json);
  }
}

/** A file name for clients that know only ASCII: letters lose their accents, the rest is a dash. */
function plainName(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\x20-\x7e]/g, "-");
}

function streamBody(
  ctx: Context,
  chunks: AsyncIterable<Uint8Array>,
  trailers: Answer["trailers"],
): Readable {
  async function* withTrailers() {
    yield* chunks;
    if (trailers) ctx.res.addTrailers(await trailers());
  }
  return Readable.from(withTrailers(), { objectMode: false });
}

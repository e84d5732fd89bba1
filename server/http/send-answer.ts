import { Readable } from "node:stream";
import type { Context } from "koa";
import { askedPart } from "./ranges.ts";
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
    ctx.body = answer.isRanged ? partOf(ctx, answer.bytes) : viewOf(answer.bytes);
  } else if (answer.json !== undefined) {
    ctx.type = answer.headers?.["Content-Type"] ?? "application/json";
    ctx.body = JSON.stringify(answer.json);
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

/** The part of the body that is asked for, with the head that belongs to it. */
function partOf(ctx: Context, bytes: Uint8Array): Buffer {
  const whole = viewOf(bytes);
  ctx.set("Accept-Ranges", "bytes");
  if (ctx.method !== "GET") return whole;
  const asked = { range: ctx.get("Range"), ifRange: ctx.get("If-Range") };
  const part = askedPart(asked, ctx.response.get("ETag"), whole.length);
  if (!part) return whole;
  ctx.status = 206;
  ctx.set("Content-Range", `bytes ${part.start}-${part.end}/${whole.length}`);
  return whole.subarray(part.start, part.end + 1);
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

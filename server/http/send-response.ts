import { Readable } from "node:stream";
import type { Context } from "koa";
import { LRUCache } from "lru-cache";
import { startStream } from "../actions/renders.ts";
import { askedPart, type Part } from "./ranges.ts";
import type { Answer, StoredFile } from "./route.ts";

/**
 * Puts a handler's answer on the wire. Nothing is kept by caches unless the answer says so. Rejects
 * before anything was sent with RangeNotSatisfiable, and with what reading the first of a file rejects
 * with.
 */
export async function sendResponse(ctx: Context, answer: Answer): Promise<void> {
  // Before any header is set: the part that is asked for may not be there, or not be readable.
  const part = partOf(ctx, answer);
  const file = answer.file && (await openFile(ctx, answer.file, part));
  const hasBody =
    Boolean(answer.stream ?? answer.bytes ?? answer.file) || answer.json !== undefined;
  // Or else Koa writes the status's name. It takes the headers of a body away, which HEAD has.
  if (!hasBody) ctx.body = null;
  ctx.status = answer.status;
  ctx.set({ "Cache-Control": "no-store", ...answer.headers });
  if (answer.fileName) setFileName(ctx, answer.fileName);
  if (answer.stream) {
    ctx.body = streamBody(ctx, answer.stream, answer);
    // The first event may be long in coming; that the stream is there is to be known at once.
    if (ctx.response.is("text/event-stream")) ctx.flushHeaders();
  } else if (answer.bytes) {
    const whole = viewOf(answer.bytes);
    ctx.body = part ? whole.subarray(part.start, part.end + 1) : whole;
  } else if (file) {
    ctx.body = file.chunks ? streamBody(ctx, file.chunks, answer) : "";
    ctx.length = file.length;
  } else if (answer.json !== undefined) {
    ctx.type = answer.headers?.["Content-Type"] ?? "application/json";
    ctx.body = JSON.stringify(answer.json);
  }
  const length = rangedLength(answer);
  if (length !== null) ctx.set("Accept-Ranges", "bytes");
  if (part) {
    ctx.status = 206;
    ctx.set("Content-Range", `bytes ${part.start}-${part.end}/${length}`);
  }
}

/** A file, or a part of it, whose first bytes are there. A head has no body to be read. */
async function openFile(ctx: Context, { length, read }: StoredFile, part: Part | null) {
  const { start, end } = part ?? { start: 0, end: length - 1 };
  const chunks = ctx.method === "HEAD" ? null : await startStream(read(start, end));
  return { chunks, length: end + 1 - start };
}

/** How much a part may be asked for of; null where none may. */
function rangedLength({ isRanged, bytes, file }: Answer): number | null {
  return file?.length ?? (isRanged && bytes ? bytes.byteLength : null);
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

/** The part of the body that is asked for, or null for the whole. Throws RangeNotSatisfiable. */
function partOf(ctx: Context, answer: Answer): Part | null {
  const length = rangedLength(answer);
  if (length === null || ctx.method !== "GET") return null;
  const asked = { range: ctx.get("Range"), ifRange: ctx.get("If-Range") };
  return askedPart(asked, answer.headers?.ETag ?? "", length);
}

/** Content-Disposition by the name in it: writing it takes longer than most of an answer. */
const dispositions = new LRUCache<string, string>({ max: 1000 });

function setFileName(ctx: Context, name: string): void {
  const known = dispositions.get(name);
  if (known !== undefined) ctx.set("Content-Disposition", known);
  else {
    ctx.attachment(name, { type: "inline", fallback: plainName(name) });
    dispositions.set(name, ctx.response.get("Content-Disposition"));
  }
}

/** A file name for clients that know only ASCII: letters lose their accents, the rest is a dash. */
function plainName(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\x20-\x7e]/g, "-");
}

/** The body is destroyed with the answer, and the chunks' iterator with it, though it never began. */
function streamBody(
  ctx: Context,
  chunks: AsyncIterable<Uint8Array>,
  { trailers, readerMs }: Answer,
): Readable {
  // What the chunks are made with is held for a reader as long as it reads.
  if (readerMs) ctx.res.setTimeout(readerMs, () => ctx.res.destroy());
  if (chunks instanceof Readable) return chunks;
  // HTTP/1.0 has no chunks to put trailers after.
  if (!trailers || ctx.req.httpVersion === "1.0") {
    ctx.remove("Trailer");
    return Readable.from(chunks, { objectMode: false });
  }
  async function* withTrailers() {
    yield* chunks;
    ctx.res.addTrailers((await trailers?.()) ?? {});
  }
  return Readable.from(withTrailers(), { objectMode: false });
}

import { Readable } from "node:stream";
import type { Context } from "koa";
import { LRUCache } from "lru-cache";
import { startStream } from "../../engine/single-use-stream.ts";
import { type ByteRange, requestedRange } from "./conditions.ts";
import type { RouteResponse, StoredFile } from "./route.ts";

/**
 * Sends a handler's response. Caches store nothing unless the response says so. Rejects before
 * anything is sent with RangeNotSatisfiable, and with the error of reading the first bytes of a
 * file.
 */
export async function sendResponse(ctx: Context, response: RouteResponse): Promise<void> {
  // Before any header is set: the range may not exist, or not be readable.
  const part = partOf(ctx, response);
  const file = response.file && (await openFile(ctx, response.file, part));
  const hasBody =
    Boolean(response.stream ?? response.bytes ?? response.file) || response.json !== undefined;
  // Otherwise Koa writes the status's name. It removes the headers of the body, which HEAD has.
  if (!hasBody) ctx.body = null;
  ctx.status = response.status;
  ctx.set({ "Cache-Control": "no-store", ...response.headers });
  if (response.fileName) setFileName(ctx, response.fileName);
  if (response.sha256) ctx.set("Repr-Digest", reprDigest(response.sha256));
  if (response.stream) {
    ctx.body = streamBody(ctx, response.stream, response);
    // The first event may take long; the headers are sent at once.
    if (ctx.response.is("text/event-stream")) ctx.flushHeaders();
  } else if (response.bytes) {
    const whole = viewOf(response.bytes);
    ctx.body = part ? whole.subarray(part.start, part.end + 1) : whole;
  } else if (file) {
    ctx.body = file.chunks ? streamBody(ctx, file.chunks, response) : "";
    ctx.length = file.length;
  } else if (response.json !== undefined) {
    ctx.type = response.headers?.["Content-Type"] ?? "application/json";
    ctx.body = JSON.stringify(response.json);
  }
  const length = rangedLength(response);
  if (length !== null) ctx.set("Accept-Ranges", "bytes");
  if (part) {
    ctx.status = 206;
    ctx.set("Content-Range", `bytes ${part.start}-${part.end}/${length}`);
  }
}

/** A file, or a range of it, whose first bytes have been read. HEAD reads no body. */
async function openFile(ctx: Context, { length, read }: StoredFile, part: ByteRange | null) {
  const { start, end } = part ?? { start: 0, end: length - 1 };
  const chunks = ctx.method === "HEAD" ? null : await startStream(read(start, end));
  return { chunks, length: end + 1 - start };
}

/** Length of a body that supports ranges; null for others. */
function rangedLength({ isRanged, bytes, file }: RouteResponse): number | null {
  return file?.length ?? (isRanged && bytes ? bytes.byteLength : null);
}

/** RFC 9530. */
const reprDigest = (sha256: string) => `sha-256=:${Buffer.from(sha256, "hex").toString("base64")}:`;

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Returns the requested range, or null for the whole body. Throws RangeNotSatisfiable. */
function partOf(ctx: Context, response: RouteResponse): ByteRange | null {
  const length = rangedLength(response);
  if (length === null || ctx.method !== "GET") return null;
  const asked = { range: ctx.get("Range"), ifRange: ctx.get("If-Range") };
  return requestedRange(asked, response.headers?.ETag ?? "", length);
}

/** Content-Disposition by file name: formatting it takes longer than most of a response. */
const dispositions = new LRUCache<string, string>({ max: 1000 });

function setFileName(ctx: Context, name: string): void {
  const known = dispositions.get(name);
  if (known !== undefined) ctx.set("Content-Disposition", known);
  else {
    ctx.attachment(name, { type: "inline", fallback: plainName(name) });
    dispositions.set(name, ctx.response.get("Content-Disposition"));
  }
}

/** Returns a file name in ASCII: letters lose their accents, slashes and other characters become dashes. */
function plainName(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\x20-\x7e]|[\\/]/g, "-");
}

/** Content-Disposition of a file that another server sends (RFC 6266). */
export function contentDisposition(name: string): string {
  const plain = plainName(name).replace(/["\\%]/g, "-");
  const encoded = encodeURIComponent(name).replace(/['()*]/g, percentEncode);
  return `inline; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

const percentEncode = (character: string) =>
  `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/**
 * Destroys the body with the response, and the chunks' iterator with it, even if it never started.
 */
function streamBody(
  ctx: Context,
  chunks: AsyncIterable<Uint8Array>,
  { trailers, stallTimeoutMs }: RouteResponse,
): Readable {
  // The source of the chunks is held as long as the client reads.
  if (stallTimeoutMs) ctx.res.setTimeout(stallTimeoutMs, () => ctx.res.destroy());
  if (chunks instanceof Readable) return chunks;
  // HTTP/1.0 has no chunked encoding and thus no trailers.
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

import type { IncomingMessage } from "node:http";
import { BodyTooLarge } from "./errors.ts";

/** To begin with, where no length is announced. */
const FIRST_BYTES = 64 * 1024;

/**
 * The body of an answer as it came, undecoded. Grows in one piece, so that a body of crumbs takes
 * no more memory than another. Throws BodyTooLarge as soon as more than `maximumBytes` are
 * announced or have come, and ECONNRESET where the body breaks off.
 */
export async function readBody(
  response: IncomingMessage,
  maximumBytes: number,
): Promise<Uint8Array> {
  const announced = Number(response.headers["content-length"] ?? 0);
  if (announced > maximumBytes) throw new BodyTooLarge();
  let bytes = Buffer.alloc(announced || Math.min(FIRST_BYTES, maximumBytes));
  let filled = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    const end = filled + chunk.length;
    if (end > maximumBytes) throw new BodyTooLarge();
    if (end > bytes.length) {
      const grown = Buffer.alloc(Math.min(Math.max(end, bytes.length * 2), maximumBytes));
      bytes.copy(grown, 0, 0, filled);
      bytes = grown;
    }
    chunk.copy(bytes, filled);
    filled = end;
  }
  return bytes.subarray(0, filled);
}

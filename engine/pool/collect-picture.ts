/** A streamed render as one picture. */
import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { RenderedPicture, Rendering } from "../types.ts";

/** Reads a render to its end. The event loop runs between pieces, which have a megabyte at most. */
export async function collectPicture({
  body,
  timings,
  ...header
}: Rendering): Promise<RenderedPicture> {
  const pieces = await Array.fromAsync(body);
  const bytes = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0));
  const hash = createHash("sha256");
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    hash.update(piece);
    at += piece.length;
    await setImmediate();
  }
  return { ...header, bytes, sha256: hash.digest("hex"), timings: await timings };
}

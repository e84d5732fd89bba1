/** Work on any number of bytes in slices of a millisecond or two, between which the event loop goes on. */
import { createHash, type Hash } from "node:crypto";
import { setImmediate } from "node:timers/promises";

const SLICE_BYTES = 1024 * 1024;

/** Updates a hash with any number of bytes. */
export async function updateInSlices(hash: Hash, bytes: Uint8Array): Promise<void> {
  let isFirst = true;
  for (const slice of slicesOf(bytes)) {
    if (!isFirst) await setImmediate();
    isFirst = false;
    hash.update(slice);
  }
}

/** Joins pieces into one array; returns it with its SHA-256 in hex. */
export async function joinAndHash(
  pieces: readonly Uint8Array[],
): Promise<{ readonly bytes: Uint8Array; readonly sha256: string }> {
  const bytes = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0));
  const hash = createHash("sha256");
  let at = 0;
  for (const slice of pieces.flatMap((piece) => [...slicesOf(piece)])) {
    bytes.set(slice, at);
    hash.update(slice);
    at += slice.length;
    if (at < bytes.length) await setImmediate();
  }
  return { bytes, sha256: hash.digest("hex") };
}

function* slicesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.byteLength; from += SLICE_BYTES) {
    yield bytes.subarray(from, from + SLICE_BYTES);
  }
}

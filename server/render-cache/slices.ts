/** Work on any number of bytes in slices of a millisecond or two, between which the event loop goes on. */
import type { Hash } from "node:crypto";
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

function* slicesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.byteLength; from += SLICE_BYTES) {
    yield bytes.subarray(from, from + SLICE_BYTES);
  }
}

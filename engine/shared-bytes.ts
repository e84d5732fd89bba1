/** Bytes that all threads see. */

const sharedBytes = new WeakMap<Uint8Array, Uint8Array>();

/**
 * The bytes in memory that all threads see, so that a job does not carry them across. Made once for
 * as long as the caller keeps the bytes.
 */
function shareBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.buffer instanceof SharedArrayBuffer) return bytes;
  let shared = sharedBytes.get(bytes);
  if (shared === undefined) {
    shared = new Uint8Array(new SharedArrayBuffer(bytes.byteLength));
    shared.set(bytes);
    sharedBytes.set(bytes, shared);
  }
  return shared;
}

/** A request whose source all threads see. */
export const withSharedSource = <
  Request extends { readonly source: { readonly bytes: Uint8Array } },
>(
  request: Request,
): Request => ({
  ...request,
  source: { ...request.source, bytes: shareBytes(request.source.bytes) },
});

/** Bytes in chunks, each of which fits into one query. */

/**
 * The driver copies each parameter and value synchronously: 32 MiB block the event loop for 100 ms when
 * written, 450 ms when read. Chunks of 256 KiB take no longer in total.
 */
export const CHUNK_BYTES = 2 ** 18;

/** The bytes in chunks, each with its offset. */
export function* chunksOf(bytes: Uint8Array): Generator<{ start: number; chunk: Uint8Array }> {
  for (let start = 0; start < bytes.byteLength; start += CHUNK_BYTES) {
    yield { start, chunk: bytes.subarray(start, start + CHUNK_BYTES) };
  }
}

/** Joins the chunks that `read` returns by offset, in shared memory; null where one is missing. */
export async function joinChunks(
  length: number,
  read: (start: number) => Promise<Uint8Array | undefined>,
): Promise<Uint8Array | null> {
  const bytes = new Uint8Array(new SharedArrayBuffer(length));
  for (let start = 0; start < length; start += CHUNK_BYTES) {
    const chunk = await read(start);
    if (!chunk) return null;
    bytes.set(chunk, start);
  }
  return bytes;
}

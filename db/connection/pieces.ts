/** Bytes in pieces, each of which fits into one query. */

/**
 * The driver copies each parameter and value synchronously: 32 MiB block the event loop for 100 ms when
 * written, 450 ms when read. Pieces of 256 KiB take no longer in total.
 */
export const PIECE_BYTES = 2 ** 18;

/** The bytes in pieces, each with its offset. */
export function* piecesOf(bytes: Uint8Array): Generator<{ start: number; piece: Uint8Array }> {
  for (let start = 0; start < bytes.byteLength; start += PIECE_BYTES) {
    yield { start, piece: bytes.subarray(start, start + PIECE_BYTES) };
  }
}

/** Joins the pieces that `read` returns by their offsets, in shared memory; null where one is missing. */
export async function joinPieces(
  length: number,
  read: (start: number) => Promise<Uint8Array | undefined>,
): Promise<Uint8Array | null> {
  const bytes = new Uint8Array(new SharedArrayBuffer(length));
  for (let start = 0; start < length; start += PIECE_BYTES) {
    const piece = await read(start);
    if (!piece) return null;
    bytes.set(piece, start);
  }
  return bytes;
}

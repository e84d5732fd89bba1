/** Bytes in pieces that one query carries. */

/**
 * The driver copies a parameter and reads a value in one go, and nothing else runs meanwhile. 32 MiB at
 * once stall the event loop for 100 ms on their way in, 450 on their way out; pieces of 256 KiB take no
 * longer altogether.
 */
export const PIECE_BYTES = 2 ** 18;

/** The bytes in pieces, each with its place from their start. */
export function* piecesOf(bytes: Uint8Array): Generator<{ start: number; piece: Uint8Array }> {
  for (let start = 0; start < bytes.byteLength; start += PIECE_BYTES) {
    yield { start, piece: bytes.subarray(start, start + PIECE_BYTES) };
  }
}

/**
 * The bytes that `read` returns in pieces, each from its place on, in memory that threads share; null where
 * one is missing.
 */
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

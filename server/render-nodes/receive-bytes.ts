/** Receives the body of a request whose length is known. */
import type { IncomingMessage } from "node:http";

/**
 * Resolves with the bytes, in shared memory, which threads need not copy. Throws what an incomplete body throws; its
 * connection is closed if nothing comes for `idleMs`.
 * @param onPiece is called with each piece in order
 */
export async function receiveBytes(
  request: IncomingMessage,
  length: number,
  idleMs: number,
  onPiece: (piece: Uint8Array) => void = () => undefined,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(new SharedArrayBuffer(length));
  let filled = 0;
  request.setTimeout(idleMs, () => request.destroy());
  for await (const piece of request) {
    bytes.set(piece, filled);
    filled += piece.byteLength;
    onPiece(piece);
  }
  request.setTimeout(0);
  return bytes;
}

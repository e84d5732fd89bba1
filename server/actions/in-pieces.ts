/** The same bytes in pieces of `size` bytes; the last one may be shorter. */
export async function* inPieces(
  bytes: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  let piece = new Uint8Array(size);
  let filled = 0;
  for await (const part of bytes) {
    for (let from = 0; from < part.length; ) {
      const taken = Math.min(part.length - from, size - filled);
      piece.set(part.subarray(from, from + taken), filled);
      from += taken;
      filled += taken;
      if (filled < size) continue;
      yield piece;
      piece = new Uint8Array(size);
      filled = 0;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}

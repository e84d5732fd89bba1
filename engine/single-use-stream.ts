/**
 * Streams that are read once, whose end is always heard of. They are no generators: one that is left
 * before its first piece would run none of its code, and `Readable` throws its own errors into one.
 */

/**
 * Returns a stream of the pieces that `next` returns. What `next` throws ends it.
 * @param onEnd called once and awaited, with the error that ended the stream, or null after the last
 *   piece; a reader that leaves early is an error, too
 */
export function singleUseStream<Piece>(
  next: () => Promise<IteratorResult<Piece, unknown>>,
  onEnd: (error: unknown) => void | Promise<void>,
): AsyncIterable<Piece> {
  const done = { done: true, value: undefined } as const;
  let isOver = false;
  const end = async (error: unknown) => {
    const isFirst = !isOver;
    isOver = true;
    if (isFirst) await onEnd(error);
    return done;
  };
  const iterator: AsyncIterator<Piece, void> = {
    async next() {
      if (isOver) return done;
      try {
        const piece = await next();
        return piece.done ? await end(null) : piece;
      } catch (error) {
        await end(error);
        throw error;
      }
    },
    async return() {
      return end(new Error("the stream was not read to its end"));
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

/** Waits for the first piece of a stream and returns all of it. Throws what the first piece throws. */
export async function startStream<Piece>(
  pieces: AsyncIterable<Piece>,
): Promise<AsyncIterable<Piece>> {
  const iterator = pieces[Symbol.asyncIterator]();
  let first: IteratorResult<Piece, unknown> | null = await iterator.next();
  const next = async () => {
    const piece = first ?? (await iterator.next());
    first = null;
    return piece;
  };
  return singleUseStream(next, async () => {
    await iterator.return?.().catch(() => undefined);
  });
}

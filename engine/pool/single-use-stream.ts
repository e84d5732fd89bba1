/**
 * Returns an iterable that can be read once and always reports its end. Not a generator: `return`
 * runs none of the code of a generator that has not started.
 * @param next returns the next piece; an error ends the stream
 * @param ended called once: with the error that ended the stream, or null if all was read
 */
export function singleUseStream<Piece>(
  next: () => Promise<IteratorResult<Piece, void>>,
  ended: (error: unknown) => void,
): AsyncIterable<Piece> {
  const done = { done: true, value: undefined } as const;
  let isOver = false;
  const end = (error: unknown) => {
    if (!isOver) ended(error);
    isOver = true;
    return done;
  };
  const iterator: AsyncIterator<Piece, void> = {
    async next() {
      if (isOver) return done;
      try {
        const piece = await next();
        return piece.done ? end(null) : piece;
      } catch (error) {
        end(error);
        throw error;
      }
    },
    async return() {
      return end(new Error("the picture was not read to its end"));
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

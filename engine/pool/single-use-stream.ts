/**
 * Pieces that are read once, from wherever the reader is. Not a generator: leaving one that has not
 * been started would run none of its code.
 * @param next gives the next piece; what it throws ends the reading
 * @param ended called once, with the error that ended the reading, or null where all was read
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

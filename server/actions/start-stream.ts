/**
 * Resolves with the same pieces once the first of them is there. Rejects with what producing it
 * rejects with.
 */
export async function startStream<Piece>(
  pieces: AsyncIterable<Piece>,
): Promise<AsyncIterable<Piece>> {
  const iterator = pieces[Symbol.asyncIterator]();
  let first: IteratorResult<Piece> | null = await iterator.next();
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const piece = first ?? (await iterator.next());
        first = null;
        return piece;
      },
      return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
    }),
  };
}

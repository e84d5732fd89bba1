/** Pieces of a file that are made on other threads at the same time, given in their order. */

/**
 * Bytes of what pieces are made from that are held at once: four to five bands of a usual sheet, as
 * many as Node has threads for zlib. A single piece may be larger.
 */
const MOST_BYTES = 1 << 22;

export interface PiecesInOrder<Piece> {
  /**
   * Takes the next piece, which may still be being made, and gives those before it that are done.
   * Waits while more is under way than is good for memory; throws what a piece failed with.
   * @param bytes that are held until it is there
   */
  next(piece: Piece | Promise<Piece>, bytes: number): Promise<Piece[]>;
  /** Waits for all that are left. */
  rest(): Promise<Piece[]>;
}

/** Starts without pieces. Whoever loses interest just leaves: a failure that nobody asks for is no one's. */
export function createPiecesInOrder<Piece>(): PiecesInOrder<Piece> {
  const underWay: { readonly piece: Promise<Piece>; readonly bytes: number }[] = [];
  let held = 0;
  const until = async (most: number) => {
    const done: Piece[] = [];
    while (held > most) {
      const { piece, bytes } = underWay.shift() as (typeof underWay)[number];
      held -= bytes;
      done.push(await piece);
    }
    return done;
  };
  return {
    next(made, bytes) {
      const piece = Promise.resolve(made);
      piece.catch(() => undefined);
      underWay.push({ piece, bytes });
      held += bytes;
      return until(MOST_BYTES);
    },
    rest: () => until(0),
  };
}

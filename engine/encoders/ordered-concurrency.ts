/** Runs asynchronous pieces of a file concurrently and returns their results in order. */

/**
 * Most input bytes in flight: four to five bands of a typical sheet, as many as Node has threads for
 * zlib, and two or three of a large one. A single piece may be larger.
 */
const MAX_BYTES = 1 << 22;

export interface OrderedConcurrency<Piece> {
  /**
   * Adds the next piece and resolves with the earlier pieces that are done, waiting until at most
   * `MAX_BYTES` are in flight. Rejects with what a piece failed with.
   * @param bytes of input that the piece holds until it settles
   */
  push(piece: Piece | Promise<Piece>, bytes: number): Promise<Piece[]>;
  /** Resolves with all remaining pieces. */
  flush(): Promise<Piece[]>;
}

/** Starts empty. Callers may abandon it at any time: unread failures are ignored. */
export function createOrderedConcurrency<Piece>(): OrderedConcurrency<Piece> {
  const inFlight: { readonly piece: Promise<Piece>; readonly bytes: number }[] = [];
  let held = 0;
  const until = async (most: number) => {
    const done: Piece[] = [];
    while (held > most) {
      const [{ piece, bytes }] = inFlight.splice(0, 1);
      held -= bytes;
      done.push(await piece);
    }
    return done;
  };
  return {
    push(value, bytes) {
      const piece = Promise.resolve(value);
      piece.catch(() => undefined);
      inFlight.push({ piece, bytes });
      held += bytes;
      return until(MAX_BYTES);
    },
    flush: () => until(0),
  };
}

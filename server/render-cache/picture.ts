/** Pictures as the cache takes and gives them. */

/** What is known of a picture before its bytes; plain JSON. */
export interface About {
  readonly strain: number;
  readonly backend: string;
}

/** A picture that was made. */
export interface Made<Timings> extends About {
  readonly bytes: Uint8Array;
  /** In hex. */
  readonly sha256: string;
  readonly timings: Timings;
}

/** A picture that is being made. */
export interface Making<Timings> extends About {
  readonly body: AsyncIterable<Uint8Array>;
  /** Settles after the last byte. */
  readonly timings: Promise<Timings>;
}

/** A picture that is there, or on its way. */
export interface Picture<Timings> extends About {
  /** Its length in bytes and its SHA-256 in hex; null while it is on its way. */
  readonly whole: { readonly length: number; readonly sha256: string } | null;
  /** All of it, where it is in memory. */
  readonly bytes: Uint8Array | null;
  /** How long its making took; null where it was there already. */
  readonly timings: Promise<Timings> | null;
  /**
   * Bytes `start` to `end`, both included, as they come into being. Throws what making it throws.
   */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
}

/** Reads a picture that is in memory. */
export const readerOf = (bytes: Uint8Array) =>
  async function* (start: number, end: number): AsyncGenerator<Uint8Array> {
    yield bytes.subarray(start, end + 1);
  };

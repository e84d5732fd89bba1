/** Pictures that the cache takes and returns. */

/** Facts of a picture that are known before its bytes, as JSON. */
export interface PictureFacts {
  readonly strain: number;
  readonly backend: string;
}

/** A rendered picture. */
export interface RenderedPicture<Timings> extends PictureFacts {
  readonly bytes: Uint8Array;
  /** In hex. */
  readonly sha256: string;
  readonly timings: Timings;
}

/** A picture that is being rendered. */
export interface StreamedPicture<Timings> extends PictureFacts {
  readonly body: AsyncIterable<Uint8Array>;
  /** Settles after the last byte. */
  readonly timings: Promise<Timings>;
}

/** A picture that is complete or being rendered. */
export interface Picture<Timings> extends PictureFacts {
  /** Its length in bytes and its SHA-256 in hex; null while it is being rendered. */
  readonly digest: { readonly length: number; readonly sha256: string } | null;
  /** All bytes, if they are in memory. */
  readonly bytes: Uint8Array | null;
  /** Timings of the render; null for a picture from the cache. */
  readonly timings: Promise<Timings> | null;
  /** Yields bytes `start` to `end`, both included, as they are rendered. Throws the render's errors. */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
}

/** A picture in memory. */
export type WholePicture<Timings> = Picture<Timings> & {
  readonly bytes: Uint8Array;
  readonly digest: object;
};

export const isWhole = <Timings>(picture: Picture<Timings>): picture is WholePicture<Timings> =>
  picture.bytes !== null;

/** Returns the `read` of a picture in memory. */
export const readerOf = (bytes: Uint8Array) =>
  async function* (start: number, end: number): AsyncGenerator<Uint8Array> {
    yield bytes.subarray(start, end + 1);
  };

/** Returns a picture that cannot be cached, for its one reader. */
export const uncached = <Timings>({
  strain,
  backend,
  timings,
  body,
}: StreamedPicture<Timings>): Picture<Timings> => ({
  strain,
  backend,
  timings,
  digest: null,
  bytes: null,
  read: () => body,
});

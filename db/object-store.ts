/** Bytes outside of the database. Rows say which exist. */

export interface ByteRange {
  readonly start: number;
  /** Inclusive. */
  readonly end: number;
}

export interface StoredObject {
  readonly key: string;
  readonly modifiedAt: Date;
}

/** How a client receives an object that it downloads itself. */
export interface DownloadHeaders {
  readonly contentType: string;
  readonly contentDisposition: string;
}

/**
 * Stores bytes by key. No row's object is written twice under one key, so that it never changes. All functions throw
 * `ObjectStoreUnavailable`, and the reason of their signal.
 */
export interface ObjectStore {
  /**
   * Stores bytes. Nothing is stored if reading them throws, which is thrown, or the signal aborts.
   */
  put(
    key: string,
    body: Uint8Array | AsyncIterable<Uint8Array>,
    signal?: AbortSignal,
  ): Promise<void>;
  /** The bytes, or a range of them, in shared memory; null where there is no such object. */
  get(key: string, range?: ByteRange, signal?: AbortSignal): Promise<Uint8Array | null>;
  /** Deletes an object, if there is one. */
  delete(key: string, signal?: AbortSignal): Promise<void>;
  /** All objects whose keys begin with `prefix`, in pages. */
  list(prefix: string): AsyncIterable<readonly StoredObject[]>;
  /** A URL by which anyone downloads the object for a few minutes. */
  presign(key: string, headers: DownloadHeaders): Promise<string>;
  /** Resolves when the bucket answers. */
  ping(): Promise<void>;
}

/** The object store does not answer, refuses the request, or is not configured. */
export class ObjectStoreUnavailable extends Error {
  override readonly name = "ObjectStoreUnavailable";
  readonly code = "unavailable";
}

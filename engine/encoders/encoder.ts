/** Bytes to overwrite in a finished file. */
export interface Patch {
  /** Offset in the file, in bytes. */
  readonly at: number;
  readonly bytes: Uint8Array;
}

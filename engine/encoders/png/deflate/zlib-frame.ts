/** Header, trailer and checksum of a zlib stream (RFC 1950) assembled from raw deflate parts. */

import { uint32be } from "../uint32-be.ts";
import { ADLER_START, adler32Combined } from "./adler.ts";

/** Checksum and length of a part of a stream. */
export interface StreamSum {
  /** Adler-32 of the part's uncompressed bytes alone. */
  readonly adler: number;
  /** Uncompressed bytes. */
  readonly length: number;
}

/** Header of a zlib stream (§2.2): deflate with a window of 32 KiB, fastest compression. */
export const ZLIB_HEADER = Uint8Array.of(0x78, 0x01);

/** An empty final deflate block (RFC 1951 §3.2.6). */
const LAST_BLOCK = Uint8Array.of(0x03, 0x00);

/** Accumulates the checksum of a stream's parts. */
export class ZlibFrame {
  #adler = ADLER_START;
  #length = 0;

  add({ adler, length }: StreamSum): void {
    this.#adler = adler32Combined(this.#adler, adler, length);
    this.#length += length;
  }

  /** Returns the checksum and length of all parts so far. */
  sum(): StreamSum {
    return { adler: this.#adler, length: this.#length };
  }

  /** Returns what follows the last part. */
  end(): Uint8Array[] {
    return [LAST_BLOCK, uint32be(this.#adler)];
  }
}

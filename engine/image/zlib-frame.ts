/** What stands around pieces of raw deflate in a zlib stream (RFC 1950), wherever they are made. */
import { ADLER_START, adler32Combined } from "./adler.ts";
import { uint32be } from "./words.ts";

/** What a stream has to know of a piece of it. */
export interface StreamSum {
  /** Adler-32 of the piece's bytes before compression, as if nothing had come before. */
  readonly adler: number;
  /** How many they are. */
  readonly length: number;
}

/** Header of a zlib stream (§2.2): deflate with a window of 32 KiB, fastest compression. */
export const ZLIB_HEADER = Uint8Array.of(0x78, 0x01);

/** A final deflate block without content (RFC 1951 §3.2.6), which ends the stream. */
const LAST_BLOCK = Uint8Array.of(0x03, 0x00);

/** Counts the pieces of one stream, and gives its end. */
export class ZlibFrame {
  #adler = ADLER_START;
  #length = 0;

  /** The next piece. */
  add({ adler, length }: StreamSum): void {
    this.#adler = adler32Combined(this.#adler, adler, length);
    this.#length += length;
  }

  /** All pieces so far as one. */
  sum(): StreamSum {
    return { adler: this.#adler, length: this.#length };
  }

  /** What follows the last piece. */
  end(): Uint8Array[] {
    return [LAST_BLOCK, uint32be(this.#adler)];
  }
}

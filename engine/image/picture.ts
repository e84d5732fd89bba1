/** Images in the engine: as decoded sRGB and as linear light. */
import type { Size } from "../size.ts";

/** Facts about a source file. The size is that after the EXIF orientation has been applied. */
export interface SourceFacts extends Size {
  /** Sniffed from the bytes. */
  readonly mediaType: string;
  readonly hasAlpha: boolean;
  /** SHA-256 of the kept bytes in hex. */
  readonly sha256: string;
}

export interface InspectedSource extends SourceFacts {
  /** The part of the file that the picture needs: mostly all of it, and then the same object. */
  readonly bytes: Uint8Array;
}

interface Decoded<Bits, Pixels> extends Size {
  /** 4 only if at least one pixel is not opaque. */
  readonly channels: 3 | 4;
  /** Bits per channel. */
  readonly bits: Bits;
  readonly pixels: Pixels;
}

/** An image with 8 bits a channel. */
export type EightBitImage = Decoded<8, Uint8Array>;

/** A decoded source: sRGB, rows from the top, channels interleaved, alpha straight. */
export type DecodedImage = EightBitImage | Decoded<16, Uint16Array>;

/** An image in linear light, where mixing is addition. */
export interface LinearImage extends Size {
  readonly channels: 3 | 4;
  /**
   * `width × height × channels` values, interleaved, rows from the top. 1 is white; never negative,
   * but sharp edges may overshoot 1 a little. With 4 channels colours are premultiplied by alpha,
   * which lies in 0…1.
   */
  readonly values: Float32Array;
  /** Linear mean colour, weighted by alpha, not premultiplied; black if nothing is visible. */
  readonly mean: readonly [number, number, number];
}

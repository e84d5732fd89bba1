/** Images in the engine, in 8-bit sRGB: interleaved bytes as files have them, packed colours as kernels sample them. */
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

/** An image as files have it: 8-bit sRGB, channels interleaved, straight alpha, rows from the top. */
export interface ByteImage extends Size {
  /** 4 only if at least one pixel is not opaque. */
  readonly channels: 3 | 4;
  readonly pixels: Uint8Array;
}

/** A source as it is sampled: rows from the top. */
export interface PackedImage extends Size {
  /** Packed colours (packed.ts), one number a pixel. */
  readonly colour: Float32Array;
  /** 0…255; null if all pixels are opaque. */
  readonly alpha: Uint8Array | null;
}

/** A rectangle in pixels from the top left corner of a picture; may extend beyond it. */
export interface Region extends Size {
  readonly x: number;
  readonly y: number;
}

/** Pixels of a row: packed colours, and alpha 0…255 unless all are opaque. */
export interface PackedRow {
  readonly colour: Float32Array;
  readonly alpha: Uint8Array | Float32Array | null;
}

/** The two forms of a picture inside the engine: as decoded, and as light. */

/** A decoded source: sRGB, rows from the top, channels interleaved, alpha straight. */
export interface DecodedImage {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** 4 only where at least one pixel is not fully opaque. */
  readonly channels: 3 | 4;
  /** Bits of one channel; `pixels` is a `Uint16Array` exactly when this is 16. */
  readonly bits: 8 | 16;
  readonly pixels: Uint8Array | Uint16Array;
}

/** A picture as linear light, where mixing is addition. */
export interface LinearImage {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  /**
   * `width × height × channels` values, interleaved, rows from the top. 1 is white. Never
   * negative; a sharp edge may overshoot 1 a little. With 4 channels the colours are premultiplied
   * by alpha, which lies in 0…1.
   */
  readonly values: Float32Array;
  /** Linear mean colour, weighted by alpha and not premultiplied; black where nothing is visible. */
  readonly mean: readonly [number, number, number];
}

import type { encodeWhole } from "../encoders/whole-image.ts";
import type { DecodedImage, EightBitImage } from "../image/picture.ts";

/** Decodes sources and encodes whole images with native code. */
export interface Codec {
  /** Rejects with `SourceUnreadable` or `SourceTooLarge`. */
  decode(bytes: Uint8Array): Promise<DecodedImage>;
  /** As `decode`; a source's bits beyond 8 per channel are dropped before they take memory here. */
  decodeInEightBits(bytes: Uint8Array): Promise<EightBitImage>;
  /** Encodes an image. Rejects with `InvalidRecipe` if that takes too much memory. */
  readonly encode: typeof encodeWhole;
}

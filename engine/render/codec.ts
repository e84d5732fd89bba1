import type { encodeWhole } from "../encoders/whole-image.ts";
import type { ByteImage } from "../image/picture.ts";
import type { SourceLevels } from "../image/source-levels.ts";
import type { SourceBytes } from "../recipe/index.ts";

/** Decodes sources and encodes whole images with native code. */
export interface Codec {
  /** Rejects with `SourceUnreadable` or `SourceTooLarge`. */
  decode(bytes: Uint8Array): Promise<ByteImage>;
  /** Resolves with a source's levels, decoding it unless another thread has. Rejects as `decode` does. */
  levels(source: SourceBytes): Promise<SourceLevels>;
  /** Encodes an image. Rejects with `InvalidRecipe` if that takes too much memory. */
  readonly encode: typeof encodeWhole;
}

/** Encodes whole images with sharp. */
import type { Sharp } from "sharp";
import { sharp } from "../decoders/libvips.ts";
import type { Size } from "../size.ts";
import { SRGB_PROFILE } from "./icc.ts";
import { withJpegHead } from "./jpeg-segments.ts";

/** Layout of a raster: 8 bits a channel, sRGB, straight alpha, rows tightly packed. */
export interface RasterSize extends Size {
  readonly channels: 3 | 4;
}

export interface EncodingOptions {
  /** 1…100; lossless formats ignore it. */
  readonly quality: number;
  readonly pixelsPerInch: number;
  /**
   * Whether a JPEG's Huffman tables are fitted to the picture: the file is 5 % smaller and takes several times as
   * long. Default: true.
   */
  readonly fitsTables?: boolean;
}

/**
 * From this quality on, JPEG and AVIF keep chroma at full resolution. Lossy WebP never does
 * (RFC 6386 §2).
 */
const FULL_COLOUR_QUALITY = 90;

/** Returns the chroma subsampling of a JPEG or AVIF of a quality. */
export const subsampling = (quality: number) =>
  quality >= FULL_COLOUR_QUALITY ? "4:4:4" : "4:2:0";

/**
 * AVIF effort, 0…9: the last before the cost jumps. Measured at quality 90 on a photographic tile and
 * a grainy sheet, core seconds per megapixel and file size: effort 2 0.4 and 0.8 s, 125 and 405 KiB;
 * effort 3 0.5 and 1.4 s, 117 and 404 KiB; effort 4 3.1 and 8.1 s, 115 and 414 KiB.
 */
const AVIF_EFFORT = 3;

type Encode = (image: Sharp, options: EncodingOptions) => Sharp;

const ENCODERS = {
  jpeg: (image, { quality, fitsTables = true }) =>
    // JPEG has no alpha; white stands for paper.
    image.flatten({ background: "#ffffff" }).jpeg({
      quality,
      chromaSubsampling: subsampling(quality),
      optimiseCoding: fitsTables,
    }),
  webp: (image, { quality }) => image.webp({ quality }),
  avif: (image, { quality }) =>
    image.avif({ quality, effort: AVIF_EFFORT, chromaSubsampling: subsampling(quality) }),
  // Deflate files are 5 to 12 % smaller, but older print workflows read only LZW.
  tiff: (image) => image.tiff({ compression: "lzw", predictor: "horizontal" }),
} satisfies Record<string, Encode>;

export type WholeFormat = keyof typeof ENCODERS;

/**
 * Encodes a picture, tagged as sRGB and with its resolution. Composites alpha on white if the format
 * has none. The same picture and options always return the same bytes.
 *
 * @param pixels `width × height × channels` bytes; not kept
 */
export async function encodeWhole(
  pixels: Uint8Array,
  { width, height, channels }: RasterSize,
  format: WholeFormat,
  options: EncodingOptions,
): Promise<Uint8Array> {
  const image = sharp(pixels, { raw: { width, height, channels } });
  if (format === "jpeg") {
    // Tagged here, because sharp converts all pixels to the profile they have: a third of the time.
    const file = await ENCODERS.jpeg(image, options).toBuffer();
    return withJpegHead(file, options.pixelsPerInch, SRGB_PROFILE);
  }
  // Also adds an sRGB profile; the pixels are assumed to be sRGB and stay unchanged.
  const tagged = image.withMetadata({ density: options.pixelsPerInch });
  return ENCODERS[format](tagged, options).toBuffer();
}

/** The formats that pictures are given out in, and the encoders of those that need a whole picture. */
import sharp, { type Sharp } from "sharp";
import type { Format } from "../recipe.ts";

/** A whole picture: 8 bits a channel, sRGB, straight alpha, rows tightly packed. */
export interface WholeSize {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
}

export interface WholeOptions {
  /** 1…100. */
  readonly quality: number;
  readonly pixelsPerInch: number;
}

interface FormatRow {
  readonly mediaType: string;
  /** Turns a whole picture into the format; absent where bands are written, as for PNG. */
  readonly whole?: (image: Sharp, quality: number) => Sharp;
}

/** From this quality on, JPEG keeps its colours at full resolution. */
const FULL_COLOUR_QUALITY = 90;

const FORMAT_ROWS = {
  png: { mediaType: "image/png" },
  jpeg: {
    mediaType: "image/jpeg",
    // JPEG has no alpha. White is what paper would be.
    whole: (image, quality) =>
      image.flatten({ background: "#ffffff" }).jpeg({
        quality,
        chromaSubsampling: quality >= FULL_COLOUR_QUALITY ? "4:4:4" : "4:2:0",
      }),
  },
  webp: { mediaType: "image/webp", whole: (image, quality) => image.webp({ quality }) },
} as const satisfies Record<Format, FormatRow>;

/** Formats that are encoded from a whole picture in memory. */
export type WholeFormat = {
  [F in Format]: (typeof FORMAT_ROWS)[F] extends { whole: unknown } ? F : never;
}[Format];

/** The media type of a format. */
export function mediaTypeOf(format: Format): string {
  return FORMAT_ROWS[format].mediaType;
}

/**
 * Encodes a picture in one piece, tagged as sRGB and with its resolution. Alpha is laid on white
 * where the format has none.
 *
 * @param pixels `width × height × channels` bytes; not kept
 */
export async function encodeWhole(
  pixels: Uint8Array,
  { width, height, channels }: WholeSize,
  format: WholeFormat,
  { quality, pixelsPerInch }: WholeOptions,
): Promise<Uint8Array> {
  const image = sharp(pixels, { raw: { width, height, channels } });
  // Adds an sRGB profile as well; the pixels are taken to be sRGB already and stay as they are.
  const tagged = image.withMetadata({ density: pixelsPerInch });
  return FORMAT_ROWS[format].whole(tagged, quality).toBuffer();
}

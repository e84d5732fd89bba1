/** The formats, and how much of what is taken. */

export const FORMATS = ["png", "jpeg", "webp"] as const;
export type Format = (typeof FORMATS)[number];

export const LIMITS = {
  tile: { minimum: 16, maximum: 8192, default: 1024 },
  surface: { minimum: 16, maximum: 20000, maximumPixels: 400_000_000 },
  cell: { minimum: 8, maximum: 20000 },
  /** JPEG and WebP are encoded from a whole picture in memory, PNG is not. */
  wholePicturePixels: 64_000_000,
  webpSide: 16383,
  /** Steps of a chain of effects. */
  effects: 16,
  source: { bytes: 32 * 1024 * 1024, pixels: 50_000_000 },
} as const;

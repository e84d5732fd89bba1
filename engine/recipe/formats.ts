/** Output formats of renders and their limits. */
import { keysOf } from "../../shaders/lib/keys-of.ts";

export interface FormatFacts {
  readonly mediaType: string;
  /** File name extension without the dot. */
  readonly extension: string;
  /** Whether `quality` applies. */
  readonly lossy: boolean;
  /** Most pixels of a picture, if fewer than a sheet's, because it is held in memory. */
  readonly maximumPixels?: number;
  /** Most pixels of a side, if fewer than a sheet's, by the format or its encoder. */
  readonly maximumSide?: number;
}

/** The largest tile: 200 MB of pixels, and with transparency 270. */
const WHOLE_PICTURE = 8192 * 8192;

const ROWS = {
  png: { mediaType: "image/png", extension: "png", lossy: false },
  jpeg: {
    mediaType: "image/jpeg",
    extension: "jpg",
    lossy: true,
    maximumPixels: WHOLE_PICTURE,
  },
  webp: {
    mediaType: "image/webp",
    extension: "webp",
    lossy: true,
    maximumPixels: WHOLE_PICTURE,
    // 14 bits (RFC 6386 §9.1).
    maximumSide: 16_383,
  },
  avif: {
    mediaType: "image/avif",
    extension: "avif",
    lossy: true,
    // A running encode cannot be interrupted. This many take 5 to 20 s of one core, grain the longest,
    // and 350 to 550 MB in addition to the pixels.
    maximumPixels: 4096 * 4096,
    // The limit of sharp.
    maximumSide: 16_384,
  },
  tiff: { mediaType: "image/tiff", extension: "tif", lossy: false, maximumPixels: WHOLE_PICTURE },
} as const satisfies Record<string, FormatFacts>;

export type Format = keyof typeof ROWS;

export const formatFacts: Readonly<Record<Format, FormatFacts>> = ROWS;

/** In display order. */
export const FORMATS = keysOf(ROWS);

/** Returns whether a format can hold a picture of this size. */
export function holds(format: Format, width: number, height: number): boolean {
  const { maximumPixels = Infinity, maximumSide = Infinity } = formatFacts[format];
  return width * height <= maximumPixels && Math.max(width, height) <= maximumSide;
}

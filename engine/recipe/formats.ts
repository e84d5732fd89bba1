/** The formats that pictures are given out in: what each is called, and what it can hold. */

export interface FormatFacts {
  readonly mediaType: string;
  /** Of a file's name, without the dot. */
  readonly extension: string;
  /** Whether `quality` means anything to it. */
  readonly lossy: boolean;
  /** Pixels a picture may have, where fewer than a sheet: the whole of it is held in memory. */
  readonly maximumPixels?: number;
  /** Pixels a side may have, where fewer than a sheet's: what the format or its encoder can count. */
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
    // An encode cannot be interrupted once it runs. This many take 5 to 20 s of one core, grain the
    // longest, and 350 to 550 MB beside the pixels.
    maximumPixels: 4096 * 4096,
    // sharp refuses longer ones.
    maximumSide: 16_384,
  },
  tiff: { mediaType: "image/tiff", extension: "tif", lossy: false, maximumPixels: WHOLE_PICTURE },
} as const satisfies Record<string, FormatFacts>;

export type Format = keyof typeof ROWS;

export const formatFacts: Readonly<Record<Format, FormatFacts>> = ROWS;

/** In the order in which they are listed. */
export const FORMATS = Object.keys(ROWS) as Format[];

/** Whether a format can hold a picture of so many pixels. */
export function holds(format: Format, width: number, height: number): boolean {
  const { maximumPixels = Infinity, maximumSide = Infinity } = formatFacts[format];
  return width * height <= maximumPixels && Math.max(width, height) <= maximumSide;
}

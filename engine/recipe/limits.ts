/** Limits of requests and sources. */

export const LIMITS = {
  tile: { minimum: 16, maximum: 8192, default: 1024 },
  surface: { minimum: 16, maximum: 20000, maximumPixels: 400_000_000 },
  cell: { minimum: 8, maximum: 20000 },
  /** Steps of a chain of effects. */
  effects: 16,
  /** Total rows that a sheet's surface effects read above and below. */
  surfaceReach: 512,
  /** Rows that one of them reads above and below: kernels count a band's pixels in 24 bits. */
  effectReach: 256,
  print: {
    /** Millimetres. 14,400 units of 1/72 inch are the longest side of a page (PDF 1.7, annex C). */
    side: { minimum: 10, maximum: 5080 },
    bleed: 50,
    cell: { minimum: 1, maximum: 5080 },
    /** Pixels per inch. */
    dpi: { minimum: 36, maximum: 2400, default: 300 },
  },
  vector: {
    /** Pixels of the longer side of the repeat in which curves are traced. */
    minimum: 64,
    maximum: 2048,
    default: 1024,
    /** Most curves of a file. */
    curves: 150_000,
    /** Millimetres: 3 to 14,400 units of 1/72 inch (PDF 1.7, annex C). */
    side: { minimum: 1.06, maximum: 5080 },
  },
  source: {
    bytes: 32 * 1024 * 1024,
    pixels: 50_000_000,
    /** Pixels. Decoders work by rows: 50,000,000 rows of one pixel took 24 s and 824 MB. */
    side: 32_767,
    /** Most pixels of a level that is sent: finer than a screen needs, unless the motif is enlarged. */
    levelPixels: 2 ** 22,
  },
} as const;

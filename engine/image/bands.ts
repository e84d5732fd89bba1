/** Bands of rows. */
import { newBytes, reusedArray } from "../reused-array.ts";
import { compositeBackground, partOf, type SampledImage, type Samples } from "./samples.ts";

/** Rows of a sheet that pass through the steps together. */
export interface Band extends Samples {
  readonly firstRow: number;
  readonly rows: number;
}

/** Approximate pixels of a band: few enough for the cache, enough to amortise a call. */
const BAND_PIXELS = 1 << 18;
/** Fewest pixels of a picture whose bands are twice as large: they cost less each, and there are still enough for all threads. */
const LARGE = 1 << 26;

/** Returns memory for the bytes of a band, until those of the next one. */
export const bandBytes = reusedArray(newBytes, 1 << 22);

/**
 * Returns the rows of a sheet's bands; the last band may have fewer.
 * @param reach rows that an effect reads beyond a band; narrower bands would mostly copy those
 */
export function bandRows(width: number, height: number, reach: number): number {
  const pixels = width * height < LARGE ? BAND_PIXELS : 2 * BAND_PIXELS;
  return Math.max(1, Math.min(height, Math.max(reach / 2, pixels / width)) | 0);
}

/** Returns a band composited on white, without alpha. */
export const onPaper = (band: Band): Band => ({ ...band, ...compositeBackground(band, "#ffffff") });

/** Yields an image in bands like those of a sheet. */
export function* inBands(image: SampledImage): Generator<Samples> {
  const { width, height, colour } = image;
  const pixels = bandRows(width, height, 0) * width;
  for (let from = 0; from < colour.length; from += pixels) {
    yield partOf(image, from, from + pixels);
  }
}

/** Statistics of a picture that are computed before any group is fitted: contrast, lattice, spectrum. */

import type { DecodedImage } from "../image/picture.ts";
import type { Swatch } from "./certificate.ts";
import { findPeriodicity } from "./find-lattice.ts";
import type { PictureSpectrum } from "./fit-group.ts";
import { frequenciesOf, integerLattice, strainTolerance } from "./lattice.ts";
import { deviationOf, type SamplePlanes } from "./planes.ts";
import { type SelfDifference, sampledPixels, selfDifferenceOf } from "./self-difference.ts";
import { FINE_WEIGHT_CUTOFF, MAX_FREQUENCY, type Spectrum, spectrumOf } from "./spectrum.ts";
import { PLAIN_DEVIATION, SMALL_CELL_PIXELS, TINY_PICTURE_PIXELS } from "./tolerance.ts";

export interface ImageStatistics extends PictureSpectrum, SelfDifference {
  /** `plain` and `stripes` have translations of any length; the lattice is then the picture's. */
  readonly periods: "lattice" | "stripes" | "plain";
  /** The coarse coefficients of the picture, those beside the lattice included. */
  readonly coarse: Spectrum;
  /** Whether most of the picture's power is in fine detail, which is lost between the pixels. */
  readonly isFine: boolean;
  /** What is too fine for anything to be said of the picture: its detail, or its cells. */
  readonly unclear: "detail" | "cells" | null;
}

/** Coefficients of the lattice against which groups are held. */
const LATTICE_FREQUENCIES = 250;

/** Finds the translations of a picture and its coefficients on their dual lattice. */
export function imageStatistics(planes: SamplePlanes, swatch: Swatch): ImageStatistics {
  const size = planes.pixels;
  const { deviation, tooFine } = fineDetail(swatch, planes);
  const compared = selfDifferenceOf(planes, swatch, deviation);
  const isPlain = deviation < PLAIN_DEVIATION;
  const { coarse, finest, periods, lattice: found, doubtful, isFine } = findPeriodicity(compared);
  const lattice = found ?? integerLattice(size);
  // In a small cell all waves are needed.
  const small = (size.width * size.height) / lattice.index < SMALL_CELL_PIXELS;
  const { frequencies, radius } = frequenciesOf(lattice, size, {
    most: small ? SMALL_CELL_PIXELS : LATTICE_FREQUENCIES,
    finest: small ? Math.max(finest, MAX_FREQUENCY * samplesPerPixel(planes)) : finest,
  });
  const unclearCells = doubtful ? "cells" : null;
  return {
    ...compared,
    size,
    lattice,
    strainTolerance: strainTolerance(lattice, size),
    coarse,
    isFine,
    radius,
    spectrum: spectrumOf(
      planes,
      isPlain ? [] : frequencies,
      small ? FINE_WEIGHT_CUTOFF : undefined,
    ),
    periods: isPlain ? "plain" : periods,
    unclear: tooFine ? "detail" : unclearCells,
  };
}

const samplesPerPixel = ({ width, height, pixels }: SamplePlanes) =>
  Math.min(width / pixels.width, height / pixels.height);

/** Pixels that are looked at. */
const DETAIL_PIXELS = 100_000;
/** Samples have to hold so much of the pixels' variance. */
const MIN_SAMPLED_VARIANCE = 0.5;
/**
 * Neighbouring pixels that are this nearly opposite are waves of about two pixels. Checks and
 * stripes of single pixels have −1, noise has 0, and checks of two pixels have 0 as well.
 */
const FINE_CORRELATION = -0.6;
/** In a tiny picture cells can be so small that neighbours have nothing to do with each other. */
const TINY_CORRELATION = 0.2;

export interface FineDetail {
  /** Root mean square of all channels of the pixels about their means, in 8-bit steps. */
  readonly deviation: number;
  /** Whether the picture's main detail is averaged away in the samples, or of single pixels. */
  readonly tooFine: boolean;
}

/** Looks at single pixels and at their neighbours. */
function fineDetail(swatch: Swatch, planes: SamplePlanes): FineDetail {
  const { width, height, channels, pixels } = swatch;
  const means = new Float64Array(channels);
  let count = 0;
  for (const pixel of sampledPixels(swatch, DETAIL_PIXELS)) {
    count++;
    for (let k = 0; k < channels; k++) {
      means[k] = (means[k] as number) + (pixels[pixel * channels + k] as number);
    }
  }
  for (let k = 0; k < channels; k++) means[k] = (means[k] as number) / count;
  let [variance, across, down] = [0, 0, 0];
  for (const pixel of sampledPixels(swatch, DETAIL_PIXELS)) {
    const column = pixel % width;
    const right = column + 1 === width ? pixel - column : pixel + 1;
    const under = pixel + width < width * height ? pixel + width : column;
    for (let k = 0; k < channels; k++) {
      const mean = means[k] as number;
      const value = (pixels[pixel * channels + k] as number) - mean;
      variance += value * value;
      across += value * ((pixels[right * channels + k] as number) - mean);
      down += value * ((pixels[under * channels + k] as number) - mean);
    }
  }
  const deviation = Math.sqrt(variance / count / channels);
  const isPlain = deviation < PLAIN_DEVIATION;
  const least =
    (width * height < TINY_PICTURE_PIXELS ? TINY_CORRELATION : FINE_CORRELATION) * variance;
  const averagedAway = deviationOf(planes) ** 2 < MIN_SAMPLED_VARIANCE * deviation ** 2;
  return {
    deviation,
    tooFine: !isPlain && (averagedAway || Math.min(across, down) < least),
  };
}

/** Rec. 709. */
const WEIGHTS = [0.2126, 0.7152, 0.0722] as const;

type Sampled = Pick<DecodedImage, "channels" | "pixels"> & Partial<Pick<DecodedImage, "bits">>;

/**
 * Standard deviation of the luminance of a picture's encoded (sRGB) colours, in 8-bit steps;
 * transparent pixels count by their alpha.
 */
export function luminanceDeviation({ channels, bits = 8, pixels }: Sampled) {
  const shift = bits - 8;
  const step = (at: number) => (pixels[at] as number) >> shift;
  let [weight, sum, squares] = [0, 0, 0];
  for (let at = 0; at < pixels.length; at += channels) {
    const luminance = WEIGHTS[0] * step(at) + WEIGHTS[1] * step(at + 1) + WEIGHTS[2] * step(at + 2);
    const alpha = channels === 4 ? step(at + 3) / 255 : 1;
    weight += alpha;
    sum += alpha * luminance;
    squares += alpha * luminance * luminance;
  }
  if (weight === 0) return 0;
  return Math.sqrt(Math.max(0, squares / weight - (sum / weight) ** 2));
}

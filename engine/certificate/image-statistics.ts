/** Statistics of a picture that are computed before any group is fitted: contrast, lattice, spectrum. */

import type { ByteImage } from "../image/picture.ts";
import { findPeriodicity } from "./find-lattice.ts";
import type { PictureSpectrum } from "./fit-group.ts";
import { frequenciesOf, integerLattice, strainTolerance } from "./lattice.ts";
import type { SamplePlanes } from "./planes.ts";
import { type SelfDifference, samplePixels, selfDifferenceOf } from "./self-difference.ts";
import { FINE_WEIGHT_CUTOFF, MAX_FREQUENCY, type Spectrum, spectrumOf } from "./spectrum.ts";
import { PLAIN_DEVIATION, SMALL_CELL_PIXELS, TINY_PICTURE_PIXELS } from "./tolerance.ts";

/** Statistics of a picture, independent of any plane group. */
export interface ImageStatistics extends PictureSpectrum, SelfDifference {
  /** `plain` and `stripes` have translations of any length; `lattice` is then the picture's periods. */
  readonly periods: "lattice" | "stripes" | "plain";
  /** Low-frequency coefficients, including those outside the dual lattice. */
  readonly coarse: Spectrum;
  /** Whether most of the power is in fine detail, which interpolation loses. */
  readonly isFine: boolean;
  /** What is too fine to analyse, the picture's detail or its cells; null if nothing is. */
  readonly unclear: "detail" | "cells" | null;
}

/** Number of coefficients that groups are fitted to. */
const LATTICE_FREQUENCIES = 250;

/** Computes the statistics of a picture: its contrast, its lattice and the coefficients on the dual. */
export function imageStatistics(planes: SamplePlanes, image: ByteImage): ImageStatistics {
  const size = planes.pixels;
  const { deviation, tooFine } = fineDetail(image, planes);
  const difference = selfDifferenceOf(planes, image, deviation);
  const isPlain = deviation < PLAIN_DEVIATION;
  const { coarse, finest, periods, lattice: found, doubtful, isFine } = findPeriodicity(difference);
  const lattice = found ?? integerLattice(size);
  // A small cell needs all frequencies.
  const small = (size.width * size.height) / lattice.index < SMALL_CELL_PIXELS;
  const { frequencies, radius } = frequenciesOf(lattice, size, {
    most: small ? SMALL_CELL_PIXELS : LATTICE_FREQUENCIES,
    finest: small ? Math.max(finest, MAX_FREQUENCY * samplesPerPixel(planes)) : finest,
  });
  const unclearCells = doubtful ? "cells" : null;
  return {
    ...difference,
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
      coarse,
    ),
    periods: isPlain ? "plain" : periods,
    unclear: tooFine ? "detail" : unclearCells,
  };
}

const samplesPerPixel = ({ width, height, pixels }: SamplePlanes) =>
  Math.min(width / pixels.width, height / pixels.height);

/** Pixels to sample. */
const DETAIL_PIXELS = 100_000;
/** Share of the pixels' variance that block averages must keep. */
const MIN_SAMPLED_VARIANCE = 0.5;
/**
 * Correlation of neighbouring pixels below which the detail has a period of about two pixels. Checks
 * and stripes of single pixels have −1; noise and checks of two pixels have 0.
 */
const FINE_CORRELATION = -0.6;
/** The same in a tiny picture, whose cells can be so small that neighbours are uncorrelated. */
const TINY_CORRELATION = 0.2;

/** Deviation of single pixels, and whether their detail is too fine to analyse. */
export interface FineDetail {
  /** Root mean square of all channels of the pixels about their means, in 8-bit steps. */
  readonly deviation: number;
  /** Whether the main detail is lost in the block averages, or is of single pixels. */
  readonly tooFine: boolean;
}

/** Measures the deviation of pixels and the correlation of neighbours. */
function fineDetail(image: ByteImage, planes: SamplePlanes): FineDetail {
  const { width, height, channels, pixels } = image;
  const sample = samplePixels(image, DETAIL_PIXELS);
  const count = sample.length;
  const means = new Float64Array(channels);
  for (let n = 0; n < count; n++) {
    for (let k = 0; k < channels; k++) means[k] += pixels[sample[n] * channels + k];
  }
  for (let k = 0; k < channels; k++) means[k] /= count;
  let [variance, across, down] = [0, 0, 0];
  for (let n = 0; n < count; n++) {
    const pixel = sample[n];
    const column = pixel % width;
    const right = column + 1 === width ? pixel - column : pixel + 1;
    const under = pixel + width < width * height ? pixel + width : column;
    for (let k = 0; k < channels; k++) {
      const mean = means[k];
      const value = pixels[pixel * channels + k] - mean;
      variance += value * value;
      across += value * (pixels[right * channels + k] - mean);
      down += value * (pixels[under * channels + k] - mean);
    }
  }
  const deviation = Math.sqrt(variance / count / channels);
  const isPlain = deviation < PLAIN_DEVIATION;
  const least =
    (width * height < TINY_PICTURE_PIXELS ? TINY_CORRELATION : FINE_CORRELATION) * variance;
  const averagedAway = planes.deviation ** 2 < MIN_SAMPLED_VARIANCE * deviation ** 2;
  return {
    deviation,
    tooFine: !isPlain && (averagedAway || Math.min(across, down) < least),
  };
}

/** Luminance weights of Rec. 709. */
const WEIGHTS = [0.2126, 0.7152, 0.0722] as const;

/**
 * Returns the standard deviation of the luminance of a picture's encoded (sRGB) colours, in 8-bit
 * steps, weighted by alpha.
 */
export function luminanceDeviation({ channels, pixels }: Pick<ByteImage, "channels" | "pixels">) {
  const [ofRed, ofGreen, ofBlue] = WEIGHTS;
  let weight = pixels.length / channels;
  let sum = 0;
  let squares = 0;
  if (channels === 3) {
    for (let at = 0; at < pixels.length; at += 3) {
      const luminance = ofRed * pixels[at] + ofGreen * pixels[at + 1] + ofBlue * pixels[at + 2];
      sum += luminance;
      squares += luminance * luminance;
    }
  } else {
    weight = 0;
    for (let at = 0; at < pixels.length; at += 4) {
      const luminance = ofRed * pixels[at] + ofGreen * pixels[at + 1] + ofBlue * pixels[at + 2];
      const alpha = pixels[at + 3] / 255;
      weight += alpha;
      sum += alpha * luminance;
      squares += alpha * luminance * luminance;
    }
  }
  if (weight === 0) return 0;
  return Math.sqrt(Math.max(0, squares / weight - (sum / weight) ** 2));
}

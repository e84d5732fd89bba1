/** Whether the detail of a picture is too fine for its symmetry to be read from its pixels. */
import type { Swatch } from "./certificate.ts";
import { places } from "./pixel-grid.ts";
import { deviationOf, type Planes } from "./planes.ts";
import { PLAIN, TINY_PICTURE } from "./tolerance.ts";

/** Pixels that are looked at. */
const READ = 100_000;
/** Samples have to hold so much of the pixels' variance. */
const LEAST_HELD = 0.5;
/**
 * Neighbouring pixels that are this nearly opposite are waves of about two pixels. Checks and
 * stripes of single pixels have −1, noise has 0, and checks of two pixels have 0 as well.
 */
const OPPOSITE = -0.6;
/** In a tiny picture cells can be so small that neighbours have nothing to do with each other. */
const UNRELATED = 0.2;

export interface FineDetail {
  /** Root mean square of all channels of the pixels about their means, in 8-bit steps. */
  readonly deviation: number;
  /** Whether the picture's main detail is averaged away in the samples, or of single pixels. */
  readonly tooFine: boolean;
}

/** Looks at single pixels and at their neighbours. */
export function fineDetail(swatch: Swatch, planes: Planes): FineDetail {
  const { width, height, channels, pixels } = swatch;
  const means = new Float64Array(channels);
  let count = 0;
  for (const place of places(swatch, READ)) {
    count++;
    for (let k = 0; k < channels; k++) {
      means[k] = (means[k] as number) + (pixels[place * channels + k] as number);
    }
  }
  for (let k = 0; k < channels; k++) means[k] = (means[k] as number) / count;
  let [variance, across, down] = [0, 0, 0];
  for (const place of places(swatch, READ)) {
    const column = place % width;
    const right = column + 1 === width ? place - column : place + 1;
    const under = place + width < width * height ? place + width : column;
    for (let k = 0; k < channels; k++) {
      const mean = means[k] as number;
      const value = (pixels[place * channels + k] as number) - mean;
      variance += value * value;
      across += value * ((pixels[right * channels + k] as number) - mean);
      down += value * ((pixels[under * channels + k] as number) - mean);
    }
  }
  const deviation = Math.sqrt(variance / count / channels);
  const isPlain = deviation < PLAIN;
  const least = (width * height < TINY_PICTURE ? UNRELATED : OPPOSITE) * variance;
  const averagedAway = deviationOf(planes) ** 2 < LEAST_HELD * deviation ** 2;
  return {
    deviation,
    tooFine: !isPlain && (averagedAway || Math.min(across, down) < least),
  };
}

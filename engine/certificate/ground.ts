/** What is known of a picture before any group is held against it. */
import { strainTolerance } from "./cells.ts";
import type { Swatch } from "./certificate.ts";
import { type Compared, comparedWith } from "./compared.ts";
import { fineDetail } from "./fine-detail.ts";
import type { Ground } from "./fit.ts";
import type { Planes } from "./planes.ts";
import { repeatsOf } from "./repeats.ts";
import { ALL_WAVES, FINE_COUNTED, type Spectrum, spectrumOf } from "./spectrum.ts";
import { PLAIN, SMALL_CELL } from "./tolerance.ts";
import { frequenciesOf, pictureLattice } from "./torus-lattice.ts";

export interface Surveyed extends Ground, Compared {
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
const MOST = 250;

/** Finds the translations of a picture and its coefficients on their dual lattice. */
export function survey(planes: Planes, swatch: Swatch): Surveyed {
  const size = planes.pixels;
  const { deviation, tooFine } = fineDetail(swatch, planes);
  const compared = comparedWith(planes, swatch, deviation);
  const isPlain = deviation < PLAIN;
  const { coarse, finest, periods, lattice: found, doubtful, isFine } = repeatsOf(compared);
  const lattice = found ?? pictureLattice(size);
  // In a small cell all waves are needed.
  const small = (size.width * size.height) / lattice.index < SMALL_CELL;
  const { frequencies, radius } = frequenciesOf(lattice, size, {
    most: small ? SMALL_CELL : MOST,
    finest: small ? Math.max(finest, ALL_WAVES * samplesPerPixel(planes)) : finest,
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
    spectrum: spectrumOf(planes, isPlain ? [] : frequencies, small ? FINE_COUNTED : undefined),
    periods: isPlain ? "plain" : periods,
    unclear: tooFine ? "detail" : unclearCells,
  };
}

const samplesPerPixel = ({ width, height, pixels }: Planes) =>
  Math.min(width / pixels.width, height / pixels.height);

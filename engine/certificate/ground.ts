/** What is known of a picture before any group is held against it. */
import type { Affine, Point } from "../geometry/affine.ts";
import type { Ground } from "./fit.ts";
import { type LocalError, localError } from "./patches.ts";
import { deviationOf, type Planes } from "./planes.ts";
import { type Spectrum, spectrumOf } from "./spectrum.ts";
import { HOLDS, LOCAL_SHARE, LOCAL_STEPS, PLAIN, STRAY_POWER } from "./tolerance.ts";
import { frequenciesOf, pictureLattice } from "./torus-lattice.ts";
import { translationsOf } from "./translations.ts";

export interface Surveyed extends Ground {
  /** `plain` and `stripes` have translations of any length; the lattice is then the picture's. */
  readonly periods: "lattice" | "stripes" | "plain";
  /** The coarse coefficients of the picture, those beside the lattice included. */
  readonly coarse: Spectrum;
  /** Local error up to which an operation holds, in 8-bit steps. */
  readonly localTolerance: number;
  /** Local error of the picture under a map; computed once for each. */
  local(map: Affine): LocalError;
}

/** Coefficients from which the translations are read: up to 45 cells side by side. */
const COARSE = { most: 3200, finest: 0.25 };
/** On a tiny picture so many waves across are taken, or nearly all. */
const LEAST_WAVES = 12;
/** Where these hold less than so much of a picture's power, it is all fine detail. */
const LEAST_POWER = 0.01;
/** Then as many as a grid of 512 samples has, its finest left out: they have two meanings. */
const ALL = { most: 100_000, finest: 0.49 };
/** Coefficients of the lattice against which groups are held. */
const FINE = 250;

/** Finds the translations of a picture and its coefficients on their dual lattice. */
export function survey(planes: Planes): Surveyed {
  const size = planes.pixels;
  const own = pictureLattice(size);
  const deviation = deviationOf(planes);
  const { coarse, finest } = coarseSpectrum(planes, deviation);
  const localTolerance = Math.max(LOCAL_STEPS, LOCAL_SHARE * deviation);
  const found = deviation < PLAIN ? "plain" : translationsOf(coarse, size, STRAY_POWER);
  const regular = found !== null && found !== "plain";
  const lattice = regular && holdsEverywhere(planes, found.basis, localTolerance) ? found : own;
  const { frequencies, radius } = frequenciesOf(lattice, size, { most: FINE, finest });
  const used = found === "plain" ? [] : frequencies;
  const known = new WeakMap<Affine, LocalError>();
  return {
    size,
    lattice,
    coarse,
    radius,
    spectrum: spectrumOf(planes, used),
    periods: regular ? "lattice" : (found ?? "stripes"),
    localTolerance,
    local(map) {
      const error = known.get(map) ?? localError(planes, map);
      known.set(map, error);
      return error;
    },
  };
}

function coarseSpectrum(planes: Planes, deviation: number) {
  const size = planes.pixels;
  const own = pictureLattice(size);
  const samples = Math.min(planes.width / size.width, planes.height / size.height);
  const take = ({ most, finest }: typeof COARSE) => {
    const limits = { most, finest: finest * samples };
    const { frequencies } = frequenciesOf(own, size, limits);
    return { coarse: spectrumOf(planes, frequencies), finest: limits.finest };
  };
  const least = LEAST_WAVES / Math.min(planes.width, planes.height);
  const usual = take({ ...COARSE, finest: Math.min(ALL.finest, Math.max(COARSE.finest, least)) });
  // Parseval: twice the power of the kept half is the variance, summed over the channels.
  const held = 2 * usual.coarse.power.reduce((sum, value) => sum + value, 0);
  const all = planes.channels.length * deviation ** 2;
  return held >= LEAST_POWER * all ? usual : take(ALL);
}

/** Whether a picture has translations in all places: a flaw in one cell is lost in the mean. */
function holdsEverywhere(planes: Planes, basis: readonly Point[], tolerance: number): boolean {
  return basis.every(
    ({ x, y }) =>
      (Number.isInteger(x) && Number.isInteger(y)) ||
      localError(planes, { a: 1, b: 0, c: 0, d: 1, e: x, f: y }).error <= tolerance,
  );
}

/** Relative error of a translation by fractions of the picture. */
export function translationError(spectrum: Spectrum, { x, y }: Point): number {
  const { frequencies, power, weight } = spectrum;
  let [error, total] = [0, 0];
  frequencies.forEach(({ u, v }, at) => {
    const own = (power[at] as number) * (weight[at] as number);
    total += own;
    error += own * (2 - 2 * Math.cos(2 * Math.PI * (u * x + v * y)));
  });
  return total === 0 ? 0 : Math.sqrt(error / total);
}

/** Whether a picture's relative and local error let an operation hold. */
export const within = (relative: number, local: number, tolerance: number) =>
  relative <= HOLDS && local <= tolerance;

/**
 * Finds the translation lattice of a picture. The significant frequencies generate a lattice whose
 * dual is the lattice of translations; single pixels then confirm or refute it.
 */

import type { Affine, Point } from "../geometry/affine.ts";
import { translationsOf } from "./find-translations.ts";
import { frequenciesOf, integerLattice, type TorusLattice } from "./lattice.ts";
import type { SamplePlanes } from "./planes.ts";
import type { SelfDifference } from "./self-difference.ts";
import {
  FINE_WEIGHT_CUTOFF,
  type Frequency,
  MAX_FREQUENCY,
  type Spectrum,
  spectrumOf,
  WEIGHT_CUTOFF,
} from "./spectrum.ts";
import {
  MAX_PIXEL_ERROR,
  MAX_SMALL_CELL_ERROR,
  SMALL_CELL_PIXELS,
  STRAY_POWER,
  TINY_PICTURE_PIXELS,
  TINY_STRAY_POWER,
  UNCERTAIN_STRAY_POWER,
} from "./tolerance.ts";

export interface Periodicity {
  readonly periods: "lattice" | "stripes";
  /** The lattice of translations; null for stripes. */
  readonly lattice: TorusLattice | null;
  /** Whether most of the power is in fine detail, which interpolation loses. */
  readonly isFine: boolean;
  /** Whether the pixels leave open if the picture has smaller cells. */
  readonly doubtful: boolean;
  /** The coefficients that the lattice was found from, and their highest frequency in waves a pixel. */
  readonly coarse: Spectrum;
  readonly finest: number;
}

/** Band in which translations are searched first: enough for 45 cells side by side. */
const COARSE_BAND = { most: 3200, finest: 0.25 };
/** Waves across a tiny picture that the coarse band includes at least. */
const MIN_WAVES = 12;
/** Share of the power below which the coarse band is too weak to search. */
const MIN_BAND_POWER = 0.01;
/** All frequencies of 512 × 512 samples but those next to the Nyquist frequency, which alias. */
const FULL_BAND = { most: 100_000, finest: MAX_FREQUENCY };
/** Stray power allowed in the full band, where there is more noise than in the coarse one. */
const FINE_STRAY_POWER = MAX_PIXEL_ERROR ** 2 / 4;
/** Share of the power in weighted coarse waves below which the picture counts as fine detail. */
const FINE_DETAIL_POWER = 0.5;
/** Primitive cells of fewer pixels show their pattern only if they coincide with the pixel grid. */
const TINY_CELL_PIXELS = 64;
/** Longest step along stripes to try, in pixels. */
const MAX_STRIPE_STEP = 16;

/**
 * Finds the translations from the coarse band. If single pixels refute them, searches the full band;
 * if pixels refute that too, the lattice has only the picture's own periods.
 */
export function findPeriodicity(difference: SelfDifference): Periodicity {
  const { planes, deviation } = difference;
  const usual = coarseBand(planes);
  const isFine =
    2 * coarsePower(usual.coarse, planes) <
    FINE_DETAIL_POWER * planes.channels.length * deviation ** 2;
  const first = confirmLattice(difference, usual, STRAY_POWER, isFine);
  if (first !== null) return { ...first, ...usual, isFine };
  const { width, height, pixels } = planes;
  if (width === pixels.width && height === pixels.height) {
    const all = spectrumBand(planes, FULL_BAND, FINE_WEIGHT_CUTOFF);
    const second = confirmLattice(difference, all, FINE_STRAY_POWER, isFine);
    if (second !== null) return { ...second, ...all, isFine };
  }
  const own = integerLattice(pixels);
  return { periods: "lattice", lattice: own, doubtful: false, ...usual, isFine };
}

interface SpectrumBand {
  readonly coarse: Spectrum;
  readonly finest: number;
}

function spectrumBand(
  planes: SamplePlanes,
  { most, finest }: typeof COARSE_BAND,
  cutoff?: number,
): SpectrumBand {
  const size = planes.pixels;
  const samples = Math.min(planes.width / size.width, planes.height / size.height);
  const limits = { most, finest: finest * samples };
  const { frequencies } = frequenciesOf(integerLattice(size), size, limits);
  return { coarse: spectrumOf(planes, frequencies, cutoff), finest: limits.finest };
}

function coarseBand(planes: SamplePlanes): SpectrumBand {
  const least = MIN_WAVES / Math.min(planes.width, planes.height);
  const finest = Math.min(FULL_BAND.finest, Math.max(COARSE_BAND.finest, least));
  const usual = spectrumBand(planes, { ...COARSE_BAND, finest });
  // Parseval: twice the power of the kept half is the variance, summed over the channels.
  const held = 2 * usual.coarse.power.reduce((sum, value) => sum + value, 0);
  const all = planes.channels.length * planes.deviation ** 2;
  return held >= MIN_BAND_POWER * all ? usual : spectrumBand(planes, FULL_BAND, FINE_WEIGHT_CUTOFF);
}

/** Finds translations up to a share of stray power; returns null if single pixels refute them. */
function confirmLattice(
  difference: SelfDifference,
  { coarse }: SpectrumBand,
  stray: number,
  isFine: boolean,
) {
  const size = difference.planes.pixels;
  const lattice = translationsOf(coarse, size, stray);
  if (lattice === null) {
    const step = stepAlong(strongestFrequency(coarse), size);
    const isStriped = step === null || !isRefuted(difference, translationMap(step));
    return isStriped ? { periods: "stripes" as const, lattice, doubtful: false } : null;
  }
  if (!lattice.basis.every((by) => isWhole(by) || holds(difference, translationMap(by))))
    return null;
  return {
    periods: "lattice" as const,
    lattice,
    doubtful:
      isBetweenPixels(difference, lattice) || couldBeFiner(difference, coarse, lattice, isFine),
  };
}

const translationMap = ({ x, y }: Point): Affine => ({ a: 1, b: 0, c: 0, d: 1, e: x, f: y });
const isWhole = ({ x, y }: Point) => Number.isInteger(x) && Number.isInteger(y);

/** Whether a translation holds locally, where the mean hides a flaw in one cell, and in single pixels. */
function holds(difference: SelfDifference, map: Affine): boolean {
  return difference.local(map).error <= difference.localTolerance && !isRefuted(difference, map);
}

/** Whether pixels differ from the pixels that they are mapped to. */
function isRefuted({ deviation, agreement }: SelfDifference, map: Affine): boolean {
  const { onGrid } = agreement(map);
  return onGrid !== null && onGrid > MAX_PIXEL_ERROR * deviation;
}

/** Whether cells are a few pixels wide and differ where they are moved onto one another. */
function isBetweenPixels(difference: SelfDifference, { index, basis }: TorusLattice): boolean {
  const { planes, agreement, deviation } = difference;
  const { width, height } = planes.pixels;
  if ((width * height) / index >= TINY_CELL_PIXELS) return false;
  return basis.some((by) => {
    const { onGrid } = agreement(translationMap(by));
    return onGrid === null || onGrid > MAX_SMALL_CELL_ERROR * deviation;
  });
}

function couldBeFiner(
  difference: SelfDifference,
  coarse: Spectrum,
  { index }: TorusLattice,
  isFine: boolean,
): boolean {
  const size = difference.planes.pixels;
  const pixels = size.width * size.height;
  const stray = isFine && pixels < TINY_PICTURE_PIXELS ? TINY_STRAY_POWER : UNCERTAIN_STRAY_POWER;
  const finer = translationsOf(coarse, size, stray);
  if (finer === null || finer.index <= index) return false;
  if (!isFine && pixels / finer.index >= SMALL_CELL_PIXELS) return false;
  return finer.basis.every((by) => !isRefuted(difference, translationMap(by)));
}

/** Total power with the weights of a large picture: near 1 for coarse detail, near 0 for fine. */
function coarsePower({ frequencies, power }: Spectrum, { width, height }: SamplePlanes): number {
  return frequencies.reduce(
    (sum, { u, v }, at) =>
      sum + power[at] * Math.exp(-((u / width) ** 2 + (v / height) ** 2) / WEIGHT_CUTOFF ** 2),
    0,
  );
}

function strongestFrequency({ frequencies, power, weight }: Spectrum): Frequency {
  const counted = (at: number) => power[at] * weight[at];
  let strongest = 0;
  for (let at = 1; at < power.length; at++) if (counted(at) > counted(strongest)) strongest = at;
  return frequencies[strongest] ?? { u: 0, v: 0 };
}

/** Returns the shortest step of whole pixels along stripes, in fractions of the picture. */
function stepAlong({ u, v }: Frequency, { width, height }: SamplePlanes["pixels"]): Point | null {
  let shortest: { readonly x: number; readonly y: number } | null = null;
  for (let x = 0; x <= MAX_STRIPE_STEP; x++) {
    for (let y = -MAX_STRIPE_STEP; y <= MAX_STRIPE_STEP; y++) {
      const waves = (u * x) / width + (v * y) / height;
      if ((x === 0 && y <= 0) || Math.abs(waves) > 1e-9) continue;
      if (shortest === null || Math.hypot(x, y) < Math.hypot(shortest.x, shortest.y)) {
        shortest = { x, y };
      }
    }
  }
  return shortest && { x: shortest.x / width, y: shortest.y / height };
}

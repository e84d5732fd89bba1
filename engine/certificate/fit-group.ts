/**
 * Fits a plane group to the Fourier coefficients of a picture. f(Ax + t) = f(x) for all x is
 * F(Aᵀk) = F(k)·e^(2πi·k·t) for all k; by Parseval, what is missing of it is the mean square
 * difference. (Structure factors: International Tables for Crystallography B, 1.4.) The origin that
 * fits best is the maximum of a Fourier series.
 */

import { type Affine, apply, compose, invert, linear, type Point } from "../geometry/affine.ts";
import { parsePosition } from "../geometry/isometries.ts";
import type { PlaneGroup } from "../geometry/plane-groups.ts";
import type { Size } from "../size.ts";
import { evaluateSeries, type FourierTerm, maximumOf } from "./fourier-series.ts";
import {
  type ConventionalCell,
  MAX_TILE_STRAIN,
  stretchRatio,
  type TorusLattice,
} from "./lattice.ts";
import type { Spectrum } from "./spectrum.ts";

/** An operation of a fitted group, and its error. */
export interface OperationFit {
  /** Coordinates as the International Tables print them: `-y,x`. */
  readonly position: string;
  /** Maps fractions of the picture to fractions of the picture. */
  readonly map: Affine;
  /** RMS difference of the picture and its image, as a share of the picture's deviation; 0…2. */
  readonly relativeError: number;
}

export interface GroupFit {
  readonly group: PlaneGroup;
  readonly cell: ConventionalCell;
  /** The best origin, in fractions of the picture. */
  readonly origin: Point;
  /** All positions of the group but the identity. */
  readonly operations: readonly OperationFit[];
  /** The largest relative error; 0 for p1. */
  readonly worst: number;
}

/** Fourier coefficients of a picture on the dual of its lattice. */
export interface PictureSpectrum {
  readonly spectrum: Spectrum;
  /** Highest frequency of the coefficients, in waves a pixel. */
  readonly radius: number;
  readonly lattice: TorusLattice;
  /** Largest strain at which a cell counts as having the shape that a group needs. */
  readonly strainTolerance: number;
  readonly size: Size;
}

/** Fits by picture: the same groups are fitted on the same cells many times. */
const known = new WeakMap<PictureSpectrum, Map<string, GroupFit>>();

/**
 * Finds the origin where a group fits best on a cell, and the error of each operation there.
 * Memoised by picture.
 */
export function fitGroup(
  picture: PictureSpectrum,
  group: PlaneGroup,
  cell: ConventionalCell,
): GroupFit {
  const fits = known.get(picture) ?? new Map<string, GroupFit>();
  known.set(picture, fits);
  const key = [group.name, cell.a.x, cell.a.y, cell.b.x, cell.b.y].join();
  const fit = fits.get(key) ?? computeFit(picture, group, cell);
  fits.set(key, fit);
  return fit;
}

function computeFit(picture: PictureSpectrum, group: PlaneGroup, cell: ConventionalCell): GroupFit {
  const correlations = correlateOperations(picture, group, cell);
  const { basis } = picture.lattice;
  const series = correlations.flatMap(({ terms }) => terms);
  const origin = maximumOf(series, basis);
  const operations = correlations.map(({ position, map, terms, relation }) => {
    const moved = apply(linear(map), origin);
    const error =
      relation === "comparable"
        ? Math.sqrt(Math.max(0, 2 - 2 * evaluateSeries(terms, origin)))
        : ERROR_OF[relation];
    return {
      position,
      map: { ...map, e: map.e + origin.x - moved.x, f: map.f + origin.y - moved.y },
      relativeError: error < ERROR_ROUNDING ? 0 : error,
    };
  });
  const worst = Math.max(0, ...operations.map(({ relativeError }) => relativeError));
  return { group, cell, origin, operations, worst };
}

/**
 * Whether all relative errors of a group can be at most `most` at some origin. A quick necessary
 * condition: the magnitudes of the coefficients are independent of the origin.
 */
export function couldHold(
  picture: PictureSpectrum,
  group: PlaneGroup,
  cell: ConventionalCell,
  most: number,
): boolean {
  return correlateOperations(picture, group, cell).every(({ terms, relation }) => {
    if (relation !== "comparable") return ERROR_OF[relation] <= most;
    const highest = terms.reduce((sum, { re, im }) => sum + Math.hypot(re, im), 0);
    return 2 - 2 * highest <= most * most;
  });
}

function correlateOperations(picture: PictureSpectrum, group: PlaneGroup, cell: ConventionalCell) {
  const toPicture: Affine = { a: cell.a.x, b: cell.b.x, c: cell.a.y, d: cell.b.y, e: 0, f: 0 };
  const toCell = invert(toPicture);
  return group.positions.slice(1).map((position) => {
    const map = compose(toPicture, parsePosition(position), toCell);
    return { position, map, ...correlation(picture, map) };
  });
}

/** Errors of a picture of one colour, and of a map that is no isometry even within the strain. */
const ERROR_OF = { plain: 0, unrelated: Math.SQRT2 } as const;
/** Smaller errors are rounding: square roots of cancelled sums. */
const ERROR_ROUNDING = 1e-6;

/**
 * Returns the correlation of a picture with its image under a map about an origin o, as a Fourier
 * series in o; its value is 1 where both are equal.
 */
function correlation({ spectrum, radius, size }: PictureSpectrum, map: Affine) {
  const { frequencies, re, im, power, weight, channels } = spectrum;
  const terms: { u: number; v: number; re: number; im: number }[] = [];
  let sum = 0;
  frequencies.forEach(({ u, v }, at) => {
    const [exactU, exactV] = [map.a * u + map.c * v, map.b * u + map.d * v];
    const [imageU, imageV] = [Math.round(exactU), Math.round(exactV)];
    const own = power[at];
    const counts = weight[at];
    const whole = Math.abs(exactU - imageU) + Math.abs(exactV - imageV) < 1e-6;
    const image = whole ? spectrum.find(imageU, imageV) : null;
    if (image === null) {
      // Beyond the radius coefficients are unknown; within it, those not listed are zero.
      if (Math.hypot(exactU / size.width, exactV / size.height) <= radius) {
        sum += counts * own;
      }
      return;
    }
    sum += (counts * (own + power[image.at])) / 2;
    // conj(F(Aᵀk)) · F(k) · e^(2πi·k·w), of all channels.
    let [pr, pi] = [0, 0];
    for (let c = 0; c < channels; c++) {
      const r = re[at * channels + c];
      const i = im[at * channels + c];
      const imageR = re[image.at * channels + c];
      const imageI = im[image.at * channels + c] * (image.conjugate ? -1 : 1);
      pr += imageR * r + imageI * i;
      pi += imageR * i - imageI * r;
    }
    const angle = 2 * Math.PI * (u * map.e + v * map.f);
    const [cos, sin] = [counts * Math.cos(angle), counts * Math.sin(angle)];
    const [du, dv] = [u - imageU, v - imageV];
    terms.push({ u: du, v: dv, re: pr * cos - pi * sin, im: pr * sin + pi * cos });
  });
  if (sum === 0) return { terms: [], relation: "plain" as const };
  return {
    terms: terms.map((term): FourierTerm => ({ ...term, re: term.re / sum, im: term.im / sum })),
    relation: relationOf(distortion(map, size)),
  };
}

function relationOf(stretch: number): keyof typeof ERROR_OF | "comparable" {
  return stretch <= (1 + MAX_TILE_STRAIN) ** 2 ? "comparable" : "unrelated";
}

/** Ratio of the two principal stretches of a map, in pixels; 1 for an isometry. */
function distortion({ a, b, c, d }: Affine, { width, height }: Size): number {
  return stretchRatio({ x: a, y: (c * height) / width }, { x: (b * width) / height, y: d });
}

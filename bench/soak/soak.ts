/** What a service uses over hours of load, and whether it grows. */
import type { Environment } from "../harness/environment.ts";

/** The results of one run of `npm run soak`. */
export interface Soak {
  readonly environment: Environment;
  readonly nodes: number;
  /** Faults by their names, with their minutes. */
  readonly faults: Readonly<Record<string, readonly number[]>>;
  /** Requests that were answered as wanted. */
  readonly requests: number;
  /** Numbers of other responses by their status and problem. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Minutes since the start, one for each value of each series. */
  readonly minutes: readonly number[];
  readonly soak: readonly SoakSeries[];
}

export interface SoakSeries {
  readonly name: string;
  readonly unit: string;
  readonly values: readonly number[];
}

export interface Slope {
  /** The mean of the values that are judged. */
  readonly mean: number;
  /** Growth in an hour. */
  readonly perHour: number;
  /** Half the length of its confidence interval of 95 %. */
  readonly plusMinus: number;
}

/** Caches fill, and the first requests compile code: the first third is not judged. */
const SETTLING = 1 / 3;

/** Neighbouring values depend on each other, so lines are fitted to the means of so many parts. */
const PARTS = 12;

/** The quantile 0.975 of Student's t distribution with ten degrees of freedom. */
const STUDENT_T = 2.228;

/** Fits a line to the last two thirds of a series. Throws a RangeError for fewer values than parts. */
export function slopeOf(minutes: readonly number[], values: readonly number[]): Slope {
  const first = Math.ceil(values.length * SETTLING);
  const length = (values.length - first) / PARTS;
  if (length < 1) throw new RangeError(`a slope needs ${PARTS} values after the first third`);
  const parts = Array.from({ length: PARTS }, (_, part) => {
    const [from, to] = [part, part + 1].map((at) => first + Math.floor(at * length));
    return { x: meanOf(minutes.slice(from, to)) / 60, y: meanOf(values.slice(from, to)) };
  });
  const x = meanOf(parts.map((part) => part.x));
  const y = meanOf(parts.map((part) => part.y));
  const spread = sum(parts.map((part) => (part.x - x) ** 2));
  const perHour = sum(parts.map((part) => (part.x - x) * (part.y - y))) / spread;
  const rest = sum(parts.map((part) => (part.y - y - perHour * (part.x - x)) ** 2));
  const error = Math.sqrt(rest / (PARTS - 2) / spread);
  return { mean: y, perHour, plusMinus: STUDENT_T * error };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const meanOf = (values: readonly number[]) => sum(values) / values.length;

/** Swells as numbers. */
import { numbersOf } from "../../lib/records.ts";

/** A swell; lengths in edges of the picture, y down. */
export interface Swell {
  /** Height of its troughs. */
  readonly y: number;
  /** Two waves: how high, how many over the picture, where they begin (0…1). */
  readonly first: readonly [number, number, number];
  readonly second: readonly [number, number, number];
  /** How far the crests lean, in lengths across for one upwards. */
  readonly lean: number;
  readonly profile: number;
  /** A sun behind it: place across, height over `y`, radius (0: none), profile. */
  readonly sun: readonly [number, number, number, number];
}

/** What the kernel reads of a swell, in this order; 13 numbers. */
const FIELDS = ["y", "first", "second", "lean", "profile", "sun"] as const;

/** Swells from the topmost down, as numbers. */
export function swellNumbers(swells: readonly Swell[]): number[] {
  return swells.flatMap((swell) => numbersOf(swell, FIELDS));
}

/** Swells as numbers. */
import { layout, numbersOf, type RecordOf } from "../../lib/layout.ts";

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

/** A swell as the kernel reads it. */
const WAVE = layout({ height: 1, count: 1, begin: 1 });
const SUN = layout({ x: 1, rise: 1, radius: 1, profile: 1 });
export const SWELL = layout({ y: 1, waves: [WAVE, 2], lean: 1, profile: 1, sun: SUN });
export type SwellRecord = RecordOf<typeof SWELL>;

/** Swells from the topmost down, as numbers. */
export function swellNumbers(swells: readonly Swell[]): number[] {
  return swells.flatMap((swell) =>
    numbersOf({ ...swell, waves: [...swell.first, ...swell.second] }, SWELL),
  );
}

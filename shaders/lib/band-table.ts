/** A sequence of colour bands as tables for kernels, and the stages that read them. */
import type { Linear } from "./colour.ts";
import { layout, numbersOf, type RecordOf, RGB, type Rgb, recordAt } from "./layout.ts";
import { lit, sum } from "./paint.ts";

/** A band of a sequence, of one colour or a gradient. */
export interface Band {
  /** In any unit: the sequence is scaled to 1. */
  readonly width: number;
  readonly colour: Linear;
  readonly to?: Linear;
}

/** `next`: offset of the next band in the table; `before`: the sum of the colours up to here. */
export const BAND = layout({ start: 1, length: 1, next: 1, before: RGB, colour: RGB, to: RGB });
export type BandRecord = RecordOf<typeof BAND>;

/** Number of equal parts of the sequence, each with its first band. */
export const BUCKETS = 512;

/**
 * `bands`: records; `buckets`: for each of 512 equal parts of the sequence the offset of
 * the band at its start; `total`: the mean colour of the whole sequence. At least one
 * band; at most 40 may begin within a bucket.
 */
export function bandTable(sequence: readonly Band[]): {
  readonly bands: Float32Array;
  readonly buckets: Float32Array;
  readonly total: Linear;
} {
  const whole = sequence.reduce((sum, { width }) => sum + width, 0);
  let start = 0;
  let total: Linear = [0, 0, 0];
  const rows = sequence.map(({ width, colour, to = colour }, index) => {
    const length = width / whole;
    const next = ((index + 1) % sequence.length) * BAND.size;
    const row = numbersOf({ start, length, next, before: total, colour, to }, BAND);
    const added = (channel: 0 | 1 | 2) =>
      total[channel] + 0.5 * length * (colour[channel] + to[channel]);
    total = [added(0), added(1), added(2)];
    start += length;
    return row;
  });
  const buckets = Float32Array.from({ length: BUCKETS }, (_, bucket) => {
    const after = rows.findIndex((row) => row[0] > bucket / BUCKETS);
    return ((after < 0 ? rows.length : after) - 1) * BAND.size;
  });
  return { bands: Float32Array.from(rows.flat()), buckets, total };
}

/** Returns the table's offset of the band at `part` (0…1) of the sequence. */
export function bandAt(bands: readonly BandRecord[], buckets: Float32Array, part: number): number {
  let at = buckets[Math.min(Math.floor(part * BUCKETS), BUCKETS - 1)];
  for (let step = 0; step < 40; step++) {
    const band = recordAt(bands, at);
    if (band.start + band.length > part || band.next < 0.5) break;
    at = band.next;
  }
  return at;
}

/** Returns the sum of the colours up to `run` beyond the band's start, plus `before`, that of whole rounds. */
export function sumWithin(band: BandRecord, run: number, whole: number, total: Rgb): Rgb {
  const bent = (0.5 * run * run) / band.length;
  return {
    red:
      whole * total.red +
      band.before.red +
      run * band.colour.red +
      bent * (band.to.red - band.colour.red),
    green:
      whole * total.green +
      band.before.green +
      run * band.colour.green +
      bent * (band.to.green - band.colour.green),
    blue:
      whole * total.blue +
      band.before.blue +
      run * band.colour.blue +
      bent * (band.to.blue - band.colour.blue),
  };
}

/** Returns the mean colour of the bands around a level, whose integer part counts rounds, over a width of `foot`. */
export function meanColour(
  level: number,
  foot: number,
  bands: readonly BandRecord[],
  buckets: Float32Array,
  total: Rgb,
): Rgb {
  let colour: Rgb = { red: 0, green: 0, blue: 0 };
  for (let end = 0; end < 2; end++) {
    const x = level + (end - 0.5) * foot;
    const whole = Math.floor(x);
    const band = recordAt(bands, bandAt(bands, buckets, x - whole));
    const ends = sumWithin(band, x - whole - band.start, whole, total);
    colour = sum(colour, lit(ends, end < 1 ? -1 : 1));
  }
  return { red: colour.red / foot, green: colour.green / foot, blue: colour.blue / foot };
}

/** Further stages that `meanColour` needs. */
export const bandStages = [meanColour, bandAt, sumWithin];

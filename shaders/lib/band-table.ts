/** A sequence of bands as the tables that the kernel reads. */
import type { Linear } from "./colour.ts";

/** A band of a sequence; its colour may run from one edge to the other. */
export interface Band {
  /** In any unit: the sequence is scaled to its whole. */
  readonly width: number;
  readonly colour: Linear;
  readonly to?: Linear;
}

/** Numbers a band: start, length, offset of the next, sums before it, colours at both edges. */
const STRIDE = 12;

/** Equal parts of the sequence whose first band is listed; the kernel has the same number. */
const BUCKETS = 512;

/**
 * `bands`: 12 numbers each; `buckets`: for each of 512 equal parts of the sequence the offset of
 * the band that it begins in; `total`: the colour of the whole sequence in the mean. At least one
 * band; no more than 40 may begin within a bucket.
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
    const next = ((index + 1) % sequence.length) * STRIDE;
    const row = [start, length, next, ...total, ...colour, ...to];
    const added = (channel: 0 | 1 | 2) =>
      total[channel] + 0.5 * length * (colour[channel] + to[channel]);
    total = [added(0), added(1), added(2)];
    start += length;
    return row;
  });
  const buckets = Float32Array.from({ length: BUCKETS }, (_, bucket) => {
    const after = rows.findIndex((row) => (row[0] as number) > bucket / BUCKETS);
    return ((after < 0 ? rows.length : after) - 1) * STRIDE;
  });
  return { bands: Float32Array.from(rows.flat()), buckets, total };
}

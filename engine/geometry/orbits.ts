/** Copies the pixels of an asymmetric unit along their orbits. Copies are exact to the bit. */
import { newNumbers } from "../reused-array.ts";
import type { Size } from "../size.ts";
import { modulo, type PixelOperation, type Run } from "./grid.ts";

/**
 * Copies the pixels of an asymmetric unit to all the tile.
 * @param values one number for each pixel of the runs, in their order
 * @param allocate returns the memory for the picture
 * @returns width × height numbers
 */
export function copyToOrbits(
  values: Float32Array,
  runs: readonly Run[],
  operations: readonly PixelOperation[],
  size: Size,
  allocate = newNumbers,
): Float32Array {
  const pixels = size.width * size.height;
  if (values.length === pixels) return values;
  const picture = allocate(pixels);
  addToOrbits(values, runs, operations, size, picture);
  return picture;
}

/** Copies the pixels of an asymmetric unit to a picture, where operations map them; others stay as they are. */
export function addToOrbits(
  values: Float32Array,
  runs: readonly Run[],
  operations: readonly PixelOperation[],
  size: Size,
  picture: Float32Array,
): void {
  const { width, height } = size;
  const inRows = operations.filter(({ c }) => c === 0);
  const inColumns = operations.filter(({ c }) => c !== 0);
  let first = 0;
  const placed = runs.map((run) => {
    const placed = { ...run, first };
    first += run.to - run.from;
    return placed;
  });
  for (const operation of inColumns) copyToColumns(values, placed, operation, size, picture);
  for (const { y, from, to, first } of placed) {
    const end = first + to - from;
    for (const { a, b, d, e, f } of inRows) {
      let x = modulo(a * from + b * y + e, width);
      const row = modulo(d * y + f, height) * width;
      for (let k = first; k < end; ) {
        const stop = Math.min(end, k + (a === 1 ? width - x : x + 1));
        let at = row + x;
        if (a === 1) picture.set(values.subarray(k, stop), at);
        else for (let i = k; i < stop; i++, at--) picture[at] = values[i];
        // It goes on at the opposite side.
        x = modulo(x + a * (stop - k), width);
        k = stop;
      }
    }
  }
}

interface PlacedRun extends Run {
  /** Index of the value of its first pixel. */
  readonly first: number;
}

/** Runs that are copied together to adjacent columns, which share lines of the processor's cache. */
const COLUMNS = 32;

/** Copies runs to columns of a picture. */
function copyToColumns(
  values: Float32Array,
  runs: readonly PlacedRun[],
  { b, c, e, f }: PixelOperation,
  { width, height }: Size,
  picture: Float32Array,
): void {
  // Of rows with several runs, those at about the same x.
  const isFirst = (at: number) => runs[at].y !== runs[at - 1]?.y;
  const alike = [runs.filter((_, at) => isFirst(at)), runs.filter((_, at) => !isFirst(at))];
  for (const some of alike.flatMap((runs) => inGroups(runs, COLUMNS))) {
    const columns = Int32Array.from(some, ({ y }) => modulo(b * y + e, width));
    const froms = Int32Array.from(some, ({ from }) => from);
    const ends = Int32Array.from(some, ({ to }) => to);
    /** What is added to x for the index of its value. */
    const starts = Int32Array.from(some, ({ first, from }) => first - from);
    const [inAll, untilAll] = [Math.max(...froms), Math.min(...ends)];
    const last = Math.max(...ends);
    for (let x = Math.min(...froms); x < last; x++) {
      const at = modulo(c * x + f, height) * width;
      if (x >= inAll && x < untilAll) {
        for (let run = 0; run < columns.length; run++) {
          picture[at + columns[run]] = values[starts[run] + x];
        }
      } else {
        for (let run = 0; run < columns.length; run++) {
          if (x >= froms[run] && x < ends[run])
            picture[at + columns[run]] = values[starts[run] + x];
        }
      }
    }
  }
}

function inGroups<Item>(items: readonly Item[], length: number): Item[][] {
  const count = Math.ceil(items.length / length);
  return Array.from({ length: count }, (_, at) => items.slice(at * length, (at + 1) * length));
}

/**
 * The values of a picture at the pixels of runs, in their order: what `copyToOrbits` takes. Pixels
 * that an operation maps within their own row get one value, so that copying makes any picture
 * that is nearly symmetric exactly so.
 */
export function valuesInRuns(
  picture: Float32Array,
  runs: readonly Run[],
  operations: readonly PixelOperation[],
  { width, height }: Size,
): Float32Array {
  const values = new Float32Array(runs.reduce((sum, { from, to }) => sum + to - from, 0));
  let first = 0;
  for (const { y, from, to } of runs) {
    const row = picture.slice(y * width, (y + 1) * width);
    for (const { a, b, c, d, e, f } of operations) {
      if (c === 0) continue;
      const x = modulo((y - d * y - f) / c, height);
      const image = modulo(a * x + b * y + e, width);
      const orbit = [x, image].map((at) => row[at]);
      row[x] = row[image] = Math.min(...orbit);
    }
    values.set(row.subarray(from, to), first);
    first += to - from;
  }
  return values;
}

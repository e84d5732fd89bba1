/**
 * How a picture goes on beyond its edges without any symmetry of its own: as copies side by side,
 * as it stands, that begin at ever other places inside it, so that no translation takes one after
 * the other onto the next. Mirror images would put mirrors where a group has none (docs/adr/0036).
 */
import type { LinearRows } from "./light.ts";

/**
 * Right behind an edge the picture turns back on itself, drawn out to twice its length, so that it
 * goes on without a break and yet is no mirror image. From one of these shares of its shorter side
 * to the other that fades into a copy.
 */
const FADE_FROM = 0.06;
const FADE_TO = 0.2;
const DRAWN_OUT = 2;
/** The first copy leaves out this share of the picture, and later ones up to the other. */
const LEAST_LEFT_OUT = 0.1;
const MOST_LEFT_OUT = 0.35;
/** Multiples of it never repeat modulo 1, and lie as evenly as can be. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** A pixel that is mixed into what stands at a place: the value goes this share of the way to it. */
interface PixelShare {
  readonly at: number;
  readonly pixel: number;
  readonly share: number;
}

/** Which pixels of a row, or rows of a picture, stand at a stretch of places. */
interface ContinuedAxis {
  readonly pixels: Int32Array;
  /** In order; several may belong to one place. */
  readonly mixed: readonly PixelShare[];
}

/**
 * The pixels that stand at `count` places from `start`, in a row of `size` pixels that goes on.
 * @param shorter side of the picture, in pixels
 */
function continueAxis(start: number, count: number, size: number, shorter: number): ContinuedAxis {
  const pixels = new Int32Array(count);
  const mixed: PixelShare[] = [];
  for (let at = 0; at < count; at++) {
    const place = start + at;
    if (place >= 0 && place < size) {
      pixels[at] = place;
      continue;
    }
    const isAfter = place >= size;
    // Before the picture all is as behind it, counted from its other end.
    const fromEnd = (pixel: number) => (isAfter ? pixel : size - 1 - pixel);
    const { pixel, away } = inCopies(isAfter ? place - size : -1 - place, size);
    pixels[at] = fromEnd(pixel);
    const share = shareOfTurned((away + 0.5) / shorter);
    if (share === 0) continue;
    const deep = Math.max(0, (away + 0.5) / DRAWN_OUT - 0.5);
    const [near, between] = [Math.floor(deep), deep - Math.floor(deep)];
    const farther = share * between;
    const turned = (depth: number) => fromEnd(Math.max(0, size - 1 - depth));
    mixed.push({ at, pixel: turned(near), share: (share - farther) / (1 - farther) });
    if (farther > 0) mixed.push({ at, pixel: turned(near + 1), share: farther });
  }
  return { pixels, mixed };
}

/** How much of the turned picture there is at a distance from an edge; 1 on it. */
function shareOfTurned(distance: number): number {
  const t = Math.min(1, Math.max(0, (distance - FADE_FROM) / (FADE_TO - FADE_FROM)));
  return 1 - t * t * (3 - 2 * t);
}

/** The pixel so many pixels behind the picture's end, and how far its copy's start is away. */
function inCopies(behind: number, size: number) {
  let away = behind;
  for (let copy = 0; ; copy++) {
    const spread = (MOST_LEFT_OUT - LEAST_LEFT_OUT) * ((copy * GOLDEN) % 1);
    const leftOut = Math.floor((LEAST_LEFT_OUT + spread) * size);
    if (away < size - leftOut) return { pixel: leftOut + away, away };
    away -= size - leftOut;
  }
}

/** Rows of a picture that goes on in all directions. */
export interface ContinuedRows {
  /** Writes the pixels of one of the rows, for all columns, into `into`. */
  read(row: number, into: Float64Array): void;
}

/** The part of a continued picture in `width` columns from `left`, and in `height` rows from `top`. */
export function continued(
  rows: LinearRows,
  { left, top, width, height }: Readonly<Record<"left" | "top" | "width" | "height", number>>,
): ContinuedRows {
  const { channels } = rows;
  const shorter = Math.min(rows.width, rows.height);
  const across = continueAxis(left, width, rows.width, shorter);
  const down = continueAxis(top, height, rows.height, shorter);
  const mixedColumns = Int32Array.from(across.mixed, ({ pixel }) => pixel);
  const mixedAt = Int32Array.from(across.mixed, ({ at }) => at * channels);
  const shares = Float64Array.from(across.mixed, ({ share }) => share);
  const mixedRows = Map.groupBy(down.mixed, ({ at }) => at);
  const others = new Float64Array(mixedColumns.length * channels);
  const readRow = (row: number, into: Float64Array) => {
    rows.read(row, across.pixels, into);
    if (mixedColumns.length === 0) return;
    rows.read(row, mixedColumns, others);
    for (let n = 0, from = 0; n < shares.length; n++) {
      const share = shares[n];
      const end = mixedAt[n] + channels;
      for (let to = mixedAt[n]; to < end; to++, from++) {
        into[to] += share * (others[from] - into[to]);
      }
    }
  };
  const other = new Float64Array(mixedRows.size > 0 ? width * channels : 0);
  return {
    read(row, into) {
      readRow(down.pixels[row - top], into);
      for (const { pixel, share } of mixedRows.get(row - top) ?? []) {
        readRow(pixel, other);
        for (let k = 0; k < other.length; k++) into[k] += share * (other[k] - into[k]);
      }
    },
  };
}

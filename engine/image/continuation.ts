/**
 * Continues a picture beyond its edges without adding symmetry: with unmirrored copies that each
 * start at a different offset, so that no translation maps the copies onto each other. Mirror images
 * would add mirrors that the group does not have (docs/adr/0036).
 */
import type { LinearRows } from "./linear-rows.ts";

/**
 * Next to an edge the picture is reflected and stretched to twice its length: continuous, yet no
 * mirror image. The reflection fades into a copy between these shares of the shorter side.
 */
const FADE_FROM = 0.06;
const FADE_TO = 0.2;
const STRETCH = 2;
/** Share of the picture that a copy skips at its start. */
const MIN_LEFT_OUT = 0.1;
const MAX_LEFT_OUT = 0.35;
/** Its multiples modulo 1 never repeat and are evenly distributed. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** A pixel blended into position `at`, with weight `share`. */
interface PixelShare {
  readonly at: number;
  readonly pixel: number;
  readonly share: number;
}

/** Source pixels of consecutive positions along one axis. */
interface ContinuedAxis {
  readonly pixels: Int32Array;
  /** Ordered by `at`; a position may have several. */
  readonly mixed: readonly PixelShare[];
}

/**
 * Returns the source pixels of `count` positions from `start`, on an axis of `size` pixels.
 * @param shorter the picture's shorter side in pixels
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
    // The side before the picture mirrors the rules of the side after it.
    const fromEnd = (pixel: number) => (isAfter ? pixel : size - 1 - pixel);
    const { pixel, away } = inCopies(isAfter ? place - size : -1 - place, size);
    pixels[at] = fromEnd(pixel);
    const share = reflectionShare((away + 0.5) / shorter);
    if (share === 0) continue;
    const deep = Math.max(0, (away + 0.5) / STRETCH - 0.5);
    const [near, between] = [Math.floor(deep), deep - Math.floor(deep)];
    const farther = share * between;
    const turned = (depth: number) => fromEnd(Math.max(0, size - 1 - depth));
    mixed.push({ at, pixel: turned(near), share: (share - farther) / (1 - farther) });
    if (farther > 0) mixed.push({ at, pixel: turned(near + 1), share: farther });
  }
  return { pixels, mixed };
}

/** Returns the weight of the reflection at a distance from an edge; 1 at the edge. */
function reflectionShare(distance: number): number {
  const t = Math.min(1, Math.max(0, (distance - FADE_FROM) / (FADE_TO - FADE_FROM)));
  return 1 - t * t * (3 - 2 * t);
}

/**
 * Returns the pixel shown `behind` pixels after the picture's end, and its distance from the start of
 * its copy.
 */
function inCopies(behind: number, size: number) {
  let away = behind;
  for (let copy = 0; ; copy++) {
    const spread = (MAX_LEFT_OUT - MIN_LEFT_OUT) * ((copy * GOLDEN) % 1);
    const leftOut = Math.floor((MIN_LEFT_OUT + spread) * size);
    if (away < size - leftOut) return { pixel: leftOut + away, away };
    away -= size - leftOut;
  }
}

/** Rows of a continued picture. */
export interface ContinuedRows {
  /** Writes all pixels of `row` to `into`. */
  read(row: number, into: Float64Array): void;
}

/** Returns the rows of a rectangle of the continued picture. */
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

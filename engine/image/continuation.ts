/**
 * Continues a picture beyond its edges without adding symmetry: with unmirrored copies that each
 * start at a different offset, so that no translation maps the copies onto each other. Mirror images
 * would add mirrors that the group does not have (docs/adr/0036).
 */
import { mixPacked } from "./packed.ts";
import type { PackedImage, PackedRow, Region } from "./picture.ts";

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

/** A position between two pixels, which is blended into position `at` with weight `share`. */
interface PixelShare {
  readonly at: number;
  readonly near: number;
  readonly far: number;
  /** Weight of `far` beside `near`. */
  readonly between: number;
  readonly share: number;
}

/** Consecutive positions that show consecutive pixels of the source. */
interface Run {
  readonly at: number;
  readonly pixel: number;
  count: number;
}

/** Source pixels of consecutive positions along one axis. */
interface ContinuedAxis {
  readonly runs: readonly Run[];
  /** Ordered by `at`. */
  readonly mixed: readonly PixelShare[];
}

/**
 * Returns the source pixels of `count` positions from `start`, on an axis of `size` pixels.
 * @param shorter the picture's shorter side in pixels
 */
function continueAxis(start: number, count: number, size: number, shorter: number): ContinuedAxis {
  const runs: Run[] = [];
  const mixed: PixelShare[] = [];
  const add = (at: number, pixel: number) => {
    const run = runs.at(-1);
    if (run !== undefined && run.pixel + run.count === pixel) run.count++;
    else runs.push({ at, pixel, count: 1 });
  };
  for (let at = 0; at < count; at++) {
    const place = start + at;
    if (place >= 0 && place < size) {
      add(at, place);
      continue;
    }
    const isAfter = place >= size;
    // The side before the picture mirrors the rules of the side after it.
    const fromEnd = (pixel: number) => (isAfter ? pixel : size - 1 - pixel);
    const { pixel, away } = inCopies(isAfter ? place - size : -1 - place, size);
    add(at, fromEnd(pixel));
    const share = reflectionShare((away + 0.5) / shorter);
    if (share === 0) continue;
    const deep = Math.max(0, (away + 0.5) / STRETCH - 0.5);
    const near = Math.floor(deep);
    const turned = (depth: number) => fromEnd(Math.max(0, size - 1 - depth));
    const between = deep - near;
    mixed.push({ at, near: turned(near), far: turned(near + 1), between, share });
  }
  return { runs, mixed };
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
  /** Writes the pixels of `row` to `into`. */
  read(row: number, into: PackedRow): void;
}

/** Returns the rows of a rectangle of the continued picture. */
export function continued(
  picture: PackedImage,
  { x: left, y: top, width, height }: Region,
): ContinuedRows {
  const shorter = Math.min(picture.width, picture.height);
  const across = continueAxis(left, width, picture.width, shorter);
  const down = continueAxis(top, height, picture.height, shorter);
  const pixelOfRow = new Int32Array(height);
  for (const { at, pixel, count } of down.runs) {
    for (let k = 0; k < count; k++) pixelOfRow[at + k] = pixel + k;
  }
  const mixedRows = new Map(down.mixed.map((mixed) => [mixed.at, mixed]));
  const readRow = (row: number, into: PackedRow) => {
    const { colour, alpha } = into;
    const start = row * picture.width;
    for (const { at, pixel, count } of across.runs) {
      const from = start + pixel;
      colour.set(picture.colour.subarray(from, from + count), at);
      if (picture.alpha !== null) alpha?.set(picture.alpha.subarray(from, from + count), at);
    }
    for (const { at, near, far, between, share } of across.mixed) {
      mix(into, at, picture, start + near, picture, start + far, between, share);
    }
  };
  /** Rows that are mixed into others: each is read once and mixed into a few that follow each other. */
  const others: { row: number; readonly pixels: PackedRow }[] = Array.from(
    { length: mixedRows.size > 0 ? 4 : 0 },
    () => ({ row: -1, pixels: newRow(width, picture.alpha !== null) }),
  );
  const otherRow = (row: number) => {
    const known = others.find((other) => other.row === row);
    if (known !== undefined) return known.pixels;
    const oldest = others.shift() as (typeof others)[number];
    oldest.row = row;
    readRow(row, oldest.pixels);
    others.push(oldest);
    return oldest.pixels;
  };
  return {
    read(row, into) {
      readRow(pixelOfRow[row - top], into);
      const mixed = mixedRows.get(row - top);
      if (mixed === undefined) return;
      const [near, far] = [otherRow(mixed.near), otherRow(mixed.far)];
      for (let at = 0; at < width; at++) {
        mix(into, at, near, at, far, at, mixed.between, mixed.share);
      }
    },
  };
}

const newRow = (width: number, hasAlpha: boolean): PackedRow => ({
  colour: new Float32Array(width),
  alpha: hasAlpha ? new Uint8Array(width) : null,
});

/** Mixes `share` of a position between two pixels into a pixel, in linear light. */
function mix(
  into: PackedRow,
  at: number,
  near: PackedRow,
  nearAt: number,
  far: PackedRow,
  farAt: number,
  between: number,
  share: number,
): void {
  let [one, two, three] = [1 - share, share * (1 - between), share * between];
  if (into.alpha !== null && near.alpha !== null && far.alpha !== null) {
    one *= into.alpha[at];
    two *= near.alpha[nearAt];
    three *= far.alpha[farAt];
    const sum = one + two + three;
    into.alpha[at] = Math.floor(sum + 0.5);
    if (sum === 0) return;
    one /= sum;
    two /= sum;
    three /= sum;
  }
  into.colour[at] = mixPacked(
    into.colour[at],
    one,
    near.colour[nearAt],
    two,
    far.colour[farAt],
    three,
  );
}

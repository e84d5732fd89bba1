/** Which pixels of a picture continue it beyond its edges, along each axis. */
import type { Size } from "../size.ts";
import { WHOLE_WEIGHT } from "./mix-light.ts";
import type { Region } from "./picture.ts";

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

/** Consecutive positions that show consecutive pixels of the source. */
export interface Run {
  readonly at: number;
  readonly pixel: number;
  readonly count: number;
}

/** Consecutive positions next to the start of a copy, which the reflection fades into. */
interface Fade {
  readonly at: number;
  readonly count: number;
  /** Distance of the first position from the start of its copy, in whole pixels. */
  readonly away: number;
  /** Change of that distance along the axis: 1 after the picture, −1 before it. */
  readonly step: 1 | -1;
}

/** Source pixels of consecutive positions along one axis. */
interface ContinuedAxis {
  readonly runs: readonly Run[];
  /** Ordered by `at`. */
  readonly fades: readonly Fade[];
}

/**
 * Returns the source pixels of `count` positions from `start`, on an axis of `size` pixels.
 * @param shorter the picture's shorter side in pixels
 */
export function continueAxis(
  start: number,
  count: number,
  size: number,
  shorter: number,
): ContinuedAxis {
  const end = start + count;
  const faded = Math.ceil(FADE_TO * shorter);
  const runs: Run[] = [];
  const before: Fade[] = [];
  const after: Fade[] = [];
  const add = (first: number, last: number, pixelOfFirst: number) => {
    const from = Math.max(first, start);
    const to = Math.min(last, end);
    if (from < to)
      runs.push({ at: from - start, pixel: pixelOfFirst + from - first, count: to - from });
  };
  add(0, size, 0);
  // Copies at equal distances before and after the picture mirror each other.
  for (let copy = 0, near = 0; near < Math.max(-start, end - size); copy++) {
    const leftOut = leftOutOf(copy, size);
    const far = near + size - leftOut;
    add(-far, -near, 0);
    add(size + near, size + far, leftOut);
    const last = Math.min(far, near + faded);
    const [from, to] = [Math.max(-last, start), Math.min(-near, end)];
    if (from < to) {
      before.unshift({ at: from - start, count: to - from, away: -1 - from - near, step: -1 });
    }
    const [first, stop] = [Math.max(size + near, start), Math.min(size + last, end)];
    if (first < stop) {
      after.push({ at: first - start, count: stop - first, away: first - size - near, step: 1 });
    }
    near = far;
  }
  return { runs, fades: [...before, ...after] };
}

/** Returns the pixels that a copy skips at its start. */
function leftOutOf(copy: number, size: number): number {
  const spread = (MAX_LEFT_OUT - MIN_LEFT_OUT) * ((copy * GOLDEN) % 1);
  return Math.floor((MIN_LEFT_OUT + spread) * size);
}

/** Returns how many pixels deep the reflection is at a distance from the start of a copy. */
const depthAt = (away: number) => Math.max(0, (away + 0.5) / STRETCH - 0.5);

/** Returns the pixel at a depth from the end after which a copy begins. */
const reflectedPixel = (depth: number, { step }: Fade, size: number) =>
  step === 1 ? Math.max(0, size - 1 - depth) : Math.min(size - 1, depth);

/** Adjacent pixels, or rows, `near` and `far` that are mixed into the ones at positions `at`. */
export interface Mixes {
  /** Ascending. */
  readonly at: Int32Array;
  readonly near: Int32Array;
  readonly far: Int32Array;
  /** Three for each position: of what is there, of `near` and of `far`. Their sum is `WHOLE_WEIGHT`. */
  readonly weights: Int32Array;
}

/** Returns the mixes from index `from` to `to` − 1, in the same memory. */
const sliceOf = ({ at, near, far, weights }: Mixes, from: number, to: number): Mixes => ({
  at: at.subarray(from, to),
  near: near.subarray(from, to),
  far: far.subarray(from, to),
  weights: weights.subarray(3 * from, 3 * to),
});

/** Returns what is mixed into the positions of fades. */
export function mixesOf(fades: readonly Fade[], size: number, shorter: number): Mixes {
  const most = fades.reduce((sum, { count }) => sum + count, 0);
  const mixes = {
    at: new Int32Array(most),
    near: new Int32Array(most),
    far: new Int32Array(most),
    weights: new Int32Array(3 * most),
  };
  let made = 0;
  for (const fade of fades) {
    for (let k = 0, away = fade.away; k < fade.count; k++, away += fade.step) {
      const share = reflectionShare((away + 0.5) / shorter);
      if (share === 0) continue;
      const depth = depthAt(away);
      const near = Math.floor(depth);
      const between = depth - near;
      mixes.at[made] = fade.at + k;
      mixes.near[made] = reflectedPixel(near, fade, size);
      mixes.far[made] = reflectedPixel(near + 1, fade, size);
      const ofNear = Math.round(share * (1 - between) * WHOLE_WEIGHT);
      const ofFar = Math.round(share * between * WHOLE_WEIGHT);
      mixes.weights.set([WHOLE_WEIGHT - ofNear - ofFar, ofNear, ofFar], 3 * made);
      made++;
    }
  }
  return sliceOf(mixes, 0, made);
}

/** Returns the weight of the reflection at a distance from an edge; 1 at the edge. */
function reflectionShare(distance: number): number {
  const t = Math.min(1, Math.max(0, (distance - FADE_FROM) / (FADE_TO - FADE_FROM)));
  return 1 - t * t * (3 - 2 * t);
}

/** Returns the number of the first mix at a position or after it. */
export function firstMixFrom({ at }: Mixes, position: number): number {
  let [low, high] = [0, at.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at[middle] < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Blocks of a picture along both axes; a pixel is needed if both its column and its row are. */
export interface NeededBlocks {
  readonly columns: Uint8Array;
  readonly rows: Uint8Array;
}

/**
 * Returns the blocks of `side` × `side` pixels of a picture that a region shows, of the picture itself and of
 * what continues it.
 */
export function blocksShown({ width, height }: Size, region: Region, side: number): NeededBlocks {
  const shorter = Math.min(width, height);
  const shown = (start: number, count: number, size: number) => {
    const blocks = new Uint8Array(Math.ceil(size / side));
    const show = (first: number, last: number) =>
      blocks.fill(1, Math.floor(first / side), Math.floor(last / side) + 1);
    const { runs, fades } = continueAxis(start, count, size, shorter);
    for (const { pixel, count } of runs) show(pixel, pixel + count - 1);
    for (const fade of fades) {
      const ends = [fade.away, fade.away + (fade.count - 1) * fade.step].map(depthAt);
      const pixels = [Math.floor(Math.min(...ends)), Math.floor(Math.max(...ends)) + 1].map(
        (depth) => reflectedPixel(depth, fade, size),
      );
      show(Math.min(...pixels), Math.max(...pixels));
    }
    return blocks;
  };
  return {
    columns: shown(region.x, region.width, width),
    rows: shown(region.y, region.height, height),
  };
}

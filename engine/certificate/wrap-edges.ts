/** Seam detection: whether a picture continues across its wrap edges, and how visible they are. */

import type { ByteImage } from "../image/picture.ts";
import type { SeamScore } from "./certificate.ts";

/** Lines to sample across each edge. */
const MAX_LINES = 512;
/** Lower bound of the mean step inside, in 8-bit steps, so that smooth pictures get no huge score. */
const MIN_STEP = 0.25;
/** Segments of an edge, each compared with the same rows or columns inside. */
const SEGMENTS = 32;
/**
 * How much higher an edge may rank than the highest line inside. JPEG, which does not wrap around edges,
 * adds 0.05; a photograph that is cut off has 0.09 or more.
 */
const RANK_TOLERANCE = 0.07;

/** Largest shift of one edge along the other, in pixels and as a share of their length. */
const MAX_SHIFT = 16;
const MAX_SHIFT_SHARE = 1 / 8;
/** Ratio of the steps after and before the best shift, below which an edge meets better shifted … */
const MEETS_BETTER = 0.7;
/** … if few of the lines inside have a ratio below this. */
const HARDLY_BETTER = 0.9;
/** Lines inside to compare. */
const COMPARED_LINES = 64;

/** Statistics of one pair of opposite edges. */
interface WrapEdge {
  /** Mean step across the edge divided by the mean step inside; null if there is no inside. */
  readonly score: number | null;
  /**
   * Whether the edge ranks no higher than the sharpest line inside, and meets its opposite edge
   * without a shift.
   */
  readonly meets: boolean;
}

/** Statistics of both pairs of edges. */
export interface WrapEdges {
  readonly across: WrapEdge;
  readonly down: WrapEdge;
  readonly score: SeamScore;
}

/** Compares the steps across the wrap edges with the steps inside. */
export function wrapEdges(image: ByteImage): WrapEdges {
  const across = wrapEdge(image, "across");
  const down = wrapEdge(image, "down");
  return {
    across,
    down,
    score: {
      left_right: across.score,
      top_bottom: down.score,
      seamless: across.meets && down.meets,
    },
  };
}

/**
 * Ranks the step from each column of pixels to the next among all columns, in each segment of rows, and
 * averages the ranks over segments: one strong outline inside does not hide a fine seam.
 */
function wrapEdge(image: ByteImage, direction: "across" | "down"): WrapEdge {
  const { along, segments, sums } = meanSteps(image, direction);
  if (along === 1) return { score: null, meets: true };
  const totals = new Float64Array(along);
  for (let at = 0; at < sums.length; at++) totals[at % along] += sums[at];
  const last = along - 1;
  const total = totals.subarray(0, last).reduce((sum, value) => sum + value, 0);
  const mean = Math.max(MIN_STEP, total / segments / last);
  const edge = totals[last] / segments;
  // Ranks take long to find; an edge with a mean step stands out nowhere.
  const isUsual = edge <= mean + MIN_STEP || ranksAmongOthers(meanRanks(sums, along));
  return { score: edge / mean, meets: isUsual && !isShifted(image, direction) };
}

/** Whether the last of some ranks is no higher than the highest of the others. */
function ranksAmongOthers(ranks: Float64Array): boolean {
  const last = ranks.length - 1;
  const highest = ranks.subarray(0, last).reduce((most, value) => Math.max(most, value));
  return ranks[last] <= highest + RANK_TOLERANCE;
}

/** Returns the rank of each step among those of its segment, averaged over the segments. */
function meanRanks(sums: Float64Array, along: number): Float64Array {
  const segments = sums.length / along;
  const ranks = new Float64Array(along);
  for (let start = 0; start < sums.length; start += along) {
    const steps = sums.subarray(start, start + along);
    const sorted = steps.toSorted();
    for (let i = 0; i < along; i++) ranks[i] += rankIn(sorted, steps[i]) / segments;
  }
  return ranks;
}

/**
 * Returns the mean absolute step from each line of pixels to the next, for each segment of the edge.
 * The last line's step is that across the edge.
 */
function meanSteps({ width, height, channels, pixels }: ByteImage, direction: "across" | "down") {
  const along = direction === "across" ? width : height;
  const lines = direction === "across" ? height : width;
  const toNext = direction === "across" ? channels : width * channels;
  const toLine = direction === "across" ? width * channels : channels;
  const stride = Math.ceil(lines / MAX_LINES);
  const sampled = Math.ceil(lines / stride);
  const segments = Math.min(SEGMENTS, sampled);
  const sums = new Float64Array(along * segments);
  const counts = new Float64Array(segments);
  const segmentOf = Int32Array.from({ length: sampled }, (_, n) =>
    Math.floor((n * segments) / sampled),
  );
  for (const segment of segmentOf) counts[segment] += channels;
  // Both in the order of memory, in which the pixels of a line lie side by side or one below the other.
  if (direction === "across") {
    for (let n = 0; n < sampled; n++) {
      const first = n * stride * toLine;
      const own = sums.subarray(segmentOf[n] * along, (segmentOf[n] + 1) * along);
      addSteps(pixels, first, first + channels, channels, along - 1, channels, own);
      own[along - 1] += stepBetween(pixels, first + (along - 1) * channels, first, channels);
    }
  } else {
    const steps = new Float64Array(sampled);
    for (let i = 0; i < along; i++) {
      const here = i * toNext;
      const there = i + 1 === along ? 0 : here + toNext;
      steps.fill(0);
      addSteps(pixels, here, there, stride * toLine, sampled, channels, steps);
      for (let n = 0; n < sampled; n++) sums[segmentOf[n] * along + i] += steps[n];
    }
  }
  for (let at = 0; at < sums.length; at++) {
    sums[at] /= counts[Math.floor(at / along)];
  }
  return { along, segments, sums };
}

/** Adds the steps between `count` pixels and as many others, in distances of `by` in both cases. */
function addSteps(
  pixels: Uint8Array,
  first: number,
  other: number,
  by: number,
  count: number,
  channels: 3 | 4,
  sums: Float64Array,
): void {
  for (let n = 0, here = first, there = other; n < count; n++, here += by, there += by) {
    sums[n] += stepBetween(pixels, here, there, channels);
  }
}

/** Returns the sum of the absolute differences of two pixels' channels. */
function stepBetween(pixels: Uint8Array, here: number, there: number, channels: 3 | 4): number {
  const opaque =
    Math.abs(pixels[here] - pixels[there]) +
    Math.abs(pixels[here + 1] - pixels[there + 1]) +
    Math.abs(pixels[here + 2] - pixels[there + 2]);
  return channels === 3 ? opaque : opaque + Math.abs(pixels[here + 3] - pixels[there + 3]);
}

/**
 * Whether opposite edges would meet far better if one were shifted along the other while lines inside
 * would not: a part of the picture has been moved.
 */
function isShifted({ width, height, channels, pixels }: ByteImage, direction: "across" | "down") {
  const along = direction === "across" ? width : height;
  const length = direction === "across" ? height : width;
  const toNext = direction === "across" ? channels : width * channels;
  const toPixel = direction === "across" ? width * channels : channels;
  const step = (line: number, by: number) => {
    const next = line + 1 === along ? 0 : line + 1;
    let sum = 0;
    for (let i = 0; i < length; i++) {
      const here = line * toNext + i * toPixel;
      const there = next * toNext + ((i + by + length) % length) * toPixel;
      sum += stepBetween(pixels, here, there, channels);
    }
    return Math.max(MIN_STEP, sum / length / channels);
  };
  const most = Math.min(MAX_SHIFT, Math.floor(MAX_SHIFT_SHARE * length));
  const [edge, still] = [along - 1, step(along - 1, 0)];
  let [best, least] = [0, still];
  for (let by = -most; by <= most; by++) {
    const moved = step(edge, by);
    if (moved < least) [best, least] = [by, moved];
  }
  if (least > MEETS_BETTER * still) return false;
  const stride = Math.max(1, Math.floor(edge / COMPARED_LINES));
  let [lines, better] = [0, 0];
  for (let line = 0; line < edge; line += stride) {
    lines++;
    if (step(line, best) < HARDLY_BETTER * step(line, 0)) better++;
  }
  return better < (1 - HARDLY_BETTER) * lines;
}

/** Returns the share of sorted values below a value, counting equal ones half. */
function rankIn(sorted: Float64Array, value: number): number {
  return (countBelow(sorted, value, false) + countBelow(sorted, value, true)) / 2 / sorted.length;
}

/** Counts the sorted values below a value, or with `orEqual` those up to it. */
function countBelow(sorted: Float64Array, value: number, orEqual: boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = sorted[middle];
    if (one < value || (orEqual && one === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether a picture goes on where it meets itself, and how visible its edges are there. */
import type { SeamScore, Swatch } from "./certificate.ts";

/** Lines that are looked at across each edge. */
const MAX_LINES = 512;
/** A picture smoother than this inside, in 8-bit steps, is taken to be so. */
const MIN_STEP = 0.25;
/** Stretches of an edge, each of which is held against the same rows or columns inside. */
const SEGMENTS = 32;
/**
 * An edge may rank higher by this than the highest line inside. JPEG, which knows nothing of what
 * lies beyond an edge, brings 0.05; where a photograph is cut off it is 0.09 and more.
 */
const RANK_TOLERANCE = 0.07;

/** How far along one another edges are looked at, in pixels and as a share of their length. */
const MAX_SHIFT = 16;
const MAX_SHIFT_SHARE = 1 / 8;
/** Edges that were moved along one another meet so much better elsewhere … */
const MEETS_BETTER = 0.7;
/** … where lines inside, of which so many are looked at, hardly do. */
const HARDLY_BETTER = 0.9;
const COMPARED_LINES = 64;

/** What is seen at one pair of opposite edges. */
interface WrapEdge {
  /** Mean step across the edge beside the mean step inside; null where there is no inside. */
  readonly score: number | null;
  /**
   * Whether the edge ranks no higher than the sharpest line inside, and meets its opposite where
   * it lies rather than a little farther along.
   */
  readonly meets: boolean;
}

export interface WrapEdges {
  readonly across: WrapEdge;
  readonly down: WrapEdge;
  readonly score: SeamScore;
}

/** Holds the steps across the wrap edges against the steps inside. */
export function wrapEdges(swatch: Swatch): WrapEdges {
  const across = wrapEdge(swatch, "across");
  const down = wrapEdge(swatch, "down");
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
 * A line of steps, from one column of pixels to the next, gets its rank among all lines in each
 * stretch of rows, and the mean of these: one strong outline inside does not hide a fine seam
 * beside it.
 */
function wrapEdge(swatch: Swatch, direction: "across" | "down"): WrapEdge {
  const { along, segments, sums } = meanSteps(swatch, direction);
  const totals = new Float64Array(along);
  const ranks = new Float64Array(along);
  for (let segment = 0; segment < segments; segment++) {
    const steps = sums.subarray(segment * along, (segment + 1) * along);
    const sorted = steps.toSorted();
    for (let i = 0; i < along; i++) {
      const step = steps[i] as number;
      totals[i] = (totals[i] as number) + step;
      ranks[i] = (ranks[i] as number) + rankIn(sorted, step) / segments;
    }
  }
  if (along === 1) return { score: null, meets: true };
  const total = totals.subarray(0, along - 1).reduce((sum, value) => sum + value, 0);
  const mean = Math.max(MIN_STEP, total / segments / (along - 1));
  const edge = (totals[along - 1] as number) / segments;
  const rank = ranks[along - 1] as number;
  const highest = ranks.subarray(0, along - 1).reduce((most, value) => Math.max(most, value));
  return {
    score: edge / mean,
    meets:
      (edge <= mean + MIN_STEP || rank <= highest + RANK_TOLERANCE) &&
      !isShifted(swatch, direction),
  };
}

/**
 * Mean absolute steps from each line of pixels to the next, the last being that of the edge, for
 * each stretch of the edge.
 */
function meanSteps({ width, height, channels, pixels }: Swatch, direction: "across" | "down") {
  const along = direction === "across" ? width : height;
  const lines = direction === "across" ? height : width;
  const toNext = direction === "across" ? channels : width * channels;
  const toLine = direction === "across" ? width * channels : channels;
  const stride = Math.ceil(lines / MAX_LINES);
  const sampled = Math.ceil(lines / stride);
  const segments = Math.min(SEGMENTS, sampled);
  const sums = new Float64Array(along * segments);
  const counts = new Float64Array(segments);
  for (let n = 0; n < sampled; n++) {
    const segment = Math.floor((n * segments) / sampled);
    const start = segment * along;
    counts[segment] = (counts[segment] as number) + channels;
    for (let i = 0; i < along; i++) {
      const here = n * stride * toLine + i * toNext;
      const next = n * stride * toLine + (i + 1 === along ? 0 : i + 1) * toNext;
      let step = 0;
      for (let c = 0; c < channels; c++) {
        step += Math.abs((pixels[here + c] as number) - (pixels[next + c] as number));
      }
      sums[start + i] = (sums[start + i] as number) + step;
    }
  }
  for (let at = 0; at < sums.length; at++) {
    sums[at] = (sums[at] as number) / (counts[Math.floor(at / along)] as number);
  }
  return { along, segments, sums };
}

/**
 * Whether opposite edges would meet far better if one were moved along the other, as no line inside
 * would: a part of the picture was moved.
 */
function isShifted({ width, height, channels, pixels }: Swatch, direction: "across" | "down") {
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
      for (let c = 0; c < channels; c++) {
        sum += Math.abs((pixels[here + c] as number) - (pixels[there + c] as number));
      }
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

/** Share of sorted values below one, equal ones counted half. */
function rankIn(sorted: Float64Array, value: number): number {
  return (firstFrom(sorted, value) + firstAbove(sorted, value)) / 2 / sorted.length;
}

const firstFrom = (sorted: Float64Array, value: number) => bisect(sorted, (one) => one >= value);
const firstAbove = (sorted: Float64Array, value: number) => bisect(sorted, (one) => one > value);

function bisect(sorted: Float64Array, isPast: (value: number) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isPast(sorted[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low;
}

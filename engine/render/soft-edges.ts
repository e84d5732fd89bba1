/**
 * Weights with which polygons that tile the plane run into each other: ½ on an edge, 1 and 0 at some
 * distance inside and outside. Around a corner they add up to something else than 1. The share of a
 * picture is the square of its weight times its salience, so that its shapes keep their outlines and
 * overlap, where weights alone would leave a blur.
 */
import type { Point } from "../geometry/affine.ts";
import { boxOf } from "../geometry/window.ts";
import { linearChannel } from "../image/packed.ts";
import type { PixelRect, RowVisitor } from "./coverage.ts";

/**
 * Returns a function that visits the rows of a block in which a simple polygon has a weight.
 * @param reach pixels from an edge to where the weight is 1 or 0
 */
export function createSoftCoverage(block: PixelRect, reach: number) {
  const weights = new Float64Array(block.right - block.left);
  return (corners: readonly Point[], visit: RowVisitor): void => {
    const { min, max } = boxOf(corners, reach);
    const left = Math.max(block.left, Math.floor(min.x));
    const right = Math.min(block.right, Math.ceil(max.x));
    const top = Math.max(block.top, Math.floor(min.y));
    const bottom = Math.min(block.bottom, Math.ceil(max.y));
    if (left >= right) return;
    const edges = edgesOf(corners);
    const near = new Int32Array(corners.length);
    const crossings = new Float64Array(corners.length);
    for (let y = top; y < bottom; y++) {
      const middle = y + 0.5;
      let count = 0;
      for (let edge = 0; edge < edges.length; edge += EDGE_LENGTH) {
        const isNear = edges[edge + LOW] - reach < middle && middle < edges[edge + HIGH] + reach;
        if (isNear) near[count++] = edge;
      }
      const crossed = findCrossings(edges, middle, crossings);
      for (let x = left, passed = 0; x < right; ) {
        while (passed < crossed && crossings[passed] <= x + 0.5) passed++;
        const inside = passed % 2 === 1;
        const distance = Math.sqrt(nearestSquare(edges, near, count, x + 0.5, middle));
        if (distance >= reach) {
          // As far as this no edge comes into reach.
          const end = Math.min(right, x + 1 + Math.floor(distance - reach));
          weights.fill(inside ? 1 : 0, x - left, end - left);
          x = end;
          continue;
        }
        const away = distance / reach;
        const share = 0.5 + 0.25 * away * (3 - away * away);
        weights[x - left] = inside ? share : 1 - share;
        x++;
      }
      visit(y, left, weights, right - left);
    }
  };
}

/** An edge's start, the way to its end, the square of its length, and its least and largest y: its numbers in an array. */
const [X, Y, ACROSS, DOWN, SQUARE, LOW, HIGH] = [0, 1, 2, 3, 4, 5, 6];
const EDGE_LENGTH = 7;

/** Returns the numbers of all edges in one array: with objects V8 collected garbage all the time. */
function edgesOf(corners: readonly Point[]): Float64Array {
  const edges = new Float64Array(EDGE_LENGTH * corners.length);
  corners.forEach((from, k) => {
    const to = corners[(k + 1) % corners.length];
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const [low, high] = [Math.min(from.y, to.y), Math.max(from.y, to.y)];
    edges.set([from.x, from.y, dx, dy, dx * dx + dy * dy, low, high], EDGE_LENGTH * k);
  });
  return edges;
}

/** Writes where a row crosses the polygon, from the left, and returns how often it does. */
function findCrossings(edges: Float64Array, y: number, crossings: Float64Array): number {
  let count = 0;
  for (let edge = 0; edge < edges.length; edge += EDGE_LENGTH) {
    if (!(edges[edge + LOW] <= y && y < edges[edge + HIGH])) continue;
    const x = edges[edge + X] + ((y - edges[edge + Y]) * edges[edge + ACROSS]) / edges[edge + DOWN];
    let at = count++;
    for (; at > 0 && crossings[at - 1] > x; at--) crossings[at] = crossings[at - 1];
    crossings[at] = x;
  }
  return count;
}

/**
 * Returns the square of the distance to the nearest edge.
 * @param near where the edges that come into question begin, `count` of them
 */
function nearestSquare(
  edges: Float64Array,
  near: Int32Array,
  count: number,
  x: number,
  y: number,
): number {
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < count; k++) {
    const edge = near[k];
    const px = x - edges[edge + X];
    const py = y - edges[edge + Y];
    const dx = edges[edge + ACROSS];
    const dy = edges[edge + DOWN];
    const along = Math.min(Math.max((px * dx + py * dy) / edges[edge + SQUARE], 0), 1);
    const ax = px - along * dx;
    const ay = py - along * dy;
    least = Math.min(least, ax * ax + ay * ay);
  }
  return least;
}

/**
 * Salience of the mean colour: where nothing stands out, colours are mixed evenly. On an edge the weight
 * is ½, so that the least share, ¼ · 0.02, is far more than what mosaic.ts takes for a rounding error.
 */
const LEAST = 0.02;

const CHANNELS = [16, 8, 0] as const;

/**
 * Returns a function that returns how much a colour stands out, 0.02…3: the square of its distance
 * from the mean, in square roots of light.
 * @param mean a picture's mean colour, packed
 */
export function createSalience(mean: number) {
  const means = CHANNELS.map((shift) => Math.sqrt(linearChannel(mean, shift)));
  /** @param opacity 0…255 */
  return (packed: number, opacity: number): number => {
    let square = 0;
    for (let channel = 0; channel < 3; channel++) {
      const away = Math.sqrt(linearChannel(packed, CHANNELS[channel])) - means[channel];
      square += away * away;
    }
    return LEAST + (square * opacity) / 255;
  };
}

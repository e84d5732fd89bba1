/** The main colours of a picture and the share of it that each takes. */

import { CHROMA_WEIGHT, type PictureColour } from "../../shaders/effects/effect.ts";
import type { Linear } from "../../shaders/lib/colour.ts";
import { packedOklab } from "./packed.ts";
import type { Samples } from "./samples.ts";

/** Passes of Lloyd's algorithm after the splits. */
const PASSES = 8;

/** Squared distance, summed over a cluster and divided by all pixels, below which it is one colour. */
const ONE_COLOUR = 1e-5;

/** Browsers compute cube roots to a last bit of their own, which shall not decide about a cluster. */
const rounded = (value: number) => Math.round(value * 2 ** 20) / 2 ** 20;

/** Pixels as points with their weights; the chroma is multiplied by `CHROMA_WEIGHT`. */
interface Points {
  readonly count: number;
  /** Three numbers a point. */
  readonly places: Float64Array;
  readonly weights: Float64Array;
}

/**
 * Returns at most `count` colours of a picture in OKLab, the darkest first; none if nothing is visible.
 * The cluster with the largest variance is split along its principal axis (as in M. Orchard and
 * C. Bouman, "Color quantization of images", 1991) until there are enough; Lloyd's algorithm then
 * moves the centres.
 */
export function principalColours(samples: Samples, count: number): PictureColour[] {
  const points = pointsOf(samples);
  const total = points.weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return [];
  const owners = new Uint8Array(points.count);
  const clusters = [clusterOf(points, owners, 0)];
  // Not a field of each cluster: V8 13.6 now and then lets fields of numbers share one value.
  const spreads = new Float64Array(count);
  spreads[0] = spreadOf(points, owners, 0, clusters[0].mean);
  while (clusters.length < count) {
    const at = spreads.indexOf(Math.max(...spreads));
    if (spreads[at] <= ONE_COLOUR * total) break;
    split(points, owners, at, clusters.length, clusters[at].mean);
    for (const n of [at, clusters.length]) {
      clusters[n] = clusterOf(points, owners, n);
      spreads[n] = spreadOf(points, owners, n, clusters[n].mean);
    }
  }
  let means = clusters.map(({ mean }) => mean);
  for (let pass = 0; pass < PASSES; pass++) {
    assign(points, owners, means);
    means = means.map((mean, n) => {
      const moved = clusterOf(points, owners, n);
      return moved.weight > 0 ? moved.mean : mean;
    });
  }
  return means
    .map((mean, n) => ({
      colour: [mean[0], mean[1] / CHROMA_WEIGHT, mean[2] / CHROMA_WEIGHT] as const,
      share: clusterOf(points, owners, n).weight / total,
      spread: deviationOf(points, owners, n, mean[0]),
    }))
    .filter(({ share }) => share > 0)
    .sort((one, other) => one.colour[0] - other.colour[0]);
}

function pointsOf({ colour, alpha }: Samples): Points {
  const places = new Float64Array(3 * colour.length);
  const weights = new Float64Array(colour.length);
  colour.forEach((packed, n) => {
    const [lightness, a, b] = packedOklab(packed);
    places.set([lightness, a * CHROMA_WEIGHT, b * CHROMA_WEIGHT].map(rounded), 3 * n);
    weights[n] = alpha === null ? 1 : alpha[n] / 255;
  });
  return { count: colour.length, places, weights };
}

interface Cluster {
  readonly mean: Linear;
  readonly weight: number;
}

function clusterOf({ count, places, weights }: Points, owners: Uint8Array, owner: number): Cluster {
  let [weight, x, y, z] = [0, 0, 0, 0];
  for (let n = 0; n < count; n++) {
    if (owners[n] !== owner) continue;
    const share = weights[n];
    weight += share;
    x += share * places[3 * n];
    y += share * places[3 * n + 1];
    z += share * places[3 * n + 2];
  }
  return { mean: weight === 0 ? [0, 0, 0] : [x / weight, y / weight, z / weight], weight };
}

/** Returns the sum of weighted squared distances from a cluster's mean. */
function spreadOf(
  { count, places, weights }: Points,
  owners: Uint8Array,
  owner: number,
  [meanX, meanY, meanZ]: Linear,
): number {
  let spread = 0;
  for (let n = 0; n < count; n++) {
    if (owners[n] !== owner) continue;
    const x = places[3 * n] - meanX;
    const y = places[3 * n + 1] - meanY;
    const z = places[3 * n + 2] - meanZ;
    spread += weights[n] * (x * x + y * y + z * z);
  }
  return spread;
}

/** Returns the standard deviation of a cluster's lightness. */
function deviationOf(
  { count, places, weights }: Points,
  owners: Uint8Array,
  owner: number,
  mean: number,
): number {
  let [weight, squares] = [0, 0];
  for (let n = 0; n < count; n++) {
    if (owners[n] !== owner) continue;
    weight += weights[n];
    squares += weights[n] * (places[3 * n] - mean) ** 2;
  }
  return weight === 0 ? 0 : Math.sqrt(squares / weight);
}

/** Splits a cluster at its mean, across its principal axis; one half gets the owner `to`. */
function split(points: Points, owners: Uint8Array, from: number, to: number, mean: Linear): void {
  const { count, places, weights } = points;
  const away = (n: number, axis: Linear) =>
    (places[3 * n] - mean[0]) * axis[0] +
    (places[3 * n + 1] - mean[1]) * axis[1] +
    (places[3 * n + 2] - mean[2]) * axis[2];
  // Power iteration, begun off the axes so that it is at right angles to none of them.
  let axis: Linear = [1, 0.1, 0.1];
  for (let pass = 0; pass < 8; pass++) {
    let [x, y, z] = [0, 0, 0];
    for (let n = 0; n < count; n++) {
      if (owners[n] !== from) continue;
      const share = weights[n] * away(n, axis);
      x += share * (places[3 * n] - mean[0]);
      y += share * (places[3 * n + 1] - mean[1]);
      z += share * (places[3 * n + 2] - mean[2]);
    }
    const length = Math.hypot(x, y, z);
    if (length === 0) break;
    axis = [x / length, y / length, z / length];
  }
  for (let n = 0; n < count; n++) if (owners[n] === from && away(n, axis) > 0) owners[n] = to;
}

/** Assigns every point to the nearest mean. */
function assign({ count, places }: Points, owners: Uint8Array, means: readonly Linear[]): void {
  for (let n = 0; n < count; n++) {
    let least = Number.POSITIVE_INFINITY;
    means.forEach((mean, owner) => {
      const x = places[3 * n] - mean[0];
      const y = places[3 * n + 1] - mean[1];
      const z = places[3 * n + 2] - mean[2];
      const distance = x * x + y * y + z * z;
      if (distance >= least) return;
      least = distance;
      owners[n] = owner;
    });
  }
}

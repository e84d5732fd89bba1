/**
 * Substitution of clusters, as hats and spectres have it: a plain cluster is several plain ones and a
 * double one in a chain, a double cluster lacks one of the plain ones; to begin with, a plain cluster
 * is a tile and a double one is two. Each greater cluster has keys like those of its parts, and is
 * joined to others by them: a corner of a tile, so that all is exact.
 */

import {
  difference,
  joined,
  type Motion,
  moved,
  type Ring,
  type RingNumber,
  STAY,
  turned,
} from "./ring.ts";
import type { Piece } from "./substitution.ts";

export const PLAIN = 0;
const DOUBLE = 1;

export interface Clusters {
  readonly ring: Ring;
  /** The keys of the tile. */
  readonly keys: readonly RingNumber[];
  /** Where the second tile of a double cluster lies. */
  readonly second: Motion;
  /** How each cluster but the first is joined to the one before it. */
  readonly links: readonly Link[];
  /** Which cluster is the double one, and which one a double cluster lacks. */
  readonly double: number;
  readonly lacking: number;
  /** Each key of the greater cluster: of which cluster it is which key. */
  readonly greaterKeys: readonly (readonly [cluster: number, key: number])[];
  /** What is done to a greater cluster as a whole. */
  readonly after: Motion;
}

export interface Link {
  /** How the cluster is turned, counted from the first one. */
  readonly turn: number;
  /** Which key of the cluster before it is met, and by which of its own. */
  readonly key: number;
  readonly by: number;
}

/** The pieces of plain and double clusters, for the tiles and for `count` levels above them. */
export function clusterLevels(clusters: Clusters, count: number): Piece[][][] {
  const tile: Piece = { kind: 0, motion: STAY };
  const levels: Piece[][][] = [[[tile], [tile, { kind: 0, motion: clusters.second }]]];
  let keys = clusters.keys;
  while (levels.length <= count) {
    const motions = chainOf(clusters, keys);
    const pieces = motions.map((motion, k) => ({
      kind: k === clusters.double ? DOUBLE : PLAIN,
      motion,
    }));
    levels.push([pieces, pieces.filter((_, k) => k !== clusters.lacking)]);
    const before = keys;
    keys = clusters.greaterKeys.map(([cluster, key]) =>
      moved(clusters.ring, motions[cluster] as Motion, before[key] as RingNumber),
    );
  }
  return levels;
}

/** Where the clusters with the given keys lie in a greater one. */
function chainOf({ ring, links, after }: Clusters, keys: readonly RingNumber[]): Motion[] {
  let last = STAY;
  const motions = links.map(({ turn, key, by }) => {
    const met = moved(ring, last, keys[key] as RingNumber);
    const own = turned(ring, keys[by] as RingNumber, turn);
    last = { turn, mirrored: false, shift: difference(met, own) };
    return last;
  });
  return [STAY, ...motions].map((motion) => joined(ring, after, motion));
}

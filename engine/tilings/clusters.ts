/**
 * Substitution of clusters for hats and spectres. A plain cluster is a chain of several plain clusters
 * and a double one; a double cluster omits one of the plain ones. At level 0 a plain cluster is one
 * tile and a double cluster two. Clusters of every level are attached at keys, which are corners of tiles,
 * so that all positions are exact.
 */

import {
  applyMotion,
  composeMotions,
  IDENTITY_MOTION,
  type Motion,
  type Ring,
  type RingElement,
  rotate,
  subtract,
} from "./ring.ts";
import type { PatchPiece } from "./substitution.ts";

export const PLAIN = 0;
const DOUBLE = 1;

export interface ClusterRules {
  readonly ring: Ring;
  /** Keys of the tile. */
  readonly keys: readonly RingElement[];
  /** Motion from the first tile of a double cluster to the second. */
  readonly second: Motion;
  /** Attaches each cluster but the first to the one before it. */
  readonly links: readonly ClusterLink[];
  /** Index of the double cluster, and of the one that a double cluster omits. */
  readonly double: number;
  readonly lacking: number;
  /** For each key of the next level's cluster, the cluster and the key of it that it is. */
  readonly greaterKeys: readonly (readonly [cluster: number, key: number])[];
  /** Applied to the next level's cluster as a whole. */
  readonly after: Motion;
}

export interface ClusterLink {
  /** Rotation relative to the first cluster, in steps of the ring. */
  readonly turn: number;
  /** Key of the previous cluster, and the key of this one that coincides with it. */
  readonly key: number;
  readonly by: number;
}

/** Returns the pieces of plain and double clusters, for level 0 and `count` levels above it. */
export function clusterLevels(clusters: ClusterRules, count: number): PatchPiece[][][] {
  const tile: PatchPiece = { kind: 0, motion: IDENTITY_MOTION };
  const levels: PatchPiece[][][] = [[[tile], [tile, { kind: 0, motion: clusters.second }]]];
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
      applyMotion(clusters.ring, motions[cluster], before[key]),
    );
  }
  return levels;
}

/** Returns the motions of clusters with these keys into the next level's cluster. */
function chainOf({ ring, links, after }: ClusterRules, keys: readonly RingElement[]): Motion[] {
  let last = IDENTITY_MOTION;
  const motions = links.map(({ turn, key, by }) => {
    const met = applyMotion(ring, last, keys[key]);
    const own = rotate(ring, keys[by], turn);
    last = { turn, mirrored: false, shift: subtract(met, own) };
    return last;
  });
  return [IDENTITY_MOTION, ...motions].map((motion) => composeMotions(ring, after, motion));
}

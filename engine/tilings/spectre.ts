/**
 * The spectre of Smith, Myers, Kaplan and Goodman-Strauss ("A chiral aperiodic monotile", 2023) with
 * straight edges, Tile(1, 1), by the substitution of their nine clusters. All but Γ have the same
 * layout of eight clusters, one of them a Γ; Γ omits one of them, and at level 0 is the pair of spectres
 * that they call a mystic. Each level mirrors the whole, so that all spectres of a patch have the same
 * chirality.
 */

import { randomSequence } from "../../shaders/lib/random.ts";
import { type ClusterRules, clusterLevels, PLAIN } from "./clusters.ts";
import { cornersAlong, power, TWELFTHS, ZERO } from "./ring.ts";
import { seededPath } from "./seeded-path.ts";
import { substitutionTiling } from "./substitution.ts";
import type { Tiling } from "./tiling.ts";

/**
 * The directions of the fourteen edges in order, in twelfths of a turn. The straight corner between
 * two equal ones counts: with it, spectres meet edge to edge.
 */
const DIRECTIONS = [0, 10, 1, 3, 0, 2, 5, 7, 4, 6, 6, 8, 11, 9];

const CORNERS = cornersAlong(DIRECTIONS.map((k) => power(TWELFTHS, k)));

const CLUSTERS: ClusterRules = {
  ring: TWELFTHS,
  keys: [3, 5, 7, 11].map((corner) => CORNERS[corner]),
  second: { turn: 1, mirrored: false, shift: CORNERS[8] },
  links: [
    { turn: 2, key: 3, by: 1 },
    { turn: 2, key: 2, by: 0 },
    { turn: 4, key: 3, by: 1 },
    { turn: 6, key: 3, by: 1 },
    { turn: 6, key: 2, by: 0 },
    { turn: 8, key: 3, by: 1 },
    { turn: 4, key: 3, by: 3 },
  ],
  double: 7,
  lacking: 2,
  greaterKeys: [
    [6, 2],
    [5, 1],
    [3, 2],
    [0, 1],
  ],
  // z ↦ −z̄.
  after: { turn: 6, mirrored: true, shift: ZERO },
};

/** Each level makes patches √(4 + √15) ≈ 2.81 times as wide; an even number mirrors nothing. */
const LEVELS = 14;

/**
 * First pieces of the path to the origin, which keep it at least 77·2.8^(LEVELS − 5), eight times
 * REACH, from the boundary of the root patch.
 */
const ANCHOR = [7, 2];

/** Spectres with edges of length 1, all of the same chirality. */
export function spectreTiling(seed: number): Tiling {
  const substitution = {
    ring: TWELFTHS,
    classes: [{ id: "spectre", corners: CORNERS }],
    levels: clusterLevels(CLUSTERS, LEVELS),
  };
  const path = seededPath(substitution, PLAIN, ANCHOR, randomSequence(seed));
  return substitutionTiling(substitution, { kind: PLAIN, path });
}

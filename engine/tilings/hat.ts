/**
 * The hat of Smith, Myers, Kaplan and Goodman-Strauss ("An aperiodic monotile", 2023), by the
 * substitution of the clusters H8 and H7: a greater H8 is six H8 and an H7, a greater H7 five H8 and
 * an H7; at level 0, an H8 is a hat and an H7 a hat with a mirrored one. Unlike the substitution
 * of the metatiles H, T, P and F it is exact.
 */

import { randomSequence } from "../../shaders/lib/random.ts";
import { type ClusterRules, clusterLevels, PLAIN } from "./clusters.ts";
import { add, cornersAlong, IDENTITY_MOTION, multiply, power, rotate, TWELFTHS } from "./ring.ts";
import { seededPath } from "./seeded-path.ts";
import { substitutionTiling } from "./substitution.ts";
import type { Tiling } from "./tiling.ts";

/**
 * The fourteen edges in order, by their directions in twelfths of a turn: even ones have length 1,
 * odd ones √3. The straight corner between two equal directions counts: with it, hats meet edge to
 * edge.
 */
const DIRECTIONS = [0, 2, 11, 1, 4, 2, 5, 3, 6, 8, 8, 10, 7, 9];

/** √3·ζᵏ = ζᵏ⁻¹ + ζᵏ⁺¹. */
const CORNERS = cornersAlong(
  DIRECTIONS.map((k) =>
    k % 2 === 0 ? power(TWELFTHS, k) : add(power(TWELFTHS, k - 1), power(TWELFTHS, k + 1)),
  ),
);

/** The mirrored hat of an H7 has its ninth corner where the other hat has its first. */
const MIRRORED = {
  turn: 0,
  mirrored: true,
  shift: multiply(rotate(TWELFTHS, CORNERS[8], 0, true), -1),
};

const CLUSTERS: ClusterRules = {
  ring: TWELFTHS,
  keys: [1, 3, 9, 13].map((corner) => CORNERS[corner]),
  second: MIRRORED,
  links: [
    { turn: 2, key: 0, by: 2 },
    { turn: 4, key: 0, by: 2 },
    { turn: 0, key: 1, by: 1 },
    { turn: 8, key: 2, by: 2 },
    { turn: 10, key: 0, by: 2 },
    { turn: 0, key: 0, by: 2 },
  ],
  double: 3,
  lacking: 6,
  greaterKeys: [
    [1, 3],
    [2, 0],
    [4, 3],
    [6, 0],
  ],
  after: IDENTITY_MOTION,
};

/** Each level makes patches φ² times as wide. */
const LEVELS = 15;

/**
 * First pieces of the path to the origin, which keep it at least 33·φ^(2(LEVELS − 5)), five times
 * REACH, from the boundary of the root patch.
 */
const ANCHOR = [0, 2];

/** Hats with edges of lengths 1 and √3; one in 1 + φ⁴ is mirrored. */
export function hatTiling(seed: number): Tiling {
  const substitution = {
    ring: TWELFTHS,
    classes: [{ id: "hat", corners: CORNERS }],
    levels: clusterLevels(CLUSTERS, LEVELS),
  };
  const path = seededPath(substitution, PLAIN, ANCHOR, randomSequence(seed));
  return substitutionTiling(substitution, { kind: PLAIN, path });
}

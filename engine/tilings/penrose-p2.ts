/**
 * Penrose's kites and darts (P2), by the substitution of halves: each tile is cut along its axis, a
 * half kite of the next level is two half kites and a half dart, a half dart one of each (Robinson's
 * triangles; Grünbaum and Shephard, "Tilings and Patterns", section 10.3). Where two halves meet, the
 * left one represents the tile.
 */

import { randomSequence } from "../../shaders/lib/random.ts";
import {
  add,
  equal,
  IDENTITY_MOTION,
  type RingElement,
  rotate,
  subtract,
  TENTHS,
  ZERO,
} from "./ring.ts";
import { seededPath } from "./seeded-path.ts";
import { type PatchPiece, type Substitution, substitutionTiling } from "./substitution.ts";
import type { Tiling } from "./tiling.ts";

/**
 * Half a kite: its tail, where the angle is 36°, one of its sides, and its head. Half a dart: its
 * tip, with 36° as well, one of its wings, and the corner where it is bent. The long edge runs from
 * the first corner to the second, the axis from the third to the first.
 */
type HalfTriangle = readonly [RingElement, RingElement, RingElement];

const KITE = 0;
const DART = 1;

/** Kinds of patches: kite and dart with the third corner to the left, then both to the right. */
const RIGHT = 2;

const ONE: RingElement = [1, 0, 0, 0];

/** φ·z = (ζ + ζ⁻¹)·z, and z/φ = φ·z − z. */
const enlarged = (z: RingElement) => add(rotate(TENTHS, z, 1), rotate(TENTHS, z, -1));
const reduced = (z: RingElement) => subtract(enlarged(z), z);

/** Returns the triangle of a kind with the long edge `edge` and its first corner at 0. */
function triangleOf(kind: number, edge: RingElement): HalfTriangle {
  const axis = rotate(TENTHS, edge, kind < RIGHT ? 1 : -1);
  return [ZERO, edge, kind % RIGHT === KITE ? axis : reduced(axis)];
}

/** Returns the point that divides a segment so that the part at its start is 1/φ of it. */
const divided = (start: RingElement, end: RingElement) => add(start, reduced(subtract(end, start)));

/** Each level makes patches φ times as wide. */
const LEVELS = 31;

/**
 * First pieces of the path to the origin, which keep it at least 20·φ^(LEVELS − 10), five times REACH,
 * from the boundary of the root patch.
 */
const ANCHOR = [0, 1, 1, 1, 2];

/** Kites and darts; long edges have length 1, short ones 1/φ. */
export function penroseP2Tiling(seed: number): Tiling {
  const substitution = kitesAndDarts();
  const path = seededPath(substitution, KITE, ANCHOR, randomSequence(seed));
  return substitutionTiling(substitution, { kind: KITE, path });
}

function kitesAndDarts(): Substitution {
  const corners = [KITE, DART].map((kind) => {
    const [first, second, third] = triangleOf(kind, ONE);
    return [first, second, third, triangleOf(kind, rotate(TENTHS, ONE, 2))[1]];
  });
  const levels: PatchPiece[][][] = [
    [[{ kind: KITE, motion: IDENTITY_MOTION }], [{ kind: DART, motion: IDENTITY_MOTION }], [], []],
  ];
  let edge = ONE;
  while (levels.length <= LEVELS) {
    const greater = enlarged(edge);
    const below = edge;
    levels.push(
      [KITE, DART, RIGHT + KITE, RIGHT + DART].map((kind) =>
        divisionOf(kind, triangleOf(kind, greater)).map((part) => pieceOf(part, below)),
      ),
    );
    edge = greater;
  }
  const [kite, dart] = corners;
  return {
    ring: TENTHS,
    classes: [
      { id: "kite", corners: kite },
      { id: "dart", corners: dart },
    ],
    levels,
  };
}

interface HalfTile {
  readonly shape: typeof KITE | typeof DART;
  readonly corners: HalfTriangle;
}

/** Returns the halves into which a half of the next level divides. */
function divisionOf(kind: number, [first, second, third]: HalfTriangle): HalfTile[] {
  if (kind % RIGHT === DART) {
    const cut = divided(first, second);
    return [
      { shape: KITE, corners: [first, cut, third] },
      { shape: DART, corners: [second, third, cut] },
    ];
  }
  const cut = divided(second, first);
  const onAxis = divided(first, third);
  return [
    { shape: KITE, corners: [second, cut, onAxis] },
    { shape: KITE, corners: [second, third, onAxis] },
    { shape: DART, corners: [first, onAxis, cut] },
  ];
}

/** Returns a half with this long edge as a moved patch of its kind. */
function pieceOf(
  { shape, corners: [first, second, third] }: HalfTile,
  edge: RingElement,
): PatchPiece {
  for (const kind of [shape, RIGHT + shape]) {
    const own = triangleOf(kind, edge);
    const turn = TENTHS.powers.findIndex(
      (_, k) =>
        equal(add(rotate(TENTHS, own[1], k), first), second) &&
        equal(add(rotate(TENTHS, own[2], k), first), third),
    );
    if (turn >= 0) return { kind, motion: { turn, mirrored: false, shift: first } };
  }
  throw new Error("a half of a kite or dart is no image of its kind");
}

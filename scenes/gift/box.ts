/** A box in wrapping paper: the position of each of its points on the flat sheet. */
import { smoothstep } from "../scalars.ts";
import { toBox } from "../still-life/distances.ts";

/** Half its sides in millimetres: along the paper's tube, up, and across. */
export const HALF = { x: 92, y: 54, z: 68 } as const;

/** Paper that is folded over at each end. */
const FLAP = 64;

/** Signed distance in the box's own axes; its foot is at y = 0. */
export const toWrapped = (x: number, y: number, z: number): number =>
  toBox(x, y - HALF.y, z, HALF.x, HALF.y, HALF.z, 1.4);

/** A point of the paper. */
export interface OnPaper {
  /** Plane part of the paper: 1 top, 2 front, 3 and more flaps of the end. */
  part: number;
  u: number;
  v: number;
  /** Light after the shadows of folds, about 1. */
  light: number;
}

/**
 * Finds the paper at a point of the surface. It is wrapped as a tube around front, top, back and
 * bottom; at the ends the sides are folded in first, then the upper flap down, the lower one up.
 */
export function findPaper(
  x: number,
  y: number,
  z: number,
  normal: { readonly x: number; readonly y: number; readonly z: number },
  into: OnPaper,
): void {
  const across = x + HALF.x + HALF.z;
  into.light = 1;
  if (Math.abs(normal.x) > Math.max(Math.abs(normal.y), Math.abs(normal.z))) {
    findFlap(x > 0 ? 1 : -1, y, z, into);
    return;
  }
  into.u = across;
  // From the back's foot: up the back, over the top, down the front.
  const top = 2 * HALF.y;
  if (normal.y > Math.abs(normal.z)) {
    into.part = 1;
    into.v = top + z + HALF.z;
  } else {
    into.part = 2;
    into.v = z > 0 ? top + 2 * HALF.z + top - y : y;
  }
}

function findFlap(end: 1 | -1, y: number, z: number, into: OnPaper): void {
  const top = 2 * HALF.y;
  const fromFront = HALF.z - z;
  const fromBack = HALF.z + z;
  const fromTop = top - y;
  const inward = Math.min(fromFront, fromBack);
  const lower = Math.min(inward, FLAP) - y;
  const upper = inward - fromTop;
  let depth: number;
  if (lower > 0) {
    into.part = 3;
    depth = y;
    into.v = 2 * top + 2 * HALF.z + fromFront;
    into.light = 1.02 - 0.05 * smoothstep(1.2, 0, lower);
  } else {
    // The lower flap is on top and casts a thin shadow.
    const shadow = 1 - 0.34 * smoothstep(3.2, 0, -lower);
    if (upper > 0) {
      into.part = 4;
      depth = fromTop;
      into.v = top + fromBack;
      into.light = shadow;
    } else {
      const front = fromFront < fromBack;
      into.part = front ? 5 : 6;
      depth = inward;
      into.v = front ? top + 2 * HALF.z + fromTop : y;
      into.light = shadow * (0.97 - 0.2 * smoothstep(2.6, 0, -upper));
    }
  }
  into.u = HALF.z + HALF.x + end * (HALF.x + depth);
}

/** Whether an operation holds, fails, or cannot be told from the pixels that there are. */
import { type Affine, IDENTITY } from "../geometry/affine.ts";
import type { Cell } from "./cells.ts";
import type { Fit } from "./fit.ts";
import type { Surveyed } from "./ground.ts";
import {
  BETWEEN_HOLDS,
  HOLDS,
  PIXELS_HOLD,
  SMALL_CELL,
  SMALL_HOLDS,
  VAGUE_FAILS,
} from "./tolerance.ts";
import type { Size } from "./torus-lattice.ts";

export type Outcome = "holds" | "doubtful" | "fails";

/** Pixels of a primitive cell. */
export function cellPixels({ a, b }: Cell, centred: boolean, { width, height }: Size): number {
  return (Math.abs(a.x * b.y - a.y * b.x) * width * height) / (centred ? 2 : 1);
}

export const isSmall = ({ cell, group }: Fit, size: Size) =>
  cellPixels(cell, group.centred, size) < SMALL_CELL;

/**
 * Judges one operation by its coarse and middle detail, by the places where it differs most, and,
 * where it takes pixels onto pixels, by every single pixel.
 */
export function outcomeOf(
  ground: Surveyed,
  map: Affine,
  relativeError: number,
  small: boolean,
): Outcome {
  if (ground.periods === "plain" || isKnownTranslation(ground, map)) return "holds";
  const { onGrid, between } = ground.agreement(map);
  const isLocal = ground.local(map).error <= ground.localTolerance;
  if (onGrid !== null && between === null) {
    const pixels = onGrid / ground.deviation;
    if (pixels > PIXELS_HOLD) return "fails";
    if (small) return Math.max(pixels, relativeError) > SMALL_HOLDS ? "doubtful" : "holds";
    return relativeError > HOLDS || !isLocal ? "fails" : "holds";
  }
  const isVague = small || (ground.isFine && onGrid === null);
  // Turned between the pixels, a small cell can lose all likeness with itself.
  const refuted = isVague ? VAGUE_FAILS : HOLDS;
  if (relativeError > refuted && !(small && onGrid === null)) return "fails";
  if (!isLocal) return isVague ? "doubtful" : "fails";
  if (relativeError > (small ? SMALL_HOLDS : HOLDS)) return "doubtful";
  return onGrid === null || isClose(ground, { onGrid, between }, small) ? "holds" : "doubtful";
}

/** Whether pixels agree with an operation whose origin lies between them. */
function isClose(
  { deviation }: Surveyed,
  { onGrid, between }: { readonly onGrid: number; readonly between: number | null },
  small: boolean,
): boolean {
  const [grid, interpolated] = [onGrid / deviation, (between ?? onGrid) / deviation];
  if (small) return Math.min(grid, interpolated) <= SMALL_HOLDS;
  return interpolated <= BETWEEN_HOLDS || grid <= PIXELS_HOLD;
}

/** Whether a map is one of the translations that were found, and confirmed, already. */
function isKnownTranslation({ lattice }: Surveyed, { a, b, c, d, e, f }: Affine): boolean {
  if (a !== 1 || b !== 0 || c !== 0 || d !== 1) return false;
  return lattice.dual.every(({ u, v }) => {
    const waves = u * e + v * f;
    return Math.abs(waves - Math.round(waves)) < 1e-9;
  });
}

/** A fitted origin is known to this, in pixels; it moves an image by up to twice as much. */
const ORIGIN = 0.4;

/**
 * Whether a map is an operation of a fitted group, or one of these after a translation of the
 * lattice: where the group holds, so does the map.
 */
export function isOfGroup({ lattice, size }: Surveyed, { operations }: Fit, map: Affine): boolean {
  const {
    basis: [a, b],
    dual: [p, q],
  } = lattice;
  return [IDENTITY, ...operations.map((operation) => operation.map)].some((own) => {
    const turned = Math.abs(own.a - map.a) + Math.abs(own.b - map.b);
    if (turned + Math.abs(own.c - map.c) + Math.abs(own.d - map.d) > 1e-6) return false;
    const [e, f] = [map.e - own.e, map.f - own.f];
    const rest = (waves: number) => waves - Math.round(waves);
    const [i, j] = [rest(p.u * e + p.v * f), rest(q.u * e + q.v * f)];
    const x = (i * a.x + j * b.x) * size.width;
    const y = (i * a.y + j * b.y) * size.height;
    return Math.hypot(x, y) < 2 * ORIGIN;
  });
}

/** The worst outcome of a fitted group's operations. */
export function outcomeOfFit(ground: Surveyed, fit: Fit): Outcome {
  const small = isSmall(fit, ground.size);
  let worst: Outcome = "holds";
  for (const { map, relativeError } of fit.operations) {
    const outcome = outcomeOf(ground, map, relativeError, small);
    if (outcome === "fails") return outcome;
    if (outcome === "doubtful") worst = outcome;
  }
  return worst;
}

/** Checks each operation of a group against the picture's pixels, and describes it in words. */

import { type Affine, IDENTITY } from "../geometry/affine.ts";
import { parsePosition } from "../geometry/isometries.ts";
import type { PlaneGroup } from "../geometry/plane-groups.ts";
import type { ByteImage } from "../image/picture.ts";
import type { Size } from "../size.ts";
import type { OperationCheck } from "./certificate.ts";
import { pixelErrorsOf } from "./compare-pixels.ts";
import type { GroupFit } from "./fit-group.ts";
import type { ImageStatistics } from "./image-statistics.ts";
import { cellPixels } from "./lattice.ts";
import { translationError } from "./spectrum.ts";
import {
  MAX_OFF_GRID_ERROR,
  MAX_PIXEL_ERROR,
  MAX_RELATIVE_ERROR,
  MAX_SMALL_CELL_ERROR,
  MIN_CERTAIN_ERROR,
  SMALL_CELL_PIXELS,
} from "./tolerance.ts";

/** An operation to check; `relativeError` as in `OperationFit`. */
interface OperationCandidate {
  readonly position: string;
  readonly map: Affine;
  readonly relativeError: number;
}

/**
 * Checks the translations that are shorter than the picture, then each operation of a fitted group.
 * @param image with premultiplied colours
 * @param found the fit of the picture's own group, whose operations hold
 */
export async function checkOperations(
  statistics: ImageStatistics,
  image: ByteImage,
  fit: GroupFit,
  found: GroupFit | null,
  checkpoint: () => Promise<void>,
): Promise<OperationCheck[]> {
  const { group } = fit;
  const small = isSmall(fit, statistics.size);
  const errorOf = pixelErrorsOf(image);
  const checked: OperationCheck[] = [];
  for (const wanted of [...translations(statistics, fit), ...fit.operations]) {
    await checkpoint();
    const { position, map, relativeError } = wanted;
    const agreement = statistics.agreement(map);
    const { max, rms, exact } = agreement.map ? errorOf(agreement.map) : agreement.offGrid;
    const local = statistics.local(map);
    const isTranslation = !fit.operations.includes(wanted);
    const isFound = found !== null && isOfGroup(statistics, found, map);
    checked.push({
      operation: position,
      ...(isTranslation
        ? { kind: "translation" as const, words: describeTranslation(position) }
        : describeOperation(position, group, map, statistics.size)),
      generator: isTranslation || group.generators.includes(position),
      holds: isFound || HOLDS_BY_OUTCOME[outcomeOf(statistics, map, relativeError, small)],
      relative_error: relativeError,
      rms_error: rms,
      max_error: max,
      local_error: local.error,
      worst_at: local.at,
      exact,
    });
  }
  return checked;
}

const HOLDS_BY_OUTCOME = { holds: true, doubtful: null, fails: false } as const;

function translations(
  { coarse }: ImageStatistics,
  { cell: { a, b }, group }: GroupFit,
): OperationCandidate[] {
  const steps = [
    { position: "x+1,y", x: a.x, y: a.y },
    { position: "x,y+1", x: b.x, y: b.y },
  ];
  if (group.centred) {
    steps.push({ position: "x+1/2,y+1/2", x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
  }
  return steps
    .filter(({ x, y }) => !(isWhole(x) && isWhole(y)))
    .map(({ position, x, y }) => ({
      position,
      map: { a: 1, b: 0, c: 0, d: 1, e: x, f: y },
      relativeError: translationError(coarse, { x, y }),
    }));
}

const isWhole = (value: number) => Math.abs(value - Math.round(value)) < 1e-9;

export type Outcome = "holds" | "doubtful" | "fails";

export const isSmall = ({ cell, group }: GroupFit, size: Size) =>
  cellPixels(cell, group.centred, size) < SMALL_CELL_PIXELS;

/**
 * Judges an operation by its relative error, by its local error and, if it maps pixel centres to
 * pixel centres, by the error of single pixels.
 */
function outcomeOf(
  statistics: ImageStatistics,
  map: Affine,
  relativeError: number,
  small: boolean,
): Outcome {
  if (statistics.periods === "plain" || isKnownTranslation(statistics, map)) return "holds";
  if (isRefutedByWaves(statistics, relativeError, small)) return "fails";
  const { onGrid, offGrid } = statistics.agreement(map);
  const isLocal = () => statistics.local(map).error <= statistics.localTolerance;
  if (onGrid !== null && offGrid === null) {
    const pixels = onGrid / statistics.deviation;
    if (pixels > MAX_PIXEL_ERROR) return "fails";
    if (small) return Math.max(pixels, relativeError) > MAX_SMALL_CELL_ERROR ? "doubtful" : "holds";
    return relativeError > MAX_RELATIVE_ERROR || !isLocal() ? "fails" : "holds";
  }
  const isUncertain = small || (statistics.isFine && onGrid === null);
  // Interpolation can destroy the detail of a small cell, so a large error alone refutes nothing.
  const refuted = isUncertain ? MIN_CERTAIN_ERROR : MAX_RELATIVE_ERROR;
  if (relativeError > refuted && !(small && onGrid === null)) return "fails";
  if (!isLocal()) return isUncertain ? "doubtful" : "fails";
  if (relativeError > (small ? MAX_SMALL_CELL_ERROR : MAX_RELATIVE_ERROR)) return "doubtful";
  return onGrid === null || isClose(statistics, onGrid, offGrid?.rms ?? onGrid, small)
    ? "holds"
    : "doubtful";
}

/** Whether an operation fails whatever its pixels say: that is known without reading them. */
const isRefutedByWaves = ({ isFine }: ImageStatistics, relativeError: number, small: boolean) =>
  !small && relativeError > (isFine ? MIN_CERTAIN_ERROR : MAX_RELATIVE_ERROR);

/** Whether pixels agree with an operation whose origin is between pixel centres. */
function isClose(
  { deviation }: ImageStatistics,
  onGrid: number,
  offGrid: number,
  small: boolean,
): boolean {
  const [grid, interpolated] = [onGrid / deviation, offGrid / deviation];
  if (small) return Math.min(grid, interpolated) <= MAX_SMALL_CELL_ERROR;
  return interpolated <= MAX_OFF_GRID_ERROR || grid <= MAX_PIXEL_ERROR;
}

/** Whether a map is a translation of the lattice, which single pixels have already confirmed. */
function isKnownTranslation({ lattice }: ImageStatistics, { a, b, c, d, e, f }: Affine): boolean {
  if (a !== 1 || b !== 0 || c !== 0 || d !== 1) return false;
  return lattice.dual.every(({ u, v }) => {
    const waves = u * e + v * f;
    return Math.abs(waves - Math.round(waves)) < 1e-9;
  });
}

/** Precision of a fitted origin in pixels; an error of the origin moves an image by up to twice it. */
const ORIGIN_PRECISION = 0.4;

/**
 * Whether a map is an operation of a fitted group, up to a translation of the lattice: if the group
 * holds, so does the map.
 */
export function isOfGroup(
  { lattice, size }: ImageStatistics,
  { operations }: GroupFit,
  map: Affine,
): boolean {
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
    return Math.hypot(x, y) < 2 * ORIGIN_PRECISION;
  });
}

/** Returns the worst outcome of a fitted group's operations. */
export function outcomeOfFit(statistics: ImageStatistics, fit: GroupFit): Outcome {
  const small = isSmall(fit, statistics.size);
  let worst: Outcome = "holds";
  // Those that fail by themselves come first: no other has to be compared with pixels then.
  const operations = fit.operations.toSorted(
    (one, other) => other.relativeError - one.relativeError,
  );
  for (const { map, relativeError } of operations) {
    const outcome = outcomeOf(statistics, map, relativeError, small);
    if (outcome === "fails") return outcome;
    if (outcome === "doubtful") worst = outcome;
  }
  return worst;
}

type OperationDescription = Pick<OperationCheck, "kind" | "words">;

/** Returns the kind of an operation and a description such as `rotation by 90° clockwise`. */
function describeOperation(
  position: string,
  { centred }: Pick<PlaneGroup, "centred">,
  map: Affine,
  { width, height }: Size,
): OperationDescription {
  const pixels = { ...map, b: (map.b * width) / height, c: (map.c * height) / width };
  if (pixels.a * pixels.d > pixels.b * pixels.c) {
    const angle = degreesOf(Math.atan2(pixels.c - pixels.b, pixels.a + pixels.d), 360);
    if (angle === 0) return { kind: "translation", words: describeTranslation(position) };
    if (angle === 180) return { kind: "rotation", words: "rotation by 180°" };
    const sense = angle < 180 ? `${angle}° clockwise` : `${360 - angle}° anticlockwise`;
    return { kind: "rotation", words: `rotation by ${sense}` };
  }
  const kind = isGlide(position, centred) ? "glide" : "mirror";
  const angle = degreesOf(Math.atan2(pixels.c + pixels.b, pixels.a - pixels.d) / 2, 180);
  const verb = kind === "mirror" ? "mirror in" : "glide along";
  return { kind, words: `${verb} ${lineAt(angle)}` };
}

/** Describes the translation of a position such as `x+1/2,y` as `translation by 1/2 a`. */
function describeTranslation(position: string): string {
  const parts = position
    .split(",")
    .map((part, axis) => ({ edge: "ab"[axis], shift: part.slice(1) }))
    .filter(({ shift }) => shift !== "")
    .map(({ edge, shift }) => (shift === "+1" ? `${edge}` : `${shift.slice(1)} ${edge}`));
  return `translation by ${parts.join(" and ")}`;
}

function lineAt(angle: number): string {
  if (angle === 0) return "a horizontal line";
  if (angle === 90) return "a vertical line";
  return angle < 90 ? `a line falling at ${angle}°` : `a line rising at ${180 - angle}°`;
}

/** Converts to degrees, rounded to a multiple of 15 because strain turns lines a little. */
function degreesOf(radians: number, period: number): number {
  const degrees = (radians * 180) / Math.PI;
  const step = Math.round(degrees / 15) * 15;
  return ((step % period) + period) % period;
}

/** Whether no lattice translation turns the operation into a pure reflection. */
function isGlide(position: string, centred: boolean): boolean {
  const { a, b, c, d, e, f } = parsePosition(position);
  const shifts = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => ({ x, y })));
  const translations = centred
    ? [...shifts, ...shifts.map(({ x, y }) => ({ x: x + 0.5, y: y + 0.5 }))]
    : shifts;
  return translations.every(({ x, y }) => {
    const [p, q] = [e + x, f + y];
    // The square of a reflection is the identity.
    return Math.abs(a * p + b * q + p) + Math.abs(c * p + d * q + q) > 1e-9;
  });
}

/** Explains a certificate's verdict in sentences. */

import { planeGroup } from "../geometry/plane-groups.ts";
import type { GroupName } from "../recipe/index.ts";
import type { Size } from "../size.ts";
import type { Certificate, OperationCheck } from "./certificate.ts";
import type { ImageStatistics } from "./image-statistics.ts";
import { FULL_DETAIL_SIDE } from "./planes.ts";
import { MAX_RELATIVE_ERROR, SMALL_CELL_PIXELS } from "./tolerance.ts";

/** Samples per shortest wave that is compared between pixels. */
const SAMPLES_PER_WAVE = 4;

type Facts = Omit<Certificate, "summary"> & {
  readonly periods: ImageStatistics["periods"];
  readonly unclear: ImageStatistics["unclear"];
  /** A larger group that the pixels neither confirm nor refute. */
  readonly possibleSupergroup: GroupName | null;
  /** Primitive cells of the claim in the picture; null if unknown. */
  readonly claimedCells: number | null;
  /** Pixels of the claimed group's primitive cell. */
  readonly cell: number;
  /** Strain of that cell. */
  readonly cellStrain: number;
  /** Size of the block averages. */
  readonly samples: Size;
  readonly pixels: Size;
};

/** Returns one or two sentences. */
export function summarise(facts: Facts): string {
  if (facts.periods === "plain") {
    return `The picture is of one colour: every operation of ${facts.claimed} holds, and of every other group.`;
  }
  if (facts.verdict === "undecided") return `Not to be told: ${undecided(facts)}`;
  if (facts.verdict === "broken") return `Not ${facts.claimed}: ${broken(facts)}`;
  if (facts.verdict === "valid") {
    return `${valid(facts)}${strained(facts)}${detectionLimits(facts)}${seamWarning(facts)}`;
  }
  if (facts.periods === "stripes") {
    return `More symmetric than claimed: the picture is made of stripes, which any translation along them leaves as they are. All operations of ${facts.claimed} hold.`;
  }
  if (facts.found === facts.claimed) {
    return `More symmetric than claimed: the group is ${facts.claimed}, but on a smaller cell. The picture holds ${facts.lattice?.cells} primitive cells where ${facts.claimedCells} were claimed.`;
  }
  return `More symmetric than claimed: the picture is ${facts.found}, which contains ${facts.claimed}.`;
}

/** A picture can have the symmetry and still show a line where tiles meet. */
function seamWarning({ seam }: Facts): string {
  if (seam.seamless) return "";
  return " Its edges do not meet: side by side, such pictures show lines where they join.";
}

function valid({ claimed, operations }: Facts): string {
  const count = planeGroup(claimed).positions.length;
  if (count === 1) {
    return "This is p1: it repeats, and has no other symmetry.";
  }
  const all = `all ${count} operations`;
  if (operations.every(({ exact, max_error }) => exact && max_error === 0)) {
    return `This is ${claimed}, exactly: ${all} map every pixel onto an equal one.`;
  }
  const worst = Math.max(...operations.map(({ relative_error }) => relative_error));
  if (operations.some(({ exact }) => !exact)) {
    return `This is ${claimed}: ${all} hold, the worst within ${percent(worst)} of the picture's contrast. Not all of them map pixels onto pixels, so they were compared between pixels.`;
  }
  return `This is ${claimed}: ${all} hold, the worst within ${percent(worst)} of the picture's contrast, though not every pixel is equal to its image.`;
}

/** Describes undetectable flaws; empty if every pixel equals its image. */
function detectionLimits({ operations, samples, pixels, patch }: Facts): string {
  if (operations.length === 0) return "";
  if (operations.every(({ exact, max_error }) => exact && max_error === 0)) return "";
  const [across, down] = [Math.round(patch.width), Math.round(patch.height)];
  const finest = Math.round((SAMPLES_PER_WAVE * pixels.width) / samples.width);
  const fine = operations.every(({ exact }) => exact)
    ? ""
    : ` Between pixels, detail finer than ${finest} of them was not compared.`;
  return ` A flaw much smaller than ${across} × ${down} pixels counts as none.${fine}`;
}

function undecided(facts: Facts): string {
  const { claimed, unclear, possibleSupergroup, operations, cell, samples, pixels } = facts;
  if (facts.reason === "edges_do_not_meet") {
    return `opposite edges do not meet, so nothing shows that the picture repeats. ${operations.length > 0 ? `The operations of ${claimed} hold within it. ` : ""}A picture of two periods and more can be certified, or one whose edges meet.`;
  }
  if (unclear === "detail" && samples.width < pixels.width) {
    return `most of the detail is finer than the ${samples.width} × ${samples.height} places in which a picture of this size is compared. A part of it that repeats, of at most ${FULL_DETAIL_SIDE} pixels a side, can be certified.`;
  }
  const larger = "A larger picture of the same pattern can be certified.";
  if (unclear === "detail") return `the detail is of single pixels. ${larger}`;
  if (unclear === "cells") {
    return `the picture may hold cells whose detail is lost between the pixels. ${larger}`;
  }
  const why =
    cell < SMALL_CELL_PIXELS
      ? `a cell has only ${cell.toFixed(0)} pixels, too few`
      : "the detail is too fine where it lies between the pixels";
  const open = operations.find(({ holds }) => holds === null);
  if (open !== undefined) {
    return `${why} to say whether the ${open.words} (${open.operation}) holds. ${larger}`;
  }
  return `the operations of ${claimed} hold, but ${why} to say whether the picture is ${possibleSupergroup} as well. ${larger}`;
}

function strained({ lattice }: Facts): string {
  if (lattice === null || lattice.strain < 1e-6) return "";
  return ` The pixels strain the ${lattice.kind} lattice by ${percent(lattice.strain)}.`;
}

function broken(facts: Facts): string {
  const { claimed, lattice, operations, failing, tolerance } = facts;
  if (facts.reason === "strained") {
    return `it is stretched. Its operations hold only on cells that are ${percent(facts.cellStrain)} off the shape that ${claimed} needs, and ${percent(tolerance.strain)} is allowed.${neededLattice(claimed, lattice)}${actualGroup(facts)}`;
  }
  const failed = operations.find(({ operation }) => operation === failing);
  const reason =
    failed === undefined ? "it does not hold." : `${failure(failed, tolerance.local_error)}.`;
  const inOnePlace = failed !== undefined && failed.relative_error <= MAX_RELATIVE_ERROR;
  const needed = inOnePlace ? "" : neededLattice(claimed, lattice);
  return `${reason}${needed}${actualGroup(facts)}`;
}

function failure(
  { words, operation, relative_error, local_error, rms_error, worst_at }: OperationCheck,
  tolerance: number,
) {
  const named = `the ${words} (${operation}) fails`;
  if (relative_error > MAX_RELATIVE_ERROR) {
    return `${named}; the picture and its image differ by ${percent(relative_error)} of the contrast`;
  }
  if (local_error <= tolerance) {
    return `${named} in the fine detail; single pixels and their images differ by ${rms_error.toFixed(0)} of 255 steps`;
  }
  return `${named} in one place, by ${local_error.toFixed(0)} of 255 steps near (${worst_at.x.toFixed(0)}, ${worst_at.y.toFixed(0)})`;
}

/** Describes the lattice that the claimed group needs, if the picture has another one. */
function neededLattice(claimed: Certificate["claimed"], lattice: Certificate["lattice"]): string {
  const needed = planeGroup(claimed).lattice;
  const isNeeded = needed === "square" || needed === "hexagonal";
  if (lattice === null || !isNeeded || lattice.kind === needed) return "";
  const length = ({ x, y }: { x: number; y: number }) => Math.hypot(x, y).toFixed(1);
  const angle = angleBetween(lattice.a, lattice.b).toFixed(1);
  return ` ${claimed} needs a ${needed} lattice, but the shortest translations are of ${length(lattice.a)} and ${length(lattice.b)} pixels at ${angle}°.`;
}

function angleBetween(a: { x: number; y: number }, b: { x: number; y: number }): number {
  const cos = (a.x * b.x + a.y * b.y) / Math.hypot(a.x, a.y) / Math.hypot(b.x, b.y);
  return (Math.acos(cos) * 180) / Math.PI;
}

function actualGroup({ found, periods, possibleSupergroup }: Facts): string {
  if (periods === "stripes") return " The picture is made of stripes.";
  if (found === null)
    return possibleSupergroup ? ` Whether it is ${possibleSupergroup} cannot be told.` : "";
  return found === "p1" ? " Only its translations hold." : ` What holds is ${found}.`;
}

function percent(share: number): string {
  const value = 100 * share;
  if (value < 0.01) return "0.01 %";
  return `${value < 10 ? value.toPrecision(2) : value.toFixed(0)} %`;
}

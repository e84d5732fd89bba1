/** Computes symmetry certificates: finds the plane group of a picture and compares it with a claim. */
import { planeGroup } from "../geometry/plane-groups.ts";
import type { ByteImage } from "../image/picture.ts";
import type { Certificate, Claim, OperationCheck, Reason, SupergroupCheck } from "./certificate.ts";
import { checkOperations, isSmall, outcomeOfFit } from "./check-operations.ts";
import {
  bestFitOf,
  findGroup,
  findSubgroup,
  fitsOnLattice,
  type PictureGroup,
  T_SUPERGROUPS,
} from "./find-group.ts";
import { fitGroup, type GroupFit } from "./fit-group.ts";
import { type ImageStatistics, imageStatistics, luminanceDeviation } from "./image-statistics.ts";
import {
  type ClaimedCell,
  cellPixels,
  claimedCell,
  describeLattice,
  MAX_TILE_STRAIN,
} from "./lattice.ts";
import { patchSize } from "./local-error.ts";
import { premultiply, SAMPLES_PER_SIDE, samplePlanes } from "./planes.ts";
import { summarise } from "./summary.ts";
import { MAX_PIXEL_ERROR, MAX_RELATIVE_ERROR } from "./tolerance.ts";
import { type WrapEdges, wrapEdges } from "./wrap-edges.ts";

/** A picture and its symmetry, independent of any claim. */
export interface Examination {
  readonly image: ByteImage;
  /** The image with its colours premultiplied. */
  readonly premultiplied: ByteImage;
  readonly statistics: ImageStatistics;
  /** The picture's group; null for one colour, stripes, and detail too fine to analyse. */
  readonly found: PictureGroup | null;
}

/**
 * Certifies the symmetry of a picture that wraps. The group's origin may be anywhere, and its
 * axes may follow either side of a rectangular cell. A picture of one colour, or of stripes, has
 * more symmetry than any plane group: the verdict is `more_symmetric` for each group that holds.
 *
 * Allocates about four planes of 768 × 768 numbers, and a copy of the pixels if there is alpha.
 * @param checkpoint awaited between steps; its rejection aborts the work
 */
export async function certify(
  image: ByteImage,
  claim: Claim,
  checkpoint: () => Promise<void> = async () => undefined,
): Promise<Certificate> {
  return evaluateClaim(await examine(image, checkpoint), claim, checkpoint);
}

/** Finds a picture's lattice and plane group: the part of a certificate that depends on no claim. */
export async function examine(
  image: ByteImage,
  checkpoint: () => Promise<void> = async () => undefined,
): Promise<Examination> {
  const premultiplied = premultiply(image);
  const planes = samplePlanes(premultiplied, SAMPLES_PER_SIDE);
  await checkpoint();
  const statistics = imageStatistics(planes, premultiplied);
  await checkpoint();
  const found = hasGroup(statistics) ? await findGroup(statistics, checkpoint) : null;
  return { image, premultiplied, statistics, found };
}

const hasGroup = ({ periods, unclear }: ImageStatistics) =>
  periods === "lattice" && unclear === null;

/** Certifies a claim about a picture that has been examined. */
export async function evaluateClaim(
  { image, premultiplied, statistics, found }: Examination,
  claim: Claim,
  checkpoint: () => Promise<void> = async () => undefined,
): Promise<Certificate> {
  await checkpoint();
  const claimed = claimedCell(claim, statistics.size);
  const fit = fitClaim(statistics, claim, found, claimed);
  const operations = await checkOperations(
    statistics,
    premultiplied,
    fit,
    found?.fit ?? null,
    checkpoint,
  );
  const failing = worstGenerator(operations);
  const deviation = luminanceDeviation(image);
  const edges = wrapEdges(premultiplied);
  const reason = reasonOf(statistics, claim, found, claimed, { fit, operations, edges });
  const facts = {
    verdict: VERDICT_OF[reason],
    reason,
    claimed: claim.group,
    found: found === null || found.possibleSupergroup ? null : found.fit.group.name,
    failing: statistics.unclear === null ? (failing?.operation ?? null) : null,
    lattice: found === null ? null : describeLattice(statistics, found.fit),
    origin: { x: fit.origin.x * image.width, y: fit.origin.y * image.height },
    operations,
    supergroups: checkSupergroups(statistics, claim),
    patch: patchSize(statistics.planes),
    seam: edges.score,
    deviation,
    counterchange: null,
    contrast_kept: claim.sourceDeviation ? deviation / claim.sourceDeviation : null,
    tolerance: {
      relative_error: MAX_RELATIVE_ERROR,
      local_error: statistics.localTolerance,
      rms_error: MAX_PIXEL_ERROR * statistics.deviation,
      strain: statistics.strainTolerance,
    },
  };
  const claimedCells = claim.cells === "rendered" ? claimed.index : null;
  const { periods, unclear, planes } = statistics;
  const seenAs = { periods, unclear, claimedCells, samples: planes, pixels: statistics.size };
  return {
    ...facts,
    summary: summarise({
      ...facts,
      ...seenAs,
      possibleSupergroup: found?.possibleSupergroup ?? null,
      cell: cellPixels(fit.cell, fit.group.centred, statistics.size),
      cellStrain: fit.cell.strain,
    }),
  };
}

/** Fits the claimed group where it holds, or otherwise where it comes closest. */
function fitClaim(
  statistics: ImageStatistics,
  { group: name, cells }: Claim,
  found: PictureGroup | null,
  { cell }: ClaimedCell,
): GroupFit {
  if (found?.fit.group.name === name) return found.fit;
  const group = planeGroup(name);
  const onClaimed = fitGroup(statistics, group, cell);
  if (found === null) return onClaimed;
  const within = found.fit.group.positions.length >= group.positions.length;
  const subgroup = within ? findSubgroup(statistics, found, group) : null;
  if (subgroup) return subgroup;
  // Strained cells are included, so that the certificate can report strain as the only fault.
  const others = cells === "rendered" ? [] : fitsOnLattice(statistics, group, MAX_TILE_STRAIN);
  return bestFitOf([onClaimed, ...others]) ?? onClaimed;
}

const VERDICT_OF: Readonly<Record<Reason, Certificate["verdict"]>> = {
  holds: "valid",
  larger_group: "more_symmetric",
  smaller_cell: "more_symmetric",
  stripes: "more_symmetric",
  one_colour: "more_symmetric",
  operation_fails: "broken",
  local_flaw: "broken",
  fine_detail_differs: "broken",
  strained: "broken",
  edges_do_not_meet: "undecided",
  detail_too_fine: "undecided",
  cells_too_small: "undecided",
};

interface ClaimEvidence {
  readonly fit: GroupFit;
  readonly operations: readonly OperationCheck[];
  readonly edges: WrapEdges;
}

function reasonOf(
  statistics: ImageStatistics,
  claim: Claim,
  found: PictureGroup | null,
  { index }: ClaimedCell,
  { fit, operations, edges }: ClaimEvidence,
): Reason {
  const { unclear, periods, lattice } = statistics;
  if (unclear !== null) return unclear === "detail" ? "detail_too_fine" : "cells_too_small";
  const failing = worstGenerator(operations);
  if (failing !== null) {
    if (failing.relative_error > MAX_RELATIVE_ERROR) return "operation_fails";
    return failing.local_error > statistics.localTolerance ? "local_flaw" : "fine_detail_differs";
  }
  if (periods === "plain") return "one_colour";
  if (fit.cell.strain > statistics.strainTolerance && claim.cells !== "rendered") return "strained";
  if (found?.possibleSupergroup || operations.some(({ holds }) => holds === null)) {
    return isSmall(fit, statistics.size) ? "cells_too_small" : "detail_too_fine";
  }
  if (claim.cells !== "rendered" && !repeatsAcrossEdges(statistics, edges))
    return "edges_do_not_meet";
  if (periods === "stripes") return "stripes";
  if (found?.fit.group.name !== claim.group) return "larger_group";
  return claim.cells === "rendered" && lattice.index > index ? "smaller_cell" : "holds";
}

/**
 * Whether a picture continues across its edges. A lattice translation by less than the picture has
 * already compared them with its inside; otherwise opposite edges have to meet.
 */
function repeatsAcrossEdges({ lattice }: ImageStatistics, { across, down }: WrapEdges): boolean {
  const [a, b] = lattice.basis;
  return (
    (across.meets || !Number.isInteger(a.x) || !Number.isInteger(b.x)) &&
    (down.meets || !Number.isInteger(a.y) || !Number.isInteger(b.y))
  );
}

/** Returns the worst failing generator; other operations fail only if a generator does. */
function worstGenerator(operations: readonly OperationCheck[]): OperationCheck | null {
  const failing = operations.filter(({ holds }) => holds === false);
  const generators = failing.filter(({ generator }) => generator);
  const [worst] = (generators.length > 0 ? generators : failing).sort(
    (one, other) => other.relative_error - one.relative_error,
  );
  return worst ?? null;
}

/** Checks the minimal supergroups of the claimed group that the picture's lattice allows. */
function checkSupergroups(statistics: ImageStatistics, { group }: Claim): SupergroupCheck[] {
  if (!hasGroup(statistics)) return [];
  return T_SUPERGROUPS[group].flatMap((name) => {
    const larger = planeGroup(name);
    const fits = fitsOnLattice(statistics, larger);
    if (fits.length === 0) return [];
    const error = Math.min(...fits.map(({ worst }) => worst));
    const holds = fits.some((fit) => outcomeOfFit(statistics, fit) === "holds");
    return [{ group: name, relative_error: error, holds }];
  });
}

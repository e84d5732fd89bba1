/** The symmetry certificate: what a picture is, beside what is claimed of it. */
import { planeGroup } from "../geometry/plane-groups.ts";
import type {
  Certificate,
  CheckedOperation,
  CheckedSupergroup,
  Claim,
  Reason,
  Swatch,
} from "./certificate.ts";
import { checkOperations, isSmall, outcomeOfFit } from "./check-operations.ts";
import {
  type Found,
  findGroup,
  findSubgroup,
  fitsOn,
  nearestOf,
  T_SUPERGROUPS,
} from "./find-group.ts";
import { type Fit, fitGroup } from "./fit-group.ts";
import { luminanceDeviation, type Surveyed, survey } from "./image-statistics.ts";
import { type ClaimedCell, cellPixels, claimedCell, foundLattice, MOST_STRAIN } from "./lattice.ts";
import { patchSize } from "./local-error.ts";
import { planesOf, SAMPLES, visible } from "./planes.ts";
import { summarise } from "./summary.ts";
import { HOLDS, PIXELS_HOLD } from "./tolerance.ts";
import { type WrapEdges, wrapEdges } from "./wrap-edges.ts";

/** A picture whose own symmetry is known, whatever is claimed of it. */
export interface Examined {
  readonly swatch: Swatch;
  /** The swatch with its colours premultiplied. */
  readonly seen: Swatch;
  readonly ground: Surveyed;
  /** Its group; null for one colour, stripes, and what is too fine for anything to be said. */
  readonly found: Found | null;
}

/**
 * Certifies the symmetry of one picture that wraps. The group's origin may lie anywhere, and its
 * axes may stand on either side of a rectangular cell. A picture of one colour, or of stripes, has
 * more symmetry than any of the groups; it is `more_symmetric` than each that holds.
 *
 * Takes memory for about four planes of 768 × 768 numbers, and for a copy of the pixels where
 * there is alpha.
 * @param checkpoint awaited between steps; a rejection ends the work
 */
export async function certify(
  swatch: Swatch,
  claim: Claim,
  checkpoint: () => Promise<void> = async () => undefined,
): Promise<Certificate> {
  return judge(await examine(swatch, checkpoint), claim, checkpoint);
}

/** Finds a picture's translations and its group: the part of a certificate that no claim changes. */
export async function examine(
  swatch: Swatch,
  checkpoint: () => Promise<void> = async () => undefined,
): Promise<Examined> {
  const seen = visible(swatch);
  const planes = planesOf(seen, SAMPLES);
  await checkpoint();
  const ground = survey(planes, seen);
  await checkpoint();
  const found = hasGroup(ground) ? await findGroup(ground, checkpoint) : null;
  return { swatch, seen, ground, found };
}

const hasGroup = ({ periods, unclear }: Surveyed) => periods === "lattice" && unclear === null;

/** Holds a claim against an examined picture. */
export async function judge(
  { swatch, seen, ground, found }: Examined,
  claim: Claim,
  checkpoint: () => Promise<void> = async () => undefined,
): Promise<Certificate> {
  await checkpoint();
  const claimed = claimedCell(claim, ground.size);
  const fit = fitClaim(ground, claim, found, claimed);
  const operations = await checkOperations(ground, seen, fit, found?.fit ?? null, checkpoint);
  const failing = worstGenerator(operations);
  const deviation = luminanceDeviation(swatch);
  const edges = wrapEdges(seen);
  const reason = reasonOf(ground, claim, found, claimed, { fit, operations, edges });
  const facts = {
    verdict: VERDICT_OF[reason],
    reason,
    claimed: claim.group,
    found: found === null || found.doubtful ? null : found.fit.group.name,
    failing: ground.unclear === null ? (failing?.operation ?? null) : null,
    lattice: found === null ? null : foundLattice(ground, found.fit),
    origin: { x: fit.origin.x * swatch.width, y: fit.origin.y * swatch.height },
    operations,
    supergroups: checkSupergroups(ground, claim),
    patch: patchSize(ground.planes),
    seam: edges.score,
    deviation,
    contrast_kept: claim.sourceDeviation ? deviation / claim.sourceDeviation : null,
    tolerance: {
      relative_error: HOLDS,
      local_error: ground.localTolerance,
      rms_error: PIXELS_HOLD * ground.deviation,
      strain: ground.strainTolerance,
    },
  };
  const claimedCells = claim.cells === "rendered" ? claimed.index : null;
  const { periods, unclear, planes } = ground;
  const seenAs = { periods, unclear, claimedCells, samples: planes, pixels: ground.size };
  return {
    ...facts,
    summary: summarise({
      ...facts,
      ...seenAs,
      doubtful: found?.doubtful ?? null,
      cell: cellPixels(fit.cell, fit.group.centred, ground.size),
      cellStrain: fit.cell.strain,
    }),
  };
}

/** Lays the claimed group where it holds, or else where it nearly does. */
function fitClaim(
  ground: Surveyed,
  { group: name, cells }: Claim,
  found: Found | null,
  { cell }: ClaimedCell,
): Fit {
  if (found?.fit.group.name === name) return found.fit;
  const group = planeGroup(name);
  const onClaimed = fitGroup(ground, group, cell);
  if (found === null) return onClaimed;
  const within = found.fit.group.positions.length >= group.positions.length;
  const subgroup = within ? findSubgroup(ground, found, group) : null;
  if (subgroup) return subgroup;
  // Strained ones too: that nothing else is wrong is worth knowing.
  const others = cells === "rendered" ? [] : fitsOn(ground, group, MOST_STRAIN);
  return nearestOf([onClaimed, ...others]) ?? onClaimed;
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

interface Checked {
  readonly fit: Fit;
  readonly operations: readonly CheckedOperation[];
  readonly edges: WrapEdges;
}

function reasonOf(
  ground: Surveyed,
  claim: Claim,
  found: Found | null,
  { index }: ClaimedCell,
  { fit, operations, edges }: Checked,
): Reason {
  const { unclear, periods, lattice } = ground;
  if (unclear !== null) return unclear === "detail" ? "detail_too_fine" : "cells_too_small";
  const failing = worstGenerator(operations);
  if (failing !== null) {
    if (failing.relative_error > HOLDS) return "operation_fails";
    return failing.local_error > ground.localTolerance ? "local_flaw" : "fine_detail_differs";
  }
  if (periods === "plain") return "one_colour";
  if (fit.cell.strain > ground.strainTolerance && claim.cells !== "rendered") return "strained";
  if (found?.doubtful || operations.some(({ holds }) => holds === null)) {
    return isSmall(fit, ground.size) ? "cells_too_small" : "detail_too_fine";
  }
  if (claim.cells !== "rendered" && !repeats(ground, edges)) return "edges_do_not_meet";
  if (periods === "stripes") return "stripes";
  if (found?.fit.group.name !== claim.group) return "larger_group";
  return claim.cells === "rendered" && lattice.index > index ? "smaller_cell" : "holds";
}

/**
 * Whether a picture goes on across its edges: a translation that takes them inside has been
 * compared there; else they have to meet.
 */
function repeats({ lattice }: Surveyed, { across, down }: WrapEdges): boolean {
  const [a, b] = lattice.basis;
  return (
    (across.meets || !Number.isInteger(a.x) || !Number.isInteger(b.x)) &&
    (down.meets || !Number.isInteger(a.y) || !Number.isInteger(b.y))
  );
}

/** The generator that fails worst; any other operation fails only where one of these does. */
function worstGenerator(operations: readonly CheckedOperation[]): CheckedOperation | null {
  const failing = operations.filter(({ holds }) => holds === false);
  const generators = failing.filter(({ generator }) => generator);
  const [worst] = (generators.length > 0 ? generators : failing).sort(
    (one, other) => other.relative_error - one.relative_error,
  );
  return worst ?? null;
}

/** The minimal supergroups of the claimed group that the picture's own lattice allows. */
function checkSupergroups(ground: Surveyed, { group }: Claim): CheckedSupergroup[] {
  if (!hasGroup(ground)) return [];
  return T_SUPERGROUPS[group].flatMap((name) => {
    const larger = planeGroup(name);
    const fits = fitsOn(ground, larger);
    if (fits.length === 0) return [];
    const error = Math.min(...fits.map(({ worst }) => worst));
    const holds = fits.some((fit) => outcomeOfFit(ground, fit) === "holds");
    return [{ group: name, relative_error: error, holds }];
  });
}

/** The symmetry certificate: what a picture is, beside what is claimed of it. */
import { planeGroup } from "../geometry/plane-groups.ts";
import { cellsOf } from "./cells.ts";
import type {
  Certificate,
  CheckedOperation,
  CheckedSupergroup,
  Claim,
  Swatch,
} from "./certificate.ts";
import { checkOperations } from "./check-operations.ts";
import { type ClaimedCell, claimedCell } from "./claimed-cell.ts";
import { type Found, findGroup, findSubgroup, fitsOn, nearestOf } from "./find-group.ts";
import { type Fit, fitGroup } from "./fit.ts";
import { foundLattice } from "./found-lattice.ts";
import { type Surveyed, survey } from "./ground.ts";
import { luminanceDeviation } from "./luminance.ts";
import { cellPixels, outcomeOfFit } from "./outcome.ts";
import { planesOf, SAMPLES, visible } from "./planes.ts";
import { summarise } from "./summary.ts";
import { T_SUPERGROUPS } from "./supergroups.ts";
import { HOLDS, PIXELS_HOLD } from "./tolerance.ts";
import { seamScore } from "./wrap-edges.ts";

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
  const fit = fitClaim(ground, claim, found?.fit ?? null, claimed);
  const operations = await checkOperations(ground, seen, fit, checkpoint);
  const failing = worstGenerator(operations);
  const deviation = luminanceDeviation(swatch);
  const facts = {
    verdict: verdictOf(ground, claim, found, claimed, operations),
    claimed: claim.group,
    found: found === null || found.doubtful ? null : found.fit.group.name,
    failing: ground.unclear === null ? failing : null,
    lattice: found === null ? null : foundLattice(ground, found.fit),
    origin: { x: fit.origin.x * swatch.width, y: fit.origin.y * swatch.height },
    operations,
    supergroups: checkSupergroups(ground, claim),
    seam: seamScore(seen),
    deviation,
    contrast_kept: claim.sourceDeviation ? deviation / claim.sourceDeviation : null,
    tolerance: {
      relative_error: HOLDS,
      local_error: ground.localTolerance,
      rms_error: PIXELS_HOLD * ground.deviation,
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
    }),
  };
}

/** Lays the claimed group where it holds, or else where it nearly does. */
function fitClaim(
  ground: Surveyed,
  { group: name, cells }: Claim,
  found: Fit | null,
  { cell }: ClaimedCell,
): Fit {
  if (found?.group.name === name) return found;
  const group = planeGroup(name);
  const onClaimed = fitGroup(ground, group, cell);
  if (found === null) return onClaimed;
  const within = found.group.positions.length >= group.positions.length;
  const subgroup = within ? findSubgroup(ground, group) : null;
  if (subgroup) return subgroup;
  const others = cells === "rendered" ? [] : fitsOn(ground, group);
  return nearestOf([onClaimed, ...others]) ?? onClaimed;
}

function verdictOf(
  { lattice, unclear }: Surveyed,
  claim: Claim,
  found: Found | null,
  { index }: ClaimedCell,
  operations: readonly CheckedOperation[],
): Certificate["verdict"] {
  if (unclear !== null) return "undecided";
  if (operations.some(({ holds }) => holds === false)) return "broken";
  if (found?.doubtful || operations.some(({ holds }) => holds === null)) return "undecided";
  if (found?.fit.group.name !== claim.group) return "more_symmetric";
  return claim.cells === "rendered" && lattice.index > index ? "more_symmetric" : "valid";
}

/** The generator that fails worst; any other operation fails only where one of these does. */
function worstGenerator(operations: readonly CheckedOperation[]): string | null {
  const failing = operations.filter(({ holds }) => holds === false);
  const generators = failing.filter(({ generator }) => generator);
  const [worst] = (generators.length > 0 ? generators : failing).sort(
    (one, other) => other.relative_error - one.relative_error,
  );
  return worst?.operation ?? null;
}

/** The minimal supergroups of the claimed group that the picture's own lattice allows. */
function checkSupergroups(ground: Surveyed, { group }: Claim): CheckedSupergroup[] {
  if (!hasGroup(ground)) return [];
  return T_SUPERGROUPS[group].flatMap((name) => {
    const larger = planeGroup(name);
    if (cellsOf(ground.lattice, larger, ground.size).length === 0) return [];
    const fits = fitsOn(ground, larger);
    const error = Math.min(...fits.map(({ worst }) => worst));
    const holds = fits.some((fit) => outcomeOfFit(ground, fit) === "holds");
    return [{ group: name, relative_error: error, holds }];
  });
}

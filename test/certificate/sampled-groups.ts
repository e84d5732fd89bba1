/** The groups whose certificates a test looks at: some by lot, of either kind of lattice, or all. */
import { GROUP_NAMES, type GroupName } from "../../engine/index.ts";
import { some } from "../helpers/random-subset.ts";

const CLAIMS = 1;

/** @param salt other groups for every one */
export const sampledGroups = (salt = -1) => [
  ...some(GROUP_NAMES.filter(isHexagonal), 2, salt),
  ...some(
    GROUP_NAMES.filter((group) => !isHexagonal(group)),
    3,
    salt,
  ),
];

function isHexagonal(group: GroupName): boolean {
  return /^p[36]/.test(group);
}

/** Groups to claim of a picture of one group: that one, and others. */
export const claimsOf = (truth: GroupName) => [
  truth,
  ...some(
    GROUP_NAMES.filter((group) => group !== truth),
    CLAIMS,
    GROUP_NAMES.indexOf(truth),
  ),
];

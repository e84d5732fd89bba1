/** The groups whose certificates a test looks at: some by lot, or all of them. */
import { GROUP_NAMES, type GroupName } from "../../engine/index.ts";
import { some } from "../helpers/random-subset.ts";

const CLAIMS = 1;
const GROUPS = 5;

export const sampledGroups = () => some(GROUP_NAMES, GROUPS, -1);

/** Groups to claim of a picture of one group: that one, and others. */
export const claimsOf = (truth: GroupName) => [
  truth,
  ...some(
    GROUP_NAMES.filter((group) => group !== truth),
    CLAIMS,
    GROUP_NAMES.indexOf(truth),
  ),
];

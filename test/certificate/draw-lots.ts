/** Certificates of all groups and claims take minutes: a test takes some, `CLAIMS=all` takes all. */
import t from "tap";
import { GROUP_NAMES, type GroupName } from "../../engine/index.ts";
import { hash } from "../helpers/pictures.ts";

const CLAIMS = 3;
const GROUPS = 6;

export const seed = Number(process.env.SEED ?? Math.floor(1e6 * Math.random()));
t.comment(`SEED=${seed}`);

/** Whether it is the long run. */
export const all = process.env.CLAIMS === "all";

function some(groups: readonly GroupName[], count: number, salt: number): readonly GroupName[] {
  if (all) return groups;
  const lots = new Map(groups.map((group, n) => [group, hash(seed + salt, n)]));
  const drawn = groups.toSorted((a, b) => Number(lots.get(a)) - Number(lots.get(b)));
  return drawn.slice(0, count);
}

export const someGroups = () => some(GROUP_NAMES, GROUPS, -1);

/** Groups to claim of a picture of one: that one, and others. */
export const claimsOf = (truth: GroupName) => [
  truth,
  ...some(
    GROUP_NAMES.filter((group) => group !== truth),
    CLAIMS,
    GROUP_NAMES.indexOf(truth),
  ),
];

/**
 * The 46 two-colour groups by names: which operations of a plane group keep the colours, called after
 * the group that these are.
 */
import type { GroupName } from "./groups.ts";

/**
 * Counterchanges of each group. Two of pm keep a pm: in `pm_across` every second mirror keeps the
 * colours, in `pm_along` they alternate along the mirrors.
 */
export const COUNTERCHANGES = {
  p1: ["p1"],
  p2: ["p1", "p2"],
  pm: ["p1", "pg", "cm", "pm_across", "pm_along"],
  pg: ["p1", "pg"],
  cm: ["p1", "pm", "pg"],
  pmm: ["p2", "pm", "pmm", "pmg", "cmm"],
  pmg: ["p2", "pm", "pg", "pmg", "pgg"],
  pgg: ["p2", "pg"],
  cmm: ["p2", "cm", "pmm", "pmg", "pgg"],
  p4: ["p2", "p4"],
  p4m: ["pmm", "cmm", "p4", "p4m", "p4g"],
  p4g: ["pgg", "cmm", "p4"],
  p3: [],
  p3m1: ["p3"],
  p31m: ["p3"],
  p6: ["p3"],
  p6m: ["p3m1", "p31m", "p6"],
} as const satisfies Record<GroupName, readonly string[]>;

/** What keeps the colours: a group, or one of the two of pm. */
export type Counterchange = (typeof COUNTERCHANGES)[GroupName][number];

/** Returns the group of the operations that keep the colours. */
export const keptGroup = (counterchange: Counterchange) =>
  counterchange.replace(/_.*/, "") as GroupName;

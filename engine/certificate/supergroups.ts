/** Minimal supergroups with the same translations (International Tables A1, t-supergroups). */
import type { GroupName } from "../recipe.ts";

export const T_SUPERGROUPS: Readonly<Record<GroupName, readonly GroupName[]>> = {
  p1: ["p2", "pm", "pg", "cm", "p3"],
  p2: ["pmm", "pmg", "pgg", "cmm", "p4", "p6"],
  pm: ["pmm", "pmg"],
  pg: ["pmg", "pgg"],
  cm: ["cmm", "p3m1", "p31m"],
  pmm: ["p4m"],
  pmg: [],
  pgg: ["p4g"],
  cmm: ["p4m", "p4g", "p6m"],
  p4: ["p4m", "p4g"],
  p4m: [],
  p4g: [],
  p3: ["p3m1", "p31m", "p6"],
  p3m1: ["p6m"],
  p31m: ["p6m"],
  p6: ["p6m"],
  p6m: [],
};

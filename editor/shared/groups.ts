/** The wallpaper groups by names for people. */
import type { GroupName } from "../../engine/core.ts";

/** In the order of the International Tables. */
const GROUP_TITLES: Readonly<Record<GroupName, string>> = {
  p1: "Plain repeat",
  p2: "Half turns",
  pm: "Mirrors",
  pg: "Footprints",
  cm: "Staggered mirrors",
  pmm: "Windows",
  pmg: "Waves",
  pgg: "Weave",
  cmm: "Diamonds",
  p4: "Pinwheel",
  p4m: "Square stars",
  p4g: "Windmills",
  p3: "Triple turns",
  p3m1: "Triangles",
  p31m: "Trefoils",
  p6: "Whirls",
  p6m: "Snowflakes",
};

export const GROUPS = Object.keys(GROUP_TITLES) as readonly GroupName[];

/** Returns a name such as "Pinwheel (p4)". */
export const groupTitle = (group: GroupName) => `${GROUP_TITLES[group]} (${group})`;

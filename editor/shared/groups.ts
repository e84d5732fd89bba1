/** The wallpaper groups by names for people. */
import type { GroupName } from "../../engine/core.ts";
import { t } from "./messages.ts";

/** In the order of the International Tables. */
export const GROUPS = [
  "p1",
  "p2",
  "pm",
  "pg",
  "cm",
  "pmm",
  "pmg",
  "pgg",
  "cmm",
  "p4",
  "p4m",
  "p4g",
  "p3",
  "p3m1",
  "p31m",
  "p6",
  "p6m",
] as const satisfies readonly GroupName[];

/** Returns whether a group has a hexagonal cell. */
export const isHexagonal = (group: GroupName) => /^p[36]/.test(group);

/** Returns a name such as "Pinwheel (p4)". */
export const groupTitle = (group: GroupName) => `${t(`group.${group}`)} (${group})`;

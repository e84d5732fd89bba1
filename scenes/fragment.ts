/** Fragments that scenes fill in. */
import type { Fragment } from "./scene.ts";

/** Returns one that shows nothing. */
export const emptyFragment = (): Fragment => ({
  piece: 0,
  red: 0,
  green: 0,
  blue: 0,
  mask: 0,
  u: 0,
  v: 0,
  shading: 0,
  highlight: 0,
});

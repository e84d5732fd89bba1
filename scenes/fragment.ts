/** A fragment to be filled in by a scene. */
import type { Fragment } from "./scene.ts";

/** Gives one that shows nothing. */
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

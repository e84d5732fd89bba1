/** Interface of styles of waves, and their colours. */
import type { Linear } from "../../lib/colour.ts";
import type { Random } from "../../lib/random.ts";
import type { Palette } from "../palette.ts";
import type { Sea } from "./looks.ts";

/** Draws a design from a palette. */
export type Style = (random: Random, palette: Palette) => Sea;

/** Returns a palette's colours for water. */
export function hues({ accent, leaf, colours }: Palette): Linear[] {
  return [...colours, leaf, accent];
}

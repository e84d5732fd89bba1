/** What a kind of waves is, and what it has to draw with. */
import type { Linear } from "../../lib/colour.ts";
import type { Random } from "../../lib/random.ts";
import type { Palette } from "../palette.ts";
import type { Sea } from "./looks.ts";

/** Draws a design from a palette. */
export type Style = (random: Random, palette: Palette) => Sea;

/** All that a palette has for water. */
export function voices({ accent, leaf, colours }: Palette): Linear[] {
  return [...colours, leaf, accent];
}

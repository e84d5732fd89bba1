/** What lies between the tiles of an aperiodic sheet, where a request leaves it open. */
import type { Aperiodic } from "./render-fields.ts";

/** Shares of the side of a square with the area of the largest tile. */
const OUTLINE = 0.03;
const BLEND = 0.25;

/**
 * Returns the width of the outlines and of the zone in which pictures run into each other. Unless both
 * are requested, there is one or the other.
 */
export function tileEdgesOf({ kind, fill, outline_width, blend }: Aperiodic) {
  const canBlend = fill === "image" && kind !== "quasicrystal";
  const zone = canBlend ? (blend ?? (outline_width ? 0 : BLEND)) : 0;
  return { outline: outline_width ?? (zone > 0 ? 0 : OUTLINE), blend: zone };
}

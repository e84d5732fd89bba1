/** Positions and shapes of a stained sheet's blots. */

import type { Size } from "../../engine/size.ts";
import { between, type Random } from "../lib/random.ts";

/**
 * A round band of liquid that dried; lengths in pixels. Its inside is where a pixel's distance from
 * the ring is below `reach`, give or take half of `frayed`.
 */
export interface Blot {
  readonly x: number;
  readonly y: number;
  /** Radius of the ring; 0 for a spot. */
  readonly ring: number;
  readonly reach: number;
  readonly frayed: number;
  /** Width of the dark rim. */
  readonly rim: number;
  /** Density inside, and of the rim on top of it. */
  readonly inside: number;
  readonly edge: number;
  /** Vector to the densest side; its length is the decrease on the opposite one. */
  readonly lean: readonly [number, number];
}

/** Blots at most: twelve stains, each with six drops. */
export const MAX_BLOTS = 84;

/** What decides the blots, as the parameters of the effect. */
export interface Spill {
  readonly count: number;
  readonly size: number;
  readonly rings: number;
  readonly drops: number;
  readonly roughness: number;
  readonly rim: number;
}

/** The blots of a sheet. A cup leaves rings of one size; spots have drops around them. */
export function blotsOf(random: Random, spill: Spill, sheet: Size): Blot[] {
  const shorter = Math.min(sheet.width, sheet.height);
  const cup = (spill.size * shorter) / 2;
  const places: { readonly x: number; readonly y: number }[] = [];
  return Array.from({ length: spill.count }, (_, index) => {
    const { x, y } = freePlace(random, places, sheet);
    places.push({ x, y });
    // Of n stains the nearest whole number to n times the share are rings, spread evenly.
    const isRing = Math.round((index + 1) * spill.rings) > Math.round(index * spill.rings);
    if (isRing) return [ringAt(random, x, y, cup, spill)];
    const radius = cup * between(random, 0.4, 1.05);
    const spot = spotAt(random, x, y, radius, spill);
    const drops = Math.round(spill.drops * between(random, 2, 6));
    return [spot, ...Array.from({ length: drops }, () => dropNear(random, spot, spill))];
  }).flat();
}

/** The emptiest of five places; a stain may hang over the sheet's edge. */
function freePlace(
  random: Random,
  taken: readonly { readonly x: number; readonly y: number }[],
  { width, height }: Size,
): { readonly x: number; readonly y: number } {
  const candidates = Array.from({ length: 5 }, () => ({
    x: between(random, 0.04, 0.96) * width,
    y: between(random, 0.04, 0.96) * height,
  }));
  const room = ({ x, y }: { readonly x: number; readonly y: number }) =>
    Math.min(...taken.map((place) => Math.hypot(place.x - x, place.y - y)), width + height);
  return candidates.reduce((best, next) => (room(next) > room(best) ? next : best));
}

function ringAt(random: Random, x: number, y: number, cup: number, spill: Spill): Blot {
  const reach = cup * between(random, 0.035, 0.06);
  return {
    x,
    y,
    ring: cup - reach,
    reach,
    frayed: reach * 3.2 * spill.roughness,
    rim: Math.max(1.2, cup * 0.012),
    inside: between(random, 0.3, 0.5) * (1 - 0.6 * spill.rim),
    edge: between(random, 0.5, 0.9) * spill.rim,
    lean: lean(random, between(random, 0.5, 1)),
  };
}

function spotAt(random: Random, x: number, y: number, radius: number, spill: Spill): Blot {
  return {
    x,
    y,
    ring: 0,
    reach: radius,
    frayed: radius * 1.2 * spill.roughness,
    rim: Math.max(1.2, radius * between(random, 0.018, 0.03)),
    inside: between(random, 0.2, 0.42) * (1 - 0.6 * spill.rim),
    edge: between(random, 0.8, 1.2) * spill.rim,
    lean: lean(random, between(random, 0.1, 0.45)),
  };
}

function dropNear(random: Random, spot: Blot, spill: Spill): Blot {
  const direction = between(random, 0, 2 * Math.PI);
  const away = spot.reach * between(random, 1.25, 2.3);
  const radius = spot.reach * between(random, 0.025, 0.11);
  return {
    ...spotAt(random, spot.x, spot.y, radius, spill),
    x: spot.x + away * Math.cos(direction),
    y: spot.y + away * Math.sin(direction),
    frayed: radius * 0.5 * spill.roughness,
    rim: Math.max(1.2, radius * 0.12),
  };
}

function lean(random: Random, length: number): [number, number] {
  const direction = between(random, 0, 2 * Math.PI);
  return [length * Math.cos(direction), length * Math.sin(direction)];
}

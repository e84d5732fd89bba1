/** Convex shards of broken stone that do not overlap. */
import { between, type Random } from "../../lib/random.ts";
import type { Spot } from "../../lib/torus.ts";

/** A side: outer unit normal, and its distance from the middle of the shard. */
export type Side = readonly [number, number, number];

/** A convex piece around the middle of a spot; lengths in edges of the picture. */
export interface Shard extends Spot {
  readonly sides: readonly Side[];
}

/** How stone breaks. */
export interface Breakage {
  /** Least distance between neighbours. */
  readonly gap: number;
  /** Number of cuts, and how near the middle they pass, in radii. */
  readonly cuts: readonly [number, number];
  readonly depth: readonly [number, number];
}

/** A vertex, and the number of the side that leaves it. */
type Corner = readonly [number, number, number];

const nearest = (offset: number) => offset - Math.floor(offset + 0.5);

/**
 * Breaks stone around spots: each takes its cell of their power diagram, the gap left free, and
 * is cut a few times more.
 */
export function shardsOf(random: Random, spots: readonly Spot[], breakage: Breakage): Shard[] {
  return spots.flatMap((spot) => {
    const sides = [...borders(spot, spots, breakage.gap), ...cuts(random, spot, breakage)];
    const seen = new Set(clipped(sides, spot.radius * 3).map(([, , side]) => side));
    const kept = sides.filter((_, index) => seen.has(index));
    return kept.length > 2 ? [{ ...spot, sides: kept }] : [];
  });
}

function borders({ x, y, radius }: Spot, spots: readonly Spot[], gap: number): Side[] {
  return spots.flatMap((other): Side[] => {
    const dx = nearest(other.x - x);
    const dy = nearest(other.y - y);
    const square = dx * dx + dy * dy;
    if (square === 0 || square > (3 * radius + 2 * other.radius) ** 2) return [];
    const away = Math.sqrt(square);
    const middle = (square + radius * radius - other.radius * other.radius) / (2 * away);
    return [[dx / away, dy / away, middle - gap / 2]];
  });
}

function cuts(random: Random, { radius }: Spot, breakage: Breakage): Side[] {
  const count = Math.round(between(random, ...breakage.cuts));
  const turn = random();
  return Array.from({ length: count }, (_, index) => {
    const angle = 2 * Math.PI * (turn + (index + between(random, -0.4, 0.4)) / count);
    return [Math.cos(angle), Math.sin(angle), radius * between(random, ...breakage.depth)];
  });
}

/** The polygon inside all sides, within a square of ±`reach` whose sides count as −1. */
function clipped(sides: readonly Side[], reach: number): Corner[] {
  let polygon: Corner[] = [
    [-reach, -reach, -1],
    [reach, -reach, -1],
    [reach, reach, -1],
    [-reach, reach, -1],
  ];
  sides.forEach(([nx, ny, offset], index) => {
    const room = ([x, y]: Corner) => offset - x * nx - y * ny;
    polygon = polygon.flatMap((corner, at): Corner[] => {
      const next = polygon[(at + 1) % polygon.length];
      const here = room(corner);
      const there = room(next);
      if (here >= 0 && there >= 0) return [corner];
      if (here < 0 && there < 0) return [];
      const share = here / (here - there);
      const x = corner[0] + (next[0] - corner[0]) * share;
      const y = corner[1] + (next[1] - corner[1]) * share;
      return here >= 0 ? [corner, [x, y, index]] : [[x, y, corner[2]]];
    });
  });
  return polygon;
}

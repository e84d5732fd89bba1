/**
 * Ambient occlusion and shadows of a height field, from its horizons (Max 1988; Bavoil and Sainz
 * 2008).
 */
import { clamp } from "../scalars.ts";
import { type ClothMap, MAP_STEP } from "./cloth-map.ts";

/** Horizons are computed at every second texel, because their result is smooth. */
const STEP = 2 * MAP_STEP;

/**
 * Distances at which horizons are sampled, in steps; denser where a shadow's edge depends on them.
 */
const REACHES = [1, 2, 4, 7, 12, 20, 32];
const LAMP_REACHES = [1, 2, 3, 4, 6, 8, 10, 13, 16, 20, 24, 29, 34, 40];

/** Directions of horizons, as offsets in whole steps for each distance. */
const DIRECTIONS = Array.from({ length: 8 }, (_, k) => offsets(((k + 0.3) * Math.PI) / 4, REACHES));

/** Sine of the angle over which the lamp, a wide soft box, rises above a horizon. */
const LAMP_WIDTH = 0.7;

/** Shares of light, 0…1, for each texel of a map. */
export interface AmbientOcclusion {
  /** Ambient light. */
  readonly open: Float32Array;
  /** Direct light of the lamp. */
  readonly lit: Float32Array;
}

/** A plane of heights on the coarser grid. */
interface Heights {
  readonly columns: number;
  readonly rows: number;
  readonly at: Float32Array;
}

/** Computes the light at the texels of `map` for a lamp in direction `lamp`, a unit vector. */
export function ambientOcclusionOf(
  map: ClothMap,
  lamp: readonly [number, number, number],
): AmbientOcclusion {
  const heights = coarse(map);
  const { columns, rows, at } = heights;
  const open = new Float32Array(columns * rows);
  const lit = new Float32Array(columns * rows);
  const towards = offsets(Math.atan2(lamp[1], lamp[0]), LAMP_REACHES);
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const texel = j * columns + i;
      if (Number.isNaN(at[texel])) continue;
      let hidden = 0;
      for (const direction of DIRECTIONS) hidden += horizon(heights, i, j, direction);
      open[texel] = 1 - hidden / DIRECTIONS.length;
      const share = clamp((lamp[2] - horizon(heights, i, j, towards)) / LAMP_WIDTH + 0.5, 0, 1);
      lit[texel] = share * share * (3 - 2 * share);
    }
  }
  return {
    open: fine(blurred(open, heights), heights, map),
    // A wide lamp's shadows are softer still.
    lit: fine(blurred(blurred(lit, heights), heights), heights, map),
  };
}

interface Offset {
  readonly x: number;
  readonly y: number;
  readonly pixels: number;
}

function offsets(angle: number, reaches: readonly number[]): readonly Offset[] {
  return reaches.map((reach) => {
    const x = Math.round(reach * Math.cos(angle));
    const y = Math.round(reach * Math.sin(angle));
    return { x, y, pixels: Math.hypot(x, y) * STEP };
  });
}

/** Sine of the angle of the horizon. */
function horizon(
  { columns, rows, at }: Heights,
  i: number,
  j: number,
  direction: readonly Offset[],
): number {
  const here = at[j * columns + i];
  let steepest = 0;
  for (const { x, y, pixels } of direction) {
    const column = i + x;
    const row = j + y;
    if (column < 0 || row < 0 || column >= columns || row >= rows) break;
    const slope = (at[row * columns + column] - here) / pixels;
    // Not true for NaN either: beyond the cloth nothing occludes.
    if (slope > steepest) steepest = slope;
  }
  return steepest / Math.sqrt(1 + steepest * steepest);
}

function coarse(map: ClothMap): Heights {
  const columns = (map.columns + 1) >> 1;
  const rows = (map.rows + 1) >> 1;
  const at = new Float32Array(columns * rows);
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) at[j * columns + i] = map.height[2 * (j * map.columns + i)];
  }
  return { columns, rows, at };
}

/** Means over 5 × 5 places with cloth, because horizons jump between sampling distances. */
function blurred(plane: Float32Array, { columns, rows, at }: Heights): Float32Array {
  const along = new Float32Array(plane.length);
  const result = new Float32Array(plane.length);
  const mean = (from: Float32Array, texel: number, stride: number, low: number, high: number) => {
    let sum = 0;
    let weight = 0;
    for (let k = low; k <= high; k++) {
      if (Number.isNaN(at[texel + k * stride])) continue;
      sum += from[texel + k * stride];
      weight += 1;
    }
    return weight === 0 ? 1 : sum / weight;
  };
  for (let j = 0, texel = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++, texel++) {
      along[texel] = mean(plane, texel, 1, -Math.min(2, i), Math.min(2, columns - 1 - i));
    }
  }
  for (let j = 0, texel = 0; j < rows; j++) {
    const low = -Math.min(2, j);
    const high = Math.min(2, rows - 1 - j);
    for (let i = 0; i < columns; i++, texel++) {
      result[texel] = mean(along, texel, columns, low, high);
    }
  }
  return result;
}

/**
 * Interpolates a coarse plane bilinearly at a map's texels, without weight for places without
 * cloth.
 */
function fine(plane: Float32Array, { columns, rows, at }: Heights, map: ClothMap): Float32Array {
  const result = new Float32Array(map.columns * map.rows);
  for (let j = 0, texel = 0; j < map.rows; j++) {
    const above = (j >> 1) * columns;
    const below = Math.min((j + 1) >> 1, rows - 1) * columns;
    for (let i = 0; i < map.columns; i++, texel++) {
      const left = i >> 1;
      const right = Math.min((i + 1) >> 1, columns - 1);
      let sum = 0;
      let weight = 0;
      for (let k = 0; k < 4; k++) {
        const corner = (k & 1 ? right : left) + (k & 2 ? below : above);
        if (Number.isNaN(at[corner])) continue;
        sum += plane[corner];
        weight += 1;
      }
      result[texel] = weight === 0 ? 1 : sum / weight;
    }
  }
  return result;
}

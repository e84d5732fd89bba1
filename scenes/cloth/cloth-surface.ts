/** Samples cloth: smooth between the texels of its map, sharp where folds overlap. */
import { clamp } from "../scalars.ts";
import type { ClothLight } from "./cloth-light.ts";
import { type ClothMap, MAP_STEP } from "./cloth-map.ts";
import { type ClothPoint, LAYER, type Layer, PLANES } from "./cloth-point.ts";
import { DISCONTINUITY, findDiscontinuities } from "./depth-discontinuities.ts";
import { createDiscontinuousLookup } from "./discontinuous-lookup.ts";

/**
 * Samples the cloth at a pixel of the scene and returns its layer. Just beyond the edge the point
 * is filled in as well, with extrapolated cloth.
 */
export type ClothSurface = (x: number, y: number, point: ClothPoint) => Layer;

/** Creates the surface of lit cloth: Catmull–Rom interpolation over 4 × 4 texels. */
export function surfaceOf(map: ClothMap, light: ClothLight): ClothSurface {
  const { columns, rows, left, top } = map;
  const texels = interleaved([map.u, map.v, light.shading, light.highlight]);
  const discontinuities = findDiscontinuities(map);
  const lookUpDiscontinuous = createDiscontinuousLookup(map, texels, discontinuities);
  const row4 = columns * PLANES;
  return (x, y, point) => {
    const i = (x - left) / MAP_STEP;
    const j = (y - top) / MAP_STEP;
    if (i < 0 || j < 0 || i > columns - 1 || j > rows - 1) return LAYER.none;
    const column = clamp(Math.floor(i), 1, columns - 3);
    const row = clamp(Math.floor(j), 1, rows - 3);
    const s = i - column;
    const t = j - row;
    if ((discontinuities[row * columns + column] & DISCONTINUITY.near) !== 0)
      return lookUpDiscontinuous(column, row, s, t, point);
    const s0 = s * (-0.5 + s * (1 - 0.5 * s));
    const s1 = 1 + s * s * (1.5 * s - 2.5);
    const s2 = s * (0.5 + s * (2 - 1.5 * s));
    const s3 = s * s * (0.5 * s - 0.5);
    const a = (row - 1) * row4 + (column - 1) * PLANES;
    const b = a + row4;
    const c = b + row4;
    const d = c + row4;
    const t0 = t * (-0.5 + t * (1 - 0.5 * t));
    const t1 = 1 + t * t * (1.5 * t - 2.5);
    const t2 = t * (0.5 + t * (2 - 1.5 * t));
    const t3 = t * t * (0.5 * t - 0.5);
    const along = (k: number) =>
      s0 * texels[k] + s1 * texels[k + 4] + s2 * texels[k + 8] + s3 * texels[k + 12];
    const at = (k: number) =>
      t0 * along(a + k) + t1 * along(b + k) + t2 * along(c + k) + t3 * along(d + k);
    point.u = at(0);
    point.v = at(1);
    point.shading = at(2);
    point.highlight = at(3);
    return LAYER.cloth;
  };
}

function interleaved(planes: readonly Float32Array[]): Float32Array {
  const texels = new Float32Array(PLANES * planes[0].length);
  planes.forEach((plane, k) => {
    for (let texel = 0, at = k; texel < plane.length; texel++, at += PLANES) {
      texels[at] = plane[texel];
    }
  });
  return texels;
}

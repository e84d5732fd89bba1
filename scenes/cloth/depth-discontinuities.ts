/** Depth discontinuities of a map: neighbouring texels that show different layers of a fold. */
import { type ClothMap, MAP_STEP } from "./cloth-map.ts";

/** Bits of a texel: discontinuous to the next on the right, to the one below; see `near`. */
export const DISCONTINUITY = { right: 1, below: 2, near: 4 } as const;

/** Millimetres of cloth between neighbours that are discontinuous however steep the cloth is. */
const FAR = 12;

/**
 * Finds the discontinuities of a map. `near` marks each texel whose block of 4 × 4, from the one
 * left above it, contains a discontinuity or the edge of the cloth.
 */
export function findDiscontinuities(map: ClothMap): Uint8Array {
  const { columns, rows, height } = map;
  const discontinuities = new Uint8Array(columns * rows);
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const texel = j * columns + i;
      if (i + 1 < columns && apart(map, texel, texel + 1))
        discontinuities[texel] |= DISCONTINUITY.right;
      if (j + 1 < rows && apart(map, texel, texel + columns))
        discontinuities[texel] |= DISCONTINUITY.below;
      if (discontinuities[texel] === 0 && !Number.isNaN(height[texel])) continue;
      // Links to the right and below start at the texel, so they end one further.
      for (let b = Math.max(0, j - 2); b <= Math.min(rows - 1, j + 2); b++) {
        for (let a = Math.max(0, i - 2); a <= Math.min(columns - 1, i + 2); a++) {
          discontinuities[b * columns + a] |= DISCONTINUITY.near;
        }
      }
    }
  }
  return discontinuities;
}

function apart({ height, u, v, facingX, facingY, view }: ClothMap, a: number, b: number): boolean {
  if (Number.isNaN(height[a]) || Number.isNaN(height[b])) return true;
  const du = u[b] - u[a];
  const dv = v[b] - v[a];
  const flat = 1 - Math.max(facingX[a] ** 2 + facingY[a] ** 2, facingX[b] ** 2 + facingY[b] ** 2);
  const expected = MAP_STEP / view.scale / Math.sqrt(Math.max(flat, 0.02));
  const most = Math.min(FAR, 2 * expected + 2);
  return du * du + dv * dv > most * most;
}

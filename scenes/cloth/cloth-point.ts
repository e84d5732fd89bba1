/** The cloth at one point of the picture. */

/** Print and light at a place, as `Fragment` has them. */
export interface ClothPoint {
  u: number;
  v: number;
  shading: number;
  highlight: number;
}

/** Coverage of a pixel: no cloth, cloth, the edge of a fold, or the cloth behind that edge. */
export const LAYER = { none: 0, cloth: 1, front: 2, behind: 3 } as const;

export type Layer = (typeof LAYER)[keyof typeof LAYER];

/** Planes of a texel: u, v, shading, highlight. */
export const PLANES = 4;

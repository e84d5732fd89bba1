/** What is known of cloth at one place of the picture. */

/** Print and light at a place, as `Fragment` has them. */
export interface ClothPoint {
  u: number;
  v: number;
  shading: number;
  highlight: number;
}

/** What lies at a pixel: no cloth, cloth, the edge of a fold, or what it leaves of the cloth behind. */
export const LAYER = { none: 0, cloth: 1, front: 2, behind: 3 } as const;

export type Layer = (typeof LAYER)[keyof typeof LAYER];

/** Planes of a texel: u, v, shading, highlight. */
export const PLANES = 4;

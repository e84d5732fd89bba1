/** A matt vase, turned on the wheel, seen from the front. */
import { smoothstep } from "../scalars.ts";

/** Position of a vase, in units of the picture. */
export interface Vase {
  readonly x: number;
  readonly foot: number;
  readonly height: number;
  /** Half its greatest width. */
  readonly belly: number;
}

/** Returns half the width at a share of the height, 0 the foot, 1 the rim, relative to the maximum. */
function profile(share: number): number {
  const body = Math.sqrt(Math.max(0, 1 - ((share - 0.36) / 0.52) ** 2));
  const neck = 0.34 + 0.1 * smoothstep(0.86, 1, share);
  const foot = smoothstep(-0.06, 0.05, share);
  return Math.max(body, neck * smoothstep(0.5, 0.7, share)) * (0.75 + 0.25 * foot);
}

/** Returns the light on the vase at a point of the picture; negative outside it. */
export function lightOnVase({ x, foot, height, belly }: Vase, px: number, py: number): number {
  const share = (foot - py) / height;
  if (share < 0 || share > 1) return -1;
  const radius = belly * profile(share);
  const across = (px - x) / radius;
  if (Math.abs(across) >= 1) return -1;
  const slope = ((profile(share + 0.01) - profile(share - 0.01)) * belly) / (0.02 * height);
  const depth = Math.sqrt(1 - across * across);
  const length = Math.sqrt(1 + slope * slope);
  const [nx, ny, nz] = [across / length, -slope / length, depth / length];
  const key = Math.max(0, -0.68 * nx + 0.48 * ny + 0.55 * nz);
  const rim = 1 - 0.25 * smoothstep(0.985, 1, share);
  return (
    (0.3 + 0.62 * key + 0.1 * Math.max(0, nx)) * rim * (0.8 + 0.2 * smoothstep(0, 0.16, share))
  );
}

/** Returns the share of light that a vase removes at a point, with a softness of `blur` units. */
export function shadowOfVase(vase: Vase, px: number, py: number, blur: number): number {
  const share = (vase.foot - py) / vase.height;
  const radius = vase.belly * profile(Math.min(Math.max(share, 0), 1));
  const beside = smoothstep(blur, -blur, Math.abs(px - vase.x) - radius);
  const above = smoothstep(vase.height + blur, vase.height - blur, vase.foot - py);
  return beside * above;
}

/** Soft studio light on cloth: a wide lamp at the top left, bright walls all round. */

import { ambientOcclusionOf } from "./ambient-occlusion.ts";
import type { ClothMap } from "./cloth-map.ts";

/** Direction of the lamp, of length 1: right, down, towards the viewer. */
export const LAMP = [-0.52, -0.56, 0.645] as const;

/** Half way between the lamp and the viewer, of length 1. */
const HALF = LAMP.map((part, axis) => (part + (axis === 2 ? 1 : 0)) / Math.sqrt(2 + 2 * LAMP[2]));

/** How cloth reflects light. */
export interface Lighting {
  /** Share of the lamp's light; the rest comes from the walls. */
  readonly lamp: number;
  /** How far light wraps around a curve, 0…1, scattered by the nap. */
  readonly wrap: number;
  /** Darkness of valleys: exponent of the ambient occlusion. */
  readonly depth: number;
  /** Reflection at grazing angles. */
  readonly sheen: number;
  /** Specular reflection of the lamp, for smooth threads. */
  readonly gloss: number;
  /** Light on flat cloth that faces the viewer. */
  readonly level: number;
}

/** Planes of a map: factor of the print, and added light. */
export interface ClothLight {
  readonly shading: Float32Array;
  readonly highlight: Float32Array;
}

/** Steps of a table of powers, too fine to be visible. */
const SHADES = 2047;

/** Computes the light at all texels of `map`. */
export function lightOn(map: ClothMap, lighting: Lighting): ClothLight {
  const { lamp, wrap, depth, sheen, gloss, level } = lighting;
  const occlusion = ambientOcclusionOf(map, LAMP);
  const shading = new Float32Array(map.height.length);
  const highlight = new Float32Array(map.height.length);
  const valleys = Float32Array.from({ length: SHADES + 1 }, (_, k) => (k / SHADES) ** depth);
  const reaching = (cosine: number) => Math.max(0, (cosine + wrap) / (1 + wrap));
  const facing = reaching(LAMP[2]);
  for (let texel = 0; texel < shading.length; texel++) {
    if (Number.isNaN(map.height[texel])) continue;
    const x = map.facingX[texel];
    const y = map.facingY[texel];
    const z = Math.sqrt(Math.max(0, 1 - x * x - y * y));
    const direct =
      (reaching(x * LAMP[0] + y * LAMP[1] + z * LAMP[2]) / facing) * occlusion.lit[texel];
    // Walls and ceiling are bright, the floor is darker, and less comes from beside the camera.
    const around =
      (0.75 + 0.25 * z - 0.2 * y) * valleys[Math.round(occlusion.open[texel] * SHADES)];
    const light = level * (lamp * direct + (1 - lamp) * around);
    shading[texel] = light;
    const facingHalf = Math.max(0, x * HALF[0] + y * HALF[1] + z * HALF[2]);
    const fourth = facingHalf * facingHalf * facingHalf * facingHalf;
    const mirrored = fourth * fourth * fourth * occlusion.lit[texel];
    highlight[texel] = sheen * (1 - z) * (1 - z) * light + gloss * mirrored;
  }
  return { shading, highlight };
}

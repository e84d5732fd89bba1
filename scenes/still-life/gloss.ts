/** Reflections of a smooth, clear surface: glaze, lacquer, glass. */
import type { Place } from "./still-life.ts";
import { fresnel, lightFrom } from "./studio.ts";

/** Light reflected towards the camera. */
export function glossAt({ normal, view, facing, open }: Place): number {
  const x = view.x + 2 * facing * normal.x;
  const y = view.y + 2 * facing * normal.y;
  const z = view.z + 2 * facing * normal.z;
  return fresnel(facing) * lightFrom(x, y, z) * (0.35 + 0.65 * open);
}

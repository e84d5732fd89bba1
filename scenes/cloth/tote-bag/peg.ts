/** A turned wooden peg in the wall, seen from the front. */
import { clouds } from "../../noise.ts";
import { length2, smoothstep } from "../../scalars.ts";
import type { Fragment } from "../../scene.ts";
import { LAMP } from "../cloth-light.ts";

/** Paints the peg at `dx`, `dy` pixels from its middle; its radius is `radius` pixels. */
export function paintPeg(dx: number, dy: number, radius: number, fragment: Fragment): void {
  const out = length2(dx, dy) / radius;
  // A flat face with a round edge.
  const slope = 0.18 * out + 0.7 * smoothstep(0.7, 1, out);
  const tilt = slope / Math.max(out, 1e-6) / radius;
  const nx = dx * tilt;
  const ny = dy * tilt;
  const nz = Math.sqrt(Math.max(0, 1 - nx * nx - ny * ny));
  const cosine = Math.max(0, nx * LAMP[0] + ny * LAMP[1] + nz * LAMP[2]);
  const rings = clouds(dx / 34 + 0.4 * Math.sin(dy / 30), dy / 4, 3) - 0.5;
  const light = (0.35 + 0.95 * cosine) * (1 + 0.35 * rings);
  fragment.mask = fragment.u = fragment.v = fragment.shading = fragment.highlight = 0;
  fragment.red = 0.56 * light;
  fragment.green = 0.37 * light;
  fragment.blue = 0.2 * light * (1 - 0.3 * rings);
}

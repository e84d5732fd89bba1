/** Stalks and ribs of leaves. */
import { lightened, mixed } from "../../lib/colour.ts";
import type { Growth } from "../floral/growth.ts";
import type { Petal } from "../floral/petal.ts";

/** A light rib along a leaf that is bent as it is. */
export function midrib(growth: Growth, bend: number): Petal {
  const { x, y, angle, length, colour } = growth;
  const light = lightened(colour, 0.12);
  return {
    x,
    y,
    angle,
    length: length * 0.97,
    halfWidth: length * 0.009,
    bend: bend * 0.97,
    tip: 0.9,
    base: 0,
    belly: -1,
    from: light,
    to: light,
  };
}

/** A stalk behind the foot of a leaf, `share` of its length long. */
export function stalk(growth: Growth, share: number): Petal {
  const { x, y, angle, length, colour, ink } = growth;
  const dark = mixed(colour, ink, 0.35);
  return {
    x: x - Math.cos(angle) * length * share,
    y: y - Math.sin(angle) * length * share,
    angle,
    length: length * (share + 0.03),
    halfWidth: length * 0.014,
    tip: 0.1,
    base: 0.1,
    from: dark,
    to: dark,
  };
}

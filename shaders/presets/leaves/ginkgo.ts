import { lightened, mixed } from "../../lib/colour.ts";
import { between, whole } from "../../lib/random.ts";
import type { Foliage } from "../floral/growth.ts";
import { stalk } from "./ribs.ts";

/** A fan with a cleft, on a long stalk. */
export const ginkgo: Foliage = (growth) => {
  const { x, y, angle, colour, ink, random } = growth;
  const length = growth.length * 0.62;
  const foot = {
    x: x + Math.cos(angle) * growth.length * 0.38,
    y: y + Math.sin(angle) * growth.length * 0.38,
  };
  const spread = between(random, 0.85, 1.1);
  const cleft = between(random, 0.02, 0.09);
  const count = 2 * whole(random, 4, 5);
  // Wedges side by side make the pleated fan; the cleft parts them in the middle.
  const wedges = Array.from({ length: count }, (_, index) => {
    const t = (2 * index + 1) / count - 1;
    const reach = length * (1 - 0.14 * t * t - 0.5 * cleft * (1 - Math.abs(t)));
    return {
      ...foot,
      angle: angle + spread * t + Math.sign(t) * cleft,
      length: reach * between(random, 0.97, 1.03),
      halfWidth: (length * 1.5 * spread) / count,
      base: 0.95,
      belly: 0.8,
      from: mixed(colour, ink, 0.3),
      to: lightened(colour, index % 2 === 0 ? 0.05 : 0.025),
      blend: [0.05, 0.85] as const,
      veins: 4,
      lines: 0.25,
      shade: 0.1,
    };
  });
  return [stalk({ ...growth, ...foot }, 0.42), ...wedges];
};

import { mixed } from "../../lib/colour.ts";
import { between, whole } from "../../lib/random.ts";
import type { Foliage } from "./growth.ts";

/** Long blades that spread from one point. */
export const grass: Foliage = (growth) => {
  const { length, colour, ink, random } = growth;
  const count = whole(random, 3, 5);
  return Array.from({ length: count }, (_, index) => {
    const lean = (index - (count - 1) / 2) * 0.3;
    return {
      x: growth.x,
      y: growth.y,
      angle: growth.angle + lean,
      length: length * between(random, 0.75, 1),
      halfWidth: length * 0.045,
      bend: lean * 0.7 + between(random, -0.1, 0.1),
      tip: 1,
      base: 0.4,
      belly: -0.4,
      from: mixed(colour, ink, 0.3),
      to: colour,
      veins: 2,
      lines: 0.35,
      rim: 0.6,
      shade: 0.2,
    };
  });
};

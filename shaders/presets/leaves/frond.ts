import { lightened, mixed } from "../../lib/colour.ts";
import { between, whole } from "../../lib/random.ts";
import { alongStem, type Foliage, stem } from "../floral/growth.ts";

/** A feather of long narrow blades along a curved stem. */
export const frond: Foliage = (growth) => {
  const { length, colour, ink, random } = growth;
  const bend = between(random, 0.12, 0.36) * (random() < 0.5 ? -1 : 1);
  const pairs = whole(random, 12, 17);
  const blades = Array.from({ length: pairs * 2 }, (_, index) => {
    const s = 0.1 + (0.88 * Math.floor(index / 2)) / pairs;
    const at = alongStem(growth, bend, s);
    const way = index % 2 === 0 ? 1 : -1;
    const size = length * (0.2 + 0.62 * s - 0.66 * s * s);
    return {
      ...at,
      angle: at.angle + way * (1.05 - 0.55 * s + between(random, -0.04, 0.04)),
      length: size,
      halfWidth: length * 0.021,
      tip: 0.9,
      base: 0.5,
      belly: -0.2,
      bend: -way * 0.1,
      shade: 0.22,
      from: mixed(colour, ink, 0.28),
      to: lightened(colour, way > 0 ? 0.05 : 0),
      veins: 2,
      lines: 0.3,
    };
  });
  return [
    ...blades,
    {
      ...stem(growth, bend, length * 0.008),
      from: lightened(colour, 0.1),
      to: lightened(colour, 0.06),
    },
  ];
};

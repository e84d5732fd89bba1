import { lightened, mixed } from "../../lib/colour.ts";
import { between, whole } from "../../lib/random.ts";
import { alongStem, type Foliage, stem } from "./growth.ts";

/** Pairs of leaflets along a stem, shorter towards the tip. */
export const fern: Foliage = (growth) => {
  const { length, colour, ink, random } = growth;
  const bend = between(random, -0.3, 0.3);
  const pairs = whole(random, 6, 9);
  const leaflets = Array.from({ length: pairs * 2 }, (_, index) => {
    const s = 0.16 + (0.8 * Math.floor(index / 2)) / pairs;
    const at = alongStem(growth, bend, s);
    const way = index % 2 === 0 ? 1 : -1;
    const size = length * 0.32 * (1.05 - 0.72 * s);
    return {
      ...at,
      angle: at.angle + way * between(random, 0.75, 0.95),
      length: size,
      halfWidth: size * 0.22,
      tip: 0.8,
      base: 0.7,
      bend: way * -0.15,
      shade: 0.2,
      from: mixed(colour, ink, 0.2),
      to: lightened(colour, 0.04),
      rim: 0.55,
      veins: 2,
      lines: 0.3,
    };
  });
  const end = alongStem(growth, bend, 0.94);
  const tip = { ...end, length: length * 0.14, halfWidth: length * 0.03, tip: 0.8, base: 0.7 };
  return [
    stem(growth, bend, length * 0.011),
    ...leaflets,
    { ...tip, from: colour, to: lightened(colour, 0.04), rim: 0.5 },
  ];
};

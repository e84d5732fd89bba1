import { lightened, mixed } from "../../lib/colour.ts";
import { between, whole } from "../../lib/random.ts";
import type { Foliage } from "./growth.ts";

/** One broad leaf with midrib and ribs. */
export const leaf: Foliage = (growth) => {
  const { x, y, angle, length, colour, ink, random } = growth;
  const bend = between(random, -0.22, 0.22);
  const style = { x, y, angle, length, bend, tip: 0.95, base: 0.75, belly: -0.35 };
  const halfWidth = length * between(random, 0.17, 0.23);
  return [
    {
      ...style,
      halfWidth,
      from: mixed(colour, ink, 0.25),
      to: lightened(colour, 0.05),
      blend: [0, 0.9],
      veins: 2,
      ribs: whole(random, 8, 11),
      lines: 0.45,
      rim: 0.7,
      shade: 0.24,
    },
  ];
};

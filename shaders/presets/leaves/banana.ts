import { lightened, mixed } from "../../lib/colour.ts";
import { between, whole } from "../../lib/random.ts";
import type { Foliage } from "../floral/growth.ts";
import { midrib, stalk } from "./ribs.ts";

/** A long broad blade with many ribs and a light keel. */
export const banana: Foliage = (growth) => {
  const { x, y, angle, length, colour, ink, random } = growth;
  const bend = between(random, 0.08, 0.26) * (random() < 0.5 ? -1 : 1);
  return [
    stalk(growth, 0.14),
    {
      x,
      y,
      angle,
      length,
      bend,
      halfWidth: length * between(random, 0.14, 0.18),
      tip: 0.45,
      base: 0.35,
      belly: -0.25,
      from: mixed(colour, ink, 0.3),
      to: lightened(colour, 0.05),
      blend: [0, 0.95],
      ribs: whole(random, 20, 28),
      lines: 0.55,
      rim: 0.3,
      shade: 0.3,
    },
    { ...midrib(growth, bend), halfWidth: length * 0.012 },
  ];
};

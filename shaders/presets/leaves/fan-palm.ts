import { lightened, mixed } from "../../lib/colour.ts";
import { between, whole } from "../../lib/random.ts";
import type { Foliage } from "../floral/growth.ts";
import { midrib, stalk } from "./ribs.ts";

/** Blades that spread from the end of a stalk. */
export const fanPalm: Foliage = (growth) => {
  const { x, y, angle, length, colour, ink, random } = growth;
  const count = 2 * whole(random, 6, 9) + 1;
  const spread = between(random, 1.7, 2.3);
  const foot = { x: x + Math.cos(angle) * length * 0.35, y: y + Math.sin(angle) * length * 0.35 };
  // From both sides inwards, so that the middle blade lies on top.
  const blades = Array.from({ length: count }, (_, index) => {
    const side = index % 2 === 0 ? 1 : -1;
    const t = 1 - Math.floor((index + 1) / 2) / ((count - 1) / 2);
    const away = side * t;
    const reach = length * (0.66 - 0.2 * away * away) * between(random, 0.94, 1.05);
    const tone = mixed(colour, ink, index % 2 === 0 ? 0.06 : 0.2);
    return {
      ...foot,
      angle: angle + (away * spread) / 1.15,
      length: reach,
      halfWidth: (length * 1.05 * spread) / (count + 4) / 2,
      bend: away * 0.14,
      tip: 0.95,
      base: 0.9,
      belly: 0.2,
      from: mixed(colour, ink, 0.42),
      to: lightened(tone, 0.03),
      blend: [0.05, 0.7] as const,
      shade: 0.24,
    };
  });
  return [
    { ...stalk({ ...growth, ...foot }, 0.5), bend: 0 },
    ...blades.flatMap((blade) => [
      blade,
      { ...midrib({ ...growth, ...blade }, blade.bend), halfWidth: length * 0.0035 },
    ]),
  ];
};

import { lightened, mixed } from "../../lib/colour.ts";
import { between, whole } from "../../lib/random.ts";
import { alongStem, type Foliage, stem } from "../floral/growth.ts";
import { midrib, stalk } from "./ribs.ts";

/** A heart cut into lobes, one half in shade. */
export const monstera: Foliage = (growth) => {
  const { length, colour, ink, random } = growth;
  const bend = between(random, -0.16, 0.16);
  const count = whole(random, 5, 6);
  const lit = random() < 0.5 ? -1 : 1;
  const deep = mixed(colour, ink, 0.4);
  const lobes = Array.from({ length: count * 2 }, (_, index) => {
    const way = index % 2 === 0 ? 1 : -1;
    const s = Math.floor(index / 2) / count;
    const at = alongStem(growth, bend, 0.03 + 0.8 * s);
    // Lobes at the foot look back, those near the tip forwards.
    const angle = at.angle + way * (1.95 - 1.35 * s + between(random, -0.05, 0.05));
    const reach = length * (0.45 + 0.36 * s - 0.5 * s * s) * between(random, 0.94, 1.06);
    const tone = way === lit ? lightened(colour, 0.03) : mixed(colour, ink, 0.16);
    return {
      ...at,
      angle,
      length: reach,
      halfWidth: length * (0.088 + 0.026 * (1 - s)),
      bend: -way * between(random, 0.12, 0.22),
      tip: 0.12,
      base: 0.1,
      belly: 0.35,
      from: deep,
      to: tone,
      blend: [0.1, 0.9] as const,
      veins: 2,
      lines: 0.3,
      shade: 0.14,
    };
  });
  const end = alongStem(growth, bend, 0.72);
  return [
    stalk(growth, 0.28),
    {
      ...growth,
      length: length * 0.86,
      halfWidth: length * 0.17,
      bend,
      tip: 0.4,
      belly: -0.5,
      from: deep,
      to: mixed(colour, deep, 0.5),
      shade: 0.2,
    },
    ...lobes,
    {
      ...end,
      length: length * 0.34,
      halfWidth: length * 0.12,
      tip: 0.7,
      base: 0.2,
      from: mixed(colour, deep, 0.4),
      to: lightened(colour, 0.03),
      shade: 0.16,
    },
    ...lobes.map((lobe) => ({
      ...midrib({ ...growth, ...lobe, length: lobe.length * 0.8 }, lobe.bend * 0.8),
      halfWidth: length * 0.004,
    })),
    {
      ...stem(growth, bend, length * 0.009),
      from: lightened(colour, 0.12),
      to: lightened(colour, 0.08),
    },
  ];
};

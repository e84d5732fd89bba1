import { lightened, mixed } from "../../lib/colour.ts";
import { between, whole } from "../../lib/random.ts";
import { disc } from "./bloom.ts";
import { alongStem, type Foliage, stem } from "./growth.ts";

/** Berries on short stalks along a stem. */
export const berries: Foliage = (growth) => {
  const { length, berry, ink, colour, random } = growth;
  const bend = between(random, -0.35, 0.35);
  const count = whole(random, 7, 10);
  return [
    stem(growth, bend, length * 0.01),
    ...Array.from({ length: count }, (_, index) => {
      const s = 0.25 + (0.75 * (index + 1)) / count;
      const at = alongStem(growth, bend, Math.min(s, 1));
      const lean = index % 2 === 0 ? 0.85 : -0.85;
      const angle = at.angle + (index < count - 1 ? lean : 0);
      const stalk = length * 0.15 * (1.2 - 0.5 * s);
      const radius = length * between(random, 0.04, 0.055);
      const x = at.x + Math.cos(angle) * stalk;
      const y = at.y + Math.sin(angle) * stalk;
      const dark = mixed(colour, ink, 0.35);
      return [
        { ...at, angle, length: stalk, halfWidth: length * 0.006, from: dark, to: dark },
        disc(x, y, radius, { from: berry, rim: 0.7, shade: 0.35 }),
        disc(x - radius * 0.3, y - radius * 0.3, radius * 0.28, {
          from: lightened(berry, 0.18),
          soft: radius * 0.15,
        }),
      ];
    }).flat(),
  ];
};

import { lightened, mixed } from "../../lib/colour.ts";
import { between } from "../../lib/random.ts";
import { disc, dots, type Flower, ring } from "./bloom.ts";

/** Ring upon ring of round petals, lighter towards the middle. */
export const peony: Flower = (bloom) => {
  const { radius, petal, heart, ink, random } = bloom;
  const deep = mixed(petal, ink, 0.45);
  const rings = [1, 0.82, 0.66, 0.5, 0.35, 0.22];
  const turn = random() * 2 * Math.PI;
  return [
    ...rings.flatMap((reach, index) => {
      const count = Math.max(9 - index, 4);
      const size = radius * reach;
      return ring(bloom, count, turn + index * 0.71, size * 0.25, {
        length: size * 0.76,
        halfWidth: (size * 2.35) / count,
        belly: 1.1,
        base: 0.7,
        from: deep,
        to: lightened(mixed(petal, heart, index * 0.035), index * 0.028 - 0.03),
        blend: [0.3, 0.95],
        rim: 0.8,
        shade: 0.22,
        veins: 7,
        lines: 0.16,
        notch: between(random, 0, 0.07),
      });
    }),
    disc(bloom.x, bloom.y, radius * 0.075, { from: mixed(heart, ink, 0.3), rim: 0.5 }),
    ...dots(bloom, 6, radius * 0.045, radius * 0.016, lightened(heart, 0.08)),
  ];
};

import { lightened, mixed } from "../../lib/colour.ts";
import { whole } from "../../lib/random.ts";
import { disc, type Flower, ring, stamens } from "./bloom.ts";

/** Five notched petals and long stamens. */
export const cherry: Flower = (bloom) => {
  const { radius, petal, heart, ink, random } = bloom;
  const deep = mixed(petal, ink, 0.28);
  return [
    ...ring(bloom, 5, random() * 2 * Math.PI, radius * 0.03, {
      length: radius,
      halfWidth: radius * 0.47,
      belly: 0.8,
      base: 0.8,
      notch: 0.2,
      from: deep,
      to: lightened(petal, 0.04),
      blend: [0, 0.55],
      rim: 0.8,
      shade: 0.14,
      veins: 5,
      lines: 0.22,
    }),
    ...stamens(bloom, whole(random, 9, 13), radius * 0.44, mixed(petal, ink, 0.6), heart),
    disc(bloom.x, bloom.y, radius * 0.1, { from: mixed(petal, ink, 0.5) }),
    disc(bloom.x, bloom.y, radius * 0.05, { from: heart }),
  ];
};

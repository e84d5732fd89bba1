import { lightened, mixed } from "../../lib/colour.ts";
import { between, whole } from "../../lib/random.ts";
import { disc, dots, type Flower, ring, stamens } from "./bloom.ts";

/** Pointed petals with a stripe along each, after the clematis. */
export const clematis: Flower = (bloom) => {
  const { radius, petal, heart, ink, random } = bloom;
  const count = whole(random, 6, 8);
  const turn = random() * 2 * Math.PI;
  const bend = between(random, -0.16, 0.16);
  const style = { length: radius, belly: 0.35, tip: 0.85, base: 0.7, rim: 0.8, shade: 0.2, bend };
  return [
    ...ring(bloom, count, turn, 0, {
      ...style,
      halfWidth: (radius * 1.75) / count,
      veins: 5,
      lines: 0.35,
      from: mixed(petal, ink, 0.35),
      to: petal,
      blend: [0.05, 0.8],
    }),
    ...ring(bloom, count, turn, radius * 0.1, {
      length: radius * 0.7,
      halfWidth: (radius * 0.42) / count,
      tip: 1,
      base: 0.8,
      bend,
      from: lightened(petal, 0.14),
      to: lightened(petal, 0.09),
    }),
    ...stamens(bloom, 16, radius * 0.3, lightened(heart, 0.05), lightened(heart, 0.12)),
    ...dots(bloom, 8, radius * 0.1, radius * 0.03, heart),
    disc(bloom.x, bloom.y, radius * 0.075, { from: mixed(heart, ink, 0.5) }),
  ];
};

import { mixed } from "../../lib/colour.ts";
import { disc, type Flower, ring } from "./bloom.ts";

/** Five round petals and an eye: fills the small places. */
export const forgetMeNot: Flower = (bloom) => {
  const { radius, petal, heart, ink, random } = bloom;
  return [
    ...ring(bloom, 5, random() * 2 * Math.PI, radius * 0.12, {
      length: radius * 0.9,
      halfWidth: radius * 0.42,
      belly: 0.7,
      base: 0.4,
      rim: 0.55,
      from: mixed(petal, ink, 0.25),
      to: petal,
      blend: [0, 0.7],
      shade: 0.15,
    }),
    disc(bloom.x, bloom.y, radius * 0.24, { from: heart }),
    disc(bloom.x, bloom.y, radius * 0.1, { from: mixed(heart, ink, 0.55) }),
  ];
};

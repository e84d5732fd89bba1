import { lightened, mixed } from "../../lib/colour.ts";
import { whole } from "../../lib/random.ts";
import { disc, dots, type Flower, ring } from "./bloom.ts";

/** Many narrow petals around a large stippled heart. */
export const daisy: Flower = (bloom) => {
  const { radius, petal, heart, ink, random } = bloom;
  const count = whole(random, 11, 17);
  const turn = random() * 2 * Math.PI;
  const width = (radius * 2.35) / count;
  const style = { halfWidth: width, tip: 0.25, base: 0.8, belly: 0.9, rim: 0.7, shade: 0.12 };
  const deep = mixed(petal, ink, 0.3);
  return [
    ...ring(bloom, count, turn + Math.PI / count, radius * 0.12, {
      ...style,
      length: radius * 0.88,
      from: deep,
      to: mixed(petal, ink, 0.14),
      veins: 3,
      lines: 0.25,
    }),
    ...ring(bloom, count, turn, radius * 0.12, {
      ...style,
      length: radius * 0.8,
      from: mixed(petal, heart, 0.35),
      to: lightened(petal, 0.05),
      blend: [0, 0.7],
      veins: 3,
      lines: 0.4,
    }),
    disc(bloom.x, bloom.y, radius * 0.3, { from: mixed(heart, ink, 0.45), rim: 0.8 }),
    disc(bloom.x, bloom.y, radius * 0.27, { from: heart, shade: 0.15 }),
    ...dots(bloom, 17, radius * 0.215, radius * 0.024, mixed(heart, ink, 0.6)),
    ...dots(bloom, 11, radius * 0.135, radius * 0.022, mixed(heart, ink, 0.5)),
    ...dots(bloom, 5, radius * 0.06, radius * 0.02, lightened(heart, 0.1)),
  ];
};

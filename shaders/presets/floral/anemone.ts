import { lightened, mixed } from "../../lib/colour.ts";
import { between, whole } from "../../lib/random.ts";
import { disc, dots, type Flower, ring, stamens } from "./bloom.ts";

/** A few wide petals that overlap, a dark eye and many stamens. */
export const anemone: Flower = (bloom) => {
  const { radius, petal, heart, ink, random } = bloom;
  const count = whole(random, 5, 7);
  const turn = random() * 2 * Math.PI;
  const eye = mixed(petal, ink, 0.55);
  const style = {
    belly: 1.3,
    tip: 0.08,
    base: 0.75,
    rim: 0.85,
    shade: 0.2,
    veins: 9,
    lines: 0.3,
    notch: between(random, 0, 0.09),
    blend: [0.12, 0.6] as const,
  };
  return [
    ...ring(bloom, count, turn + Math.PI / count, 0, {
      ...style,
      length: radius,
      halfWidth: (radius * 2.1) / count,
      from: eye,
      to: mixed(petal, ink, 0.16),
    }),
    ...ring(bloom, count, turn, 0, {
      ...style,
      length: radius * 0.9,
      halfWidth: (radius * 2.25) / count,
      from: eye,
      to: lightened(petal, 0.03),
    }),
    ...stamens(bloom, whole(random, 18, 24), radius * 0.36, ink, heart),
    disc(bloom.x, bloom.y, radius * 0.15, { from: ink }),
    ...dots(bloom, 9, radius * 0.1, radius * 0.018, heart),
    disc(bloom.x, bloom.y, radius * 0.055, { from: mixed(heart, ink, 0.25) }),
  ];
};

/** Foliage: a thicket of large leaves, botanical sprays, fallen leaves, trailing stems. */
import { mixed } from "../lib/colour.ts";
import { pick, randomSequence } from "../lib/random.ts";
import { petalKernel } from "./floral/petal-kernel.ts";
import { petalTables } from "./floral/petal-tables.ts";
import { fallen, sprays, thicket, trailing } from "./leaves/compositions.ts";
import { themeOf } from "./leaves/theme.ts";
import { definePreset } from "./preset.ts";

/** Compositions, and how often each has a dark ground. */
const COMPOSITIONS = [
  { compose: thicket, darkness: 0.75 },
  { compose: sprays, darkness: 0.4 },
  { compose: fallen, darkness: 0.4 },
  { compose: trailing, darkness: 0.5 },
] as const;

export const leaves = definePreset({
  id: "leaves",
  title: "Leaves",
  description: "Foliage: a thicket of monstera and palms, sprays, fallen leaves, trailing stems.",
  tiles: true,
  kernel: petalKernel,
  prepare(seed, palette) {
    const random = randomSequence(seed, 5);
    const { compose, darkness } = pick(random, COMPOSITIONS);
    const theme = themeOf(random, palette, darkness);
    const { shapes, list, starts } = petalTables(compose(random, theme));
    const ink = mixed(theme.ink, theme.ground, 0.1);
    return [shapes, list, starts, Float32Array.from([...theme.ground, ...ink])];
  },
});

/** A botanical print: layered flowers and foliage on a calm ground. */
import { mixed } from "../lib/colour.ts";
import { randomSequence } from "../lib/random.ts";
import { compose } from "./floral/composition.ts";
import { petalKernel } from "./floral/petal-kernel.ts";
import { petalTables } from "./floral/petal-tables.ts";
import { themeOf } from "./floral/theme.ts";
import { definePreset } from "./preset.ts";

export const floral = definePreset({
  id: "floral",
  title: "Floral",
  description: "A botanical print: layered flowers, leaves and berries on a calm ground.",
  tiles: true,
  kernel: petalKernel,
  prepare(seed, palette) {
    const random = randomSequence(seed, 1);
    const theme = themeOf(random, palette);
    const { shapes, list, starts } = petalTables(compose(random, theme));
    const ink = mixed(theme.palette.ink, theme.ground, 0.1);
    return [shapes, list, starts, Float32Array.from([...theme.ground, ...ink])];
  },
});

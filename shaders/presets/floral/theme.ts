/** Plants and colours of one floral print. */
import { type Linear, lightened, lightness, mixed } from "../../lib/colour.ts";
import { between, pick, type Random, shuffled } from "../../lib/random.ts";
import type { Palette } from "../palette.ts";
import { anemone } from "./anemone.ts";
import { berries } from "./berries.ts";
import type { Flower } from "./bloom.ts";
import { cherry } from "./cherry.ts";
import { clematis } from "./clematis.ts";
import { daisy } from "./daisy.ts";
import { fern } from "./fern.ts";
import { grass } from "./grass.ts";
import type { Foliage } from "./growth.ts";
import { leaf } from "./leaf.ts";
import { peony } from "./peony.ts";

const FLOWERS: readonly Flower[] = [daisy, anemone, peony, cherry, clematis];
const FOLIAGE: readonly Foliage[] = [leaf, fern, berries, grass];

/** Few kinds and colours, for a coherent print. */
export interface Theme {
  readonly palette: Palette;
  readonly ground: Linear;
  readonly blooms: readonly { flower: Flower; petal: Linear; heart: Linear }[];
  readonly foliage: readonly Foliage[];
  readonly greens: readonly Linear[];
}

/** Chooses a ground, dark or light, and what grows on it. */
export function themeOf(random: Random, palette: Palette): Theme {
  const dark = random() < 0.45;
  const ground = dark
    ? mixed(palette.ink, pick(random, palette.colours), 0.12)
    : mixed(palette.paper, pick(random, palette.colours), between(random, 0, 0.14));
  const pale = mixed(palette.paper, palette.accent, dark ? 0.06 : 0.55);
  // A flower that is as light as the ground takes a tint of the palette's first two colours.
  const petals = shuffled(random, [...palette.colours, pale])
    .map((colour, index) => {
      const apart = Math.abs(lightness(colour) - lightness(ground));
      return apart > 0.15 ? colour : lightened(palette.colours[index % 2], 0.09);
    })
    .map((colour) => (dark && lightness(colour) < 0.5 ? lightened(colour, 0.12) : colour))
    .slice(0, 4);
  const flowers = shuffled(random, FLOWERS);
  return {
    palette,
    ground,
    blooms: petals.map((petal, index) => ({
      flower: flowers[index % 3],
      petal,
      heart: lightness(petal) > 0.8 ? palette.accent : mixed(palette.accent, palette.paper, 0.25),
    })),
    foliage: shuffled(random, FOLIAGE).slice(0, 3),
    greens: [
      dark ? lightened(palette.leaf, 0.03) : palette.leaf,
      mixed(palette.leaf, palette.ink, 0.3),
      mixed(palette.leaf, palette.accent, 0.3),
    ],
  };
}

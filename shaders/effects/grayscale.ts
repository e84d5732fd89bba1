/** Converts to black and white like film with a coloured filter. */

import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { keysOf } from "../lib/keys-of.ts";
import { float32sOf, layout, type RecordOf, RGB } from "../lib/layout.ts";
import { packLight, unpack } from "../lib/pack.ts";
import { mix } from "../lib/paint.ts";
import { stages } from "../lib/stages.ts";
import { Strength } from "../parameters.ts";
import { definePointwise } from "./effect.ts";
import { LINEAR } from "./lib/linear-table.ts";
import { decoded } from "./lib/oklab.ts";

/**
 * Shares of red, green and blue light that the filters let through. With none, a colour becomes
 * the grey of its own luminance (ITU-R BT.709); a filter lightens its own colour and darkens the
 * opposite one, and the exposure compensates for the light that it takes from white.
 */
const FILTERS = {
  none: [1, 1, 1],
  yellow: [1, 1, 0.1],
  orange: [1, 0.5, 0.05],
  red: [1, 0.08, 0.02],
  green: [0.25, 1, 0.25],
  blue: [0.1, 0.3, 1],
} as const;

const filterIds = keysOf(FILTERS);

const SETTINGS = layout({ weights: RGB, share: 1 });

/**
 * Mixes light with its own grey: without a filter luminance is kept at every strength.
 * @param linear linear light of the bytes 0…255
 * @param settings weights of red, green and blue, which sum to 1, and the share of grey
 */
function removeColour(
  this: KernelThis,
  colour: Float32Array,
  linear: Float32Array,
  settings: RecordOf<typeof SETTINGS>,
): number {
  const light = decoded(unpack(colour[this.thread.x]), linear);
  const { weights } = settings;
  const grey = weights.red * light.red + weights.green * light.green + weights.blue * light.blue;
  return packLight(mix(light, { red: grey, green: grey, blue: grey }, settings.share));
}

export const grayscale = definePointwise({
  id: "grayscale",
  title: "Grayscale",
  description:
    "Converts to black and white of the same luminance, or like film with a coloured filter.",
  params: Type.Object(
    {
      filter: Type.Enum(filterIds, {
        default: "none",
        description:
          "Coloured filter in front of the lens: lightens its own colour and darkens the opposite.",
      }),
      strength: Strength(1, "Share of grey: 0 changes nothing, 1 removes all colour."),
    },
    { additionalProperties: false },
  ),
  neutral: { strength: 0 },
  kernel: {
    run: removeColour,
    helpers: [decoded, ...stages],
    records: { settings: SETTINGS },
  },
  prepare({ filter, strength }) {
    const [red, green, blue] = FILTERS[filter];
    const through = [0.2126 * red, 0.7152 * green, 0.0722 * blue];
    const white = through.reduce((sum, light) => sum + light);
    const weights = through.map((light) => light / white);
    return [LINEAR, float32sOf({ weights, share: strength }, SETTINGS)];
  },
});

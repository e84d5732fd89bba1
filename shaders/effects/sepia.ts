/** Tones pictures brown, like old prints. */
import Type from "typebox";
import { linearFromOklab } from "../lib/colour.ts";
import { Strength } from "../parameters.ts";
import { definePointwise } from "./effect.ts";
import { rampArguments, rampKernel } from "./lib/ramp.ts";

/**
 * Returns the colour of a print at a lightness: reddish brown in the shadows (48° in OKLab), yellowish
 * in the lights (78°), and most colourful between, where the toned silver is thick enough to
 * colour and thin enough to transmit light. Yellowed paper adds to it, most in the lights.
 */
function toned(lightness: number, age: number) {
  const hue = ((48 + 30 * lightness) * Math.PI) / 180;
  const silver = 0.06 * (4 * lightness * (1 - lightness)) ** 1.3;
  const chroma = silver + 0.03 * age * lightness;
  const printed = lightness + age * (0.16 * (1 - lightness) - 0.04 * lightness);
  return linearFromOklab([printed, chroma * Math.cos(hue), chroma * Math.sin(hue)]);
}

export const sepia = definePointwise({
  id: "sepia",
  title: "Sepia",
  description:
    "Tones by lightness like a sulphide bath: neutral black, brown midtones, creamy lights.",
  params: Type.Object(
    {
      strength: Strength(0.9, "Share of the toned picture; 0 changes nothing."),
      age: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.3,
        description: "Fading of blacks and yellowing of the paper; 0 is a fresh print.",
      }),
    },
    { additionalProperties: false },
  ),
  neutral: { strength: 0 },
  kernel: rampKernel,
  prepare: ({ age, strength }) => rampArguments(strength, (lightness) => toned(lightness, age)),
});

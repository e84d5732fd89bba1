/** Maps a picture to the colours of a palette. */

import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { linearFromHex, oklabFromLinear } from "../lib/colour.ts";
import { float32sOf, layout, type RecordOf } from "../lib/layout.ts";
import { packRgb, unpack } from "../lib/pack.ts";
import { stages } from "../lib/stages.ts";
import { coloursOf } from "../palettes.ts";
import { PaletteChoice, Strength } from "../parameters.ts";
import { definePointwise } from "./effect.ts";
import { gradientOf } from "./lib/gradient.ts";
import { LINEAR } from "./lib/linear-table.ts";
import { decoded, lightOfOklab, type Oklab, oklabOf, oklabStages } from "./lib/oklab.ts";

/** Maximum number of colours of a palette. */
const MOST = 16;

const LAB = layout({ lightness: 1, a: 1, b: 1 });

const SETTINGS = layout({
  /** 1 for the gradient. */
  gradient: 1,
  strength: 1,
  /** Share of the pixel's lightness. */
  kept: 1,
  /** Above 0. */
  softness: 1,
});
type Settings = RecordOf<typeof SETTINGS>;

/** Squared. */
function distanceOf(one: Oklab, other: Oklab): number {
  const lightness = one.lightness - other.lightness;
  const a = one.a - other.a;
  const b = one.b - other.b;
  return lightness * lightness + a * a + b * b;
}

/**
 * The nearest of `count` colours. With a softness s, every colour less than s farther away than the
 * nearest one has the weight (1 − excess/s)²: borders blend only where two colours fit nearly
 * equally well, where nearest colours alone would break a soft gradient into specks.
 */
function nearestColour(
  pixel: Oklab,
  palette: readonly Oklab[],
  count: number,
  softness: number,
): Oklab {
  let least = 1000000;
  for (let n = 0; n < count; n++) least = Math.min(least, distanceOf(palette[n], pixel));
  const nearest = Math.sqrt(least);
  let total = 0;
  let lightness = 0;
  let a = 0;
  let b = 0;
  for (let n = 0; n < count; n++) {
    const colour = palette[n];
    const distance = Math.sqrt(distanceOf(colour, pixel));
    const near = Math.max(1 - (distance - nearest) / softness, 0);
    const weight = near * near;
    total += weight;
    lightness += weight * colour.lightness;
    a += weight * colour.a;
    b += weight * colour.b;
  }
  return { lightness: lightness / total, a: a / total, b: b / total };
}

/**
 * Mixes a pixel with `share` of a colour that takes on `kept` of the pixel's lightness. It becomes
 * its own tint or shade: its chroma shrinks along the line to white or black, which stays inside the
 * gamut.
 */
function redrawn(pixel: Oklab, chosen: Oklab, kept: number, share: number): Oklab {
  const lightness = chosen.lightness + (pixel.lightness - chosen.lightness) * kept;
  const tint = (1 - lightness) / Math.max(1 - chosen.lightness, 0.0001);
  const shade = lightness / Math.max(chosen.lightness, 0.0001);
  const chroma = Math.min(Math.min(tint, shade), 1);
  return {
    lightness: pixel.lightness + (lightness - pixel.lightness) * share,
    a: pixel.a + (chosen.a * chroma - pixel.a) * share,
    b: pixel.b + (chosen.b * chroma - pixel.b) * share,
  };
}

/**
 * Maps a pixel, by distances in OKLab.
 * @param linear linear light of the bytes 0…255
 * @param palette up to 16 colours
 * @param gradient colours for the lightness 0…1, 1024 of them
 * @param count colours of the palette; for the gradient 1, because none is compared
 */
function mapColour(
  this: KernelThis,
  colour: Float32Array,
  linear: Float32Array,
  palette: readonly Oklab[],
  gradient: readonly Oklab[],
  settings: Settings,
  count: number,
): number {
  const pixel = oklabOf(decoded(unpack(colour[this.thread.x]), linear));
  const nearest = nearestColour(pixel, palette, count, settings.softness);
  const step = gradient[Math.min(Math.floor(pixel.lightness * 1023 + 0.5), 1023)];
  const chosen = {
    lightness: settings.gradient > 0.5 ? step.lightness : nearest.lightness,
    a: settings.gradient > 0.5 ? step.a : nearest.a,
    b: settings.gradient > 0.5 ? step.b : nearest.b,
  };
  return packRgb(lightOfOklab(redrawn(pixel, chosen, settings.kept, settings.strength)));
}

export const paletteMap = definePointwise({
  id: "palette_map",
  title: "Palette",
  description: "Redraws the picture in the colours of a palette, matched in OKLab.",
  params: Type.Object(
    {
      palette: PaletteChoice({
        default: "arts_and_crafts",
        description: "Id of a palette, or a list of 2 to 16 colours as #rrggbb.",
      }),
      mode: Type.Enum(["nearest", "gradient"], {
        default: "nearest",
        description:
          "nearest: each pixel gets the most similar colour; gradient: the colours from dark to light, by lightness alone.",
      }),
      softness: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.12,
        description:
          "Width of the blend between neighbouring colours of the palette, in OKLab distance (black to white is 1); 0 is a hard border. For nearest.",
      }),
      keep_lightness: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.5,
        description:
          "Share of the pixel's own lightness: 0 gives only the palette's colours, 1 keeps light and shade as their tints.",
      }),
      strength: Strength(1, "Share of the palette's colour; 0 changes nothing."),
    },
    { additionalProperties: false },
  ),
  neutral: { strength: 0 },
  kernel: {
    run: mapColour,
    helpers: [nearestColour, distanceOf, redrawn, ...oklabStages, ...stages],
    records: { palette: LAB, gradient: LAB, settings: SETTINGS },
  },
  prepare({ palette, mode, softness, keep_lightness, strength }) {
    const colours = coloursOf(palette).map((hex) => oklabFromLinear(linearFromHex(hex)));
    const places = new Float32Array(MOST * LAB.size);
    places.set(colours.flat());
    const gradient = mode === "gradient";
    return [
      LINEAR,
      places,
      gradientOf(colours),
      float32sOf(
        {
          gradient: gradient ? 1 : 0,
          strength,
          kept: keep_lightness,
          softness: Math.max(softness, 1e-9),
        },
        SETTINGS,
      ),
      gradient ? 1 : colours.length,
    ];
  },
});

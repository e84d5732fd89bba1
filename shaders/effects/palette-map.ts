/** Maps a picture to the colours of a palette. */

import Type from "typebox";
import type { KernelThis } from "../kernel.ts";
import { type Linear, linearFromHex, oklabFromLinear } from "../lib/colour.ts";
import { float32sOf, layout, type RecordOf } from "../lib/layout.ts";
import { packRgb, unpack } from "../lib/pack.ts";
import { stages } from "../lib/stages.ts";
import { coloursOf, sharesOf } from "../palettes.ts";
import { PaletteChoice, Strength } from "../parameters.ts";
import { CHROMA_WEIGHT, definePointwise, PICTURE_COLOURS, type PictureColour } from "./effect.ts";
import { gradientOf } from "./lib/gradient.ts";
import { LINEAR } from "./lib/linear-table.ts";
import { matchedColours } from "./lib/matched-colours.ts";
import { decoded, lightOfOklab, type Oklab, oklabOf, oklabStages } from "./lib/oklab.ts";

/** Maximum number of colours of a palette, and of a picture. */
const MOST = PICTURE_COLOURS;

const LAB = layout({ lightness: 1, a: 1, b: 1 });

const SETTINGS = layout({
  /** 1 for the gradient. */
  gradient: 1,
  strength: 1,
  /** Share of the pixel's lightness. */
  kept: 1,
  /** Above 0. */
  softness: 1,
  /** Weight of chroma in distances. */
  chroma: 1,
});
type Settings = RecordOf<typeof SETTINGS>;

/** Returns the squared distance, chroma multiplied by `weight`. */
function distanceOf(one: Oklab, other: Oklab, weight: number): number {
  const lightness = one.lightness - other.lightness;
  const a = weight * (one.a - other.a);
  const b = weight * (one.b - other.b);
  return lightness * lightness + a * a + b * b;
}

/** What a pixel is redrawn in. */
interface Ink extends Oklab {
  /** Lightness of the pixels that take the ink as it is. */
  readonly from: number;
}

/**
 * Returns the colour of `palette` whose counterpart in `picture` is nearest to a pixel, of `count`. With
 * a softness s, every colour less than s farther away than the nearest one has the weight
 * (1 − excess/s)²: borders blend only where two colours fit nearly equally well, where nearest colours
 * alone would break a soft gradient into specks.
 */
function nearestColour(
  pixel: Oklab,
  picture: readonly Oklab[],
  palette: readonly Oklab[],
  count: number,
  softness: number,
  chroma: number,
): Ink {
  let least = 1000000;
  for (let n = 0; n < count; n++) least = Math.min(least, distanceOf(picture[n], pixel, chroma));
  const nearest = Math.sqrt(least);
  let total = 0;
  let lightness = 0;
  let a = 0;
  let b = 0;
  let from = 0;
  for (let n = 0; n < count; n++) {
    const distance = Math.sqrt(distanceOf(picture[n], pixel, chroma));
    const near = Math.max(1 - (distance - nearest) / softness, 0);
    const weight = near * near;
    total += weight;
    lightness += weight * palette[n].lightness;
    a += weight * palette[n].a;
    b += weight * palette[n].b;
    from += weight * picture[n].lightness;
  }
  return { lightness: lightness / total, a: a / total, b: b / total, from: from / total };
}

/**
 * Mixes a pixel with `share` of an ink that takes on `kept` of the pixel's shade. It becomes its own
 * tint or shade: its chroma shrinks along the line to white or black, which stays inside the
 * gamut.
 */
function redrawn(pixel: Oklab, chosen: Ink, kept: number, share: number): Oklab {
  const shaded = chosen.lightness + (pixel.lightness - chosen.from) * kept;
  const lightness = Math.min(Math.max(shaded, 0), 1);
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
 * @param picture up to 16 colours, which pixels are compared with
 * @param palette the colours that these become
 * @param gradient colours for the lightness 0…1, 1024 of them
 * @param count of these colours; for the gradient 1, because none is compared
 */
function mapColour(
  this: KernelThis,
  colour: Float32Array,
  linear: Float32Array,
  picture: readonly Oklab[],
  palette: readonly Oklab[],
  gradient: readonly Oklab[],
  settings: Settings,
  count: number,
): number {
  const pixel = oklabOf(decoded(unpack(colour[this.thread.x]), linear));
  const nearest = nearestColour(pixel, picture, palette, count, settings.softness, settings.chroma);
  const step = gradient[Math.min(Math.floor(pixel.lightness * 1023 + 0.5), 1023)];
  const isGradient = settings.gradient > 0.5;
  const chosen = {
    lightness: isGradient ? step.lightness : nearest.lightness,
    a: isGradient ? step.a : nearest.a,
    b: isGradient ? step.b : nearest.b,
    from: isGradient ? step.lightness : nearest.from,
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
      mode: Type.Enum(["proportional", "nearest", "gradient"], {
        default: "proportional",
        description:
          "proportional: the main colours of the picture become those of the palette, about in its proportions, and stay in the order of their lightness; nearest: each pixel gets the most similar colour; gradient: the colours from dark to light, by lightness alone.",
      }),
      softness: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.12,
        description:
          "Width of the blend between neighbouring colours of the palette, in OKLab distance (black to white is 1); 0 is a hard border. Not for gradient.",
      }),
      keep_lightness: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.5,
        description:
          "Share of the picture's own light and shade within a colour: 0 gives only the palette's colours, 1 keeps all of it as their tints.",
      }),
      strength: Strength(1, "Share of the palette's colour; 0 changes nothing."),
    },
    { additionalProperties: false },
  ),
  neutral: { strength: 0 },
  kernel: {
    run: mapColour,
    helpers: [nearestColour, distanceOf, redrawn, ...oklabStages, ...stages],
    records: { picture: LAB, palette: LAB, gradient: LAB, settings: SETTINGS },
  },
  readsColours: ({ mode }) => mode === "proportional",
  prepare({ palette, mode, softness, keep_lightness, strength }, pictureColours) {
    const colours = coloursOf(palette).map((hex) => oklabFromLinear(linearFromHex(hex)));
    const isProportional = mode === "proportional" && pictureColours.length > 0;
    const picture = isProportional ? pictureColours.map(({ colour }) => colour) : colours;
    const matched = isProportional
      ? matchedColours(pictureColours, withShares(colours, sharesOf(palette)))
      : colours;
    const chroma = isProportional ? CHROMA_WEIGHT : 1;
    // Colours of a picture lie closer together than those of a palette, and so do their borders.
    const closer = isProportional ? Math.min(spacing(picture, chroma) / spacing(colours, 1), 1) : 1;
    const isGradient = mode === "gradient";
    return [
      LINEAR,
      tableOf(picture),
      tableOf(matched),
      gradientOf(colours),
      float32sOf(
        {
          gradient: isGradient ? 1 : 0,
          strength,
          kept: keep_lightness,
          softness: Math.max(softness * closer, 1e-9),
          chroma,
        },
        SETTINGS,
      ),
      isGradient ? 1 : picture.length,
    ];
  },
});

function tableOf(colours: readonly Linear[]): Float32Array {
  const table = new Float32Array(MOST * LAB.size);
  table.set(colours.flat());
  return table;
}

const withShares = (colours: readonly Linear[], shares: readonly number[]): PictureColour[] =>
  colours.map((colour, n) => ({ colour, share: shares[n] }));

/** Returns the mean distance from a colour to the next one, chroma multiplied by `weight`; at least 0.01. */
function spacing(colours: readonly Linear[], weight: number): number {
  const distances = colours.map((one, n) =>
    Math.min(
      1,
      ...colours
        .filter((_, m) => m !== n)
        .map((other) =>
          Math.hypot(one[0] - other[0], weight * (one[1] - other[1]), weight * (one[2] - other[2])),
        ),
    ),
  );
  return Math.max(distances.reduce((sum, distance) => sum + distance, 0) / distances.length, 0.01);
}

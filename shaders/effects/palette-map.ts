/** Maps a picture to the colours of a palette. */
import Type from "typebox";
import { type Linear, linearFromHex, oklabFromLinear } from "../lib/colour.ts";
import { coloursOf, sharesOf } from "../palettes.ts";
import { PaletteChoice, Strength } from "../parameters.ts";
import { CHROMA_WEIGHT, definePointwise, type PictureColour } from "./effect.ts";
import { gradientOf } from "./lib/gradient.ts";
import { type Matching, matchedColours } from "./lib/matched-colours.ts";
import { redrawArguments, redrawKernel } from "./lib/redraw.ts";

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
  kernel: redrawKernel,
  readsColours: ({ mode }) => mode === "proportional",
  prepare({ palette, mode, softness, keep_lightness, strength }, pictureColours) {
    const colours = coloursOf(palette).map((hex) => oklabFromLinear(linearFromHex(hex)));
    const isProportional = mode === "proportional" && pictureColours.length > 0;
    const picture = isProportional ? pictureColours.map(({ colour }) => colour) : colours;
    const matched = isProportional
      ? matchedColours(pictureColours, withShares(colours, sharesOf(palette)), MATCHING)
      : colours;
    const chroma = isProportional ? CHROMA_WEIGHT : 1;
    // Colours of a picture lie closer together than those of a palette, and so do their borders.
    const closer = isProportional ? Math.min(spacing(picture, chroma) / spacing(colours, 1), 1) : 1;
    return redrawArguments({
      picture,
      palette: matched,
      ...(mode === "gradient" && { gradient: gradientOf(colours) }),
      strength,
      kept: keep_lightness,
      softness: softness * closer,
      chroma,
    });
  },
});

const MATCHING: Matching = { isRelative: true, chromaCost: 2.5, shareCost: 0.02 };

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

/** Redraws pixels in other colours, by the colours of the picture that they are nearest to. */
import type { Kernel, KernelThis } from "../../kernel.ts";
import type { Linear } from "../../lib/colour.ts";
import { float32sOf, layout, type RecordOf } from "../../lib/layout.ts";
import { packRgb, unpack } from "../../lib/pack.ts";
import { stages } from "../../lib/stages.ts";
import { PICTURE_COLOURS } from "../effect.ts";
import { GRADIENT_STEPS } from "./gradient.ts";
import { LINEAR } from "./linear-table.ts";
import { decoded, lightOfOklab, type Oklab, oklabOf, oklabStages } from "./oklab.ts";

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
 * Returns the colour of `palette` whose counterpart in `picture` is nearest to a pixel, of `count`; the
 * first one of two that are equally near. With a softness s above 0, every colour less than s farther away
 * than the nearest one has the weight (1 − excess/s)²: borders blend only where two colours fit nearly
 * equally well, where nearest colours alone would break a soft gradient into specks.
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
  let first = 0;
  for (let n = 0; n < count; n++) {
    const distance = distanceOf(picture[n], pixel, chroma);
    first = distance < least ? n : first;
    least = Math.min(least, distance);
  }
  const nearest = Math.sqrt(least);
  let total = 0;
  let lightness = 0;
  let a = 0;
  let b = 0;
  let from = 0;
  for (let n = 0; n < count; n++) {
    const distance = Math.sqrt(distanceOf(picture[n], pixel, chroma));
    const near = Math.max(1 - (distance - nearest) / Math.max(softness, 0.000000001), 0);
    const hard = n === first ? 1 : 0;
    const weight = softness > 0 ? near * near : hard;
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

export const redrawKernel: Kernel = {
  run: mapColour,
  helpers: [nearestColour, distanceOf, redrawn, ...oklabStages, ...stages],
  records: { picture: LAB, palette: LAB, gradient: LAB, settings: SETTINGS },
};

/** How pixels are redrawn. */
export interface Redrawing {
  /** Colours in OKLab that pixels are compared with, at most 16. */
  readonly picture: readonly Linear[];
  /** The colours that these become. */
  readonly palette: readonly Linear[];
  /** Table of `gradientOf`, where pixels are redrawn by their lightness alone. */
  readonly gradient?: Float32Array;
  /** Weight of chroma, relative to lightness, in distances. */
  readonly chroma: number;
  /** Width of the blend between neighbouring colours, in OKLab distance. */
  readonly softness: number;
  /** Share of a pixel's own light and shade. */
  readonly kept: number;
  readonly strength: number;
}

/** Returns the arguments of `redrawKernel`. */
export function redrawArguments({
  picture,
  palette,
  gradient,
  softness,
  ...settings
}: Redrawing): readonly (number | Float32Array)[] {
  return [
    LINEAR,
    tableOf(picture),
    tableOf(palette),
    gradient ?? NO_GRADIENT,
    float32sOf({ gradient: gradient ? 1 : 0, softness, ...settings }, SETTINGS),
    gradient ? 1 : picture.length,
  ];
}

const NO_GRADIENT = new Float32Array(GRADIENT_STEPS * LAB.size);

function tableOf(colours: readonly Linear[]): Float32Array {
  const table = new Float32Array(PICTURE_COLOURS * LAB.size);
  table.set(colours.flat());
  return table;
}

/**
 * Kernel that samples a source under a plane group. Positions are folded into the fundamental
 * domain, one thread a pixel.
 */

import type { Kernel } from "./kernel.ts";
import { layout, type RecordOf, type Rgb } from "./lib/layout.ts";
import { withLight } from "./lib/light.ts";
import { smooth } from "./lib/noise.ts";
import { packRgb } from "./lib/pack.ts";
import { lit, saturate } from "./lib/paint.ts";
import { SOURCE, type SourceSample, type SourceThis, sampleSource } from "./lib/source.ts";
import { stages } from "./lib/stages.ts";

/** The weight of a position is `limit` − |x·px + y·py + k|, eased from 0 to 1. */
const FACTOR = layout({ limit: 1, x: 1, y: 1, k: 1 });

/** An element of a window: the map from the domain to the source's pixels, and its weight's factors. */
export const ELEMENT = layout({ a: 1, b: 1, e: 1, c: 1, d: 1, f: 1, factors: [FACTOR, 2] });
export type ElementRecord = RecordOf<typeof ELEMENT>;

/** Samples the source where an element maps a position. */
export function sampleElement(
  colours: readonly Float32Array[],
  alphas: readonly Float32Array[],
  hasAlpha: number,
  element: ElementRecord,
  px: number,
  py: number,
  source: RecordOf<typeof SOURCE>,
): SourceSample {
  const x = element.a * px + element.b * py + element.e;
  const y = element.c * px + element.d * py + element.f;
  return sampleSource(colours, alphas, hasAlpha, x, y, source);
}

/** Returns how far inside a factor's limit a position lies. */
const depthIn = (factor: RecordOf<typeof FACTOR>, px: number, py: number) =>
  factor.limit - Math.abs(factor.x * px + factor.y * py + factor.k);

/** Rec. 709. */
const luminanceOf = (red: number, green: number, blue: number) =>
  0.2126 * red + 0.7152 * green + 0.0722 * blue;

/**
 * Returns the gain that restores the contrast lost by averaging: it depends on how much the samples
 * differ, by their variance (docs/adr/0012). Lightness is the square root of luminance.
 * @param average mean lightness of the samples
 * @param share sum of the squared weights over the square of their sum
 * @param mean lightness of the whole source
 */
function contrastGain(colour: Rgb, average: number, share: number, mean: number): number {
  const { red, green, blue } = colour;
  const luminance = Math.max(luminanceOf(red, green, blue), 0.000001);
  const variance = Math.max(luminance - average * average, 0);
  const deviation = Math.max(luminance - 2 * mean * average + mean * mean, 0.000001);
  const lost = (variance * (1 + 4 * share * (1 - share))) / (share * deviation);
  const wanted = Math.max(mean + (Math.sqrt(luminance) - mean) * Math.sqrt(1 + lost), 0);
  const highest = Math.max(Math.max(red, green), Math.max(blue, 0.000001));
  return Math.min((wanted * wanted) / luminance, 1 / highest);
}

/**
 * The windowed orbit: the weighted mean of the source at g·p over the elements g of a window. All of them are
 * sampled, also those without weight: on `webasm` a condition that differs from pixel to pixel costs more.
 * @param x, y positions in the fundamental domain, relative to its centre, in cell edges
 * @param count number of elements
 * @param keepContrast 1 to restore the contrast lost by mixing
 * @param wanted 0: packed colours, 1: alphas, 0…255
 */
function orbit(
  this: SourceThis,
  x: Float32Array,
  y: Float32Array,
  elements: readonly ElementRecord[],
  count: number,
  keepContrast: number,
  wanted: number,
  source: RecordOf<typeof SOURCE>,
): number {
  const { colours, alphas, hasAlpha } = this.constants;
  const px = x[this.thread.x];
  const py = y[this.thread.x];
  if (count < 2) {
    const only = sampleElement(colours, alphas, hasAlpha, elements[0], px, py, source);
    if (wanted > 0) return Math.floor(only.alpha * 255 + 0.5);
    let light: Rgb = { red: only.red, green: only.green, blue: only.blue };
    if (hasAlpha > 0) {
      const opaque = Math.max(only.alpha, 0.000001);
      light = { red: only.red / opaque, green: only.green / opaque, blue: only.blue / opaque };
    }
    return packRgb(light);
  }
  let red = 0;
  let green = 0;
  let blue = 0;
  let alpha = 0;
  let lightness = 0;
  let total = 0;
  let squares = 0;
  for (let n = 0; n < count; n++) {
    const element = elements[n];
    const weight =
      smooth(saturate(depthIn(element.factors[0], px, py))) *
      smooth(saturate(depthIn(element.factors[1], px, py)));
    const sample = sampleElement(colours, alphas, hasAlpha, element, px, py, source);
    red += sample.red * weight;
    green += sample.green * weight;
    blue += sample.blue * weight;
    alpha += sample.alpha * weight;
    const luminance = luminanceOf(sample.red, sample.green, sample.blue);
    lightness += Math.sqrt(luminance * sample.alpha) * weight;
    total += weight;
    squares += weight * weight;
  }
  if (wanted > 0) return Math.floor(Math.min(alpha / total, 1) * 255 + 0.5);
  const opaque = Math.max(alpha, 0.000001);
  let colour: Rgb = { red: red / opaque, green: green / opaque, blue: blue / opaque };
  if (keepContrast > 0) {
    const share = squares / (total * total);
    const gain = contrastGain(colour, lightness / opaque, share, source.meanLightness);
    colour = lit(colour, gain);
  }
  return packRgb(colour);
}

/** The windowed orbit. */
export const orbitKernel: Kernel = {
  run: orbit,
  helpers: [sampleElement, depthIn, luminanceOf, contrastGain, ...stages],
  records: { elements: ELEMENT, source: SOURCE },
};

/** The windowed orbit of a source's light. */
export const orbitOfLightKernel: Kernel = withLight(orbitKernel);

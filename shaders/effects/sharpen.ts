/** Amplifies small differences of lightness. */
import Type from "typebox";
import { defineTorusEffect, type Torus } from "./effect.ts";
import { inBands, pixelSize } from "./torus/bands.ts";
import { blurredLightness, lightnessPlane } from "./torus/lightness.ts";

/** Lightness, whole numbers. */
interface Planes {
  readonly sharp: Uint16Array;
  readonly soft: Uint16Array;
}

/** Lightness 0…65535, except the factor. */
interface Settings {
  readonly factor: number;
  readonly threshold: number;
  readonly halo: number;
}

/**
 * Unsharp masking of the lightness: a pixel's difference from its surroundings is added to all
 * three channels equally, so that edges get no coloured fringes. A pixel exceeds the lightest and
 * darkest of the nine pixels around it by at most `halo`.
 */
function sharpenRows(
  { colour, width, height }: Torus,
  { sharp, soft }: Planes,
  { factor, threshold, halo }: Settings,
  from: number,
  to: number,
): void {
  const lowest = new Uint16Array(width);
  const highest = new Uint16Array(width);
  for (let y = from; y < to; y++) {
    const row = y * width;
    const above = ((y + height - 1) % height) * width;
    const below = ((y + 1) % height) * width;
    for (let x = 0; x < width; x++) {
      lowest[x] = Math.min(sharp[above + x], sharp[row + x], sharp[below + x]);
      highest[x] = Math.max(sharp[above + x], sharp[row + x], sharp[below + x]);
    }
    for (let x = 0; x < width; x++) {
      const here = sharp[row + x];
      const difference = here - soft[row + x];
      const size = Math.abs(difference);
      if (size <= threshold) continue;
      const share = Math.min((size - threshold) / (threshold + 1), 1);
      const left = x === 0 ? width - 1 : x - 1;
      const right = x === width - 1 ? 0 : x + 1;
      const low = Math.min(lowest[left], lowest[x], lowest[right]) - halo;
      const high = Math.max(highest[left], highest[x], highest[right]) + halo;
      const wanted = here + factor * share * difference;
      colour[row + x] = lightened(colour[row + x], Math.min(Math.max(wanted, low), high) - here);
    }
  }
}

/** Adds the same amount, in 65535ths of their range, to all channels of a packed colour. */
function lightened(packed: number, by: number): number {
  const steps = by / 257;
  const red = Math.min(Math.max(((packed >> 16) & 255) + steps, 0), 255);
  const green = Math.min(Math.max(((packed >> 8) & 255) + steps, 0), 255);
  const blue = Math.min(Math.max((packed & 255) + steps, 0), 255);
  return ((red + 0.5) << 16) | ((green + 0.5) << 8) | (blue + 0.5);
}

export const sharpen = defineTorusEffect({
  id: "sharpen",
  title: "Sharpen",
  description: "Sharpens edges and fine texture, without coloured fringes or bright halos.",
  params: Type.Object(
    {
      amount: Type.Number({
        minimum: 0,
        maximum: 4,
        default: 1,
        description: "Amplification of differences: 1 doubles them, 0 changes nothing.",
      }),
      radius: Type.Number({
        minimum: 0.0005,
        maximum: 0.05,
        default: 0.004,
        description:
          "Standard deviation of the surroundings with which a pixel is compared, in edges of the cell.",
      }),
      threshold: Type.Number({
        minimum: 0,
        maximum: 0.2,
        default: 0.008,
        description:
          "Differences up to this share of the range from black to white, such as grain and noise, are not amplified.",
      }),
      halo: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.06,
        description:
          "Maximum by which a pixel may exceed the lightest and darkest of its neighbours, as a share of the range from black to white.",
      }),
    },
    { additionalProperties: false },
  ),
  neutral: { amount: 0 },
  async apply(torus, { amount, radius, threshold, halo }, context) {
    if (amount === 0) return torus;
    const pixel = pixelSize(torus);
    const sigma = { x: radius / pixel.x, y: radius / pixel.y };
    const soft = await blurredLightness(torus, sigma, context);
    const planes = { sharp: lightnessPlane(torus, soft), soft };
    const settings = { factor: amount, threshold: threshold * 65535, halo: halo * 65535 };
    await inBands(torus, context, (from, to) => sharpenRows(torus, planes, settings, from, to));
    return torus;
  },
});

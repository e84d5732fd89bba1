/**
 * Lightness as a plane of integers 0…65535: weighted sums of the encoded channels, which
 * approximate OKLab's lightness at little cost.
 */
import type { EffectContext, Pixels, Torus, Vector } from "../effect.ts";
import { alphaPlane } from "./alpha.ts";
import { inBands } from "./bands.ts";
import { blurPlane } from "./gaussian.ts";

/** Lightness of a packed colour: Rec. 709's weights in 257ths, so that white is 65535. */
const lightnessOf = (packed: number): number =>
  55 * ((packed >> 16) & 255) + 184 * ((packed >> 8) & 255) + 18 * (packed & 255);

/** Returns the lightness of each pixel; for a transparent one that of its surroundings. */
export function lightnessPlane({ colour, alpha }: Pixels, surroundings: Uint16Array): Uint16Array {
  const plane = opaqueLightness(colour);
  for (let i = 0; alpha !== null && i < plane.length; i++) {
    if (alpha[i] === 0) plane[i] = surroundings[i];
  }
  return plane;
}

function opaqueLightness(colour: Float32Array): Uint16Array {
  const plane = new Uint16Array(colour.length);
  // Many times as fast as `from` with a function.
  for (let i = 0; i < plane.length; i++) plane[i] = lightnessOf(colour[i]);
  return plane;
}

/**
 * The lightness of each pixel's surroundings under a Gaussian, `sigma` in pixels. A pixel counts
 * in proportion to its alpha; where all are transparent, the lightness is 0.
 */
export async function blurredLightness(
  torus: Torus,
  sigma: Vector,
  context: EffectContext,
): Promise<Uint16Array> {
  const { colour, alpha, width } = torus;
  const plane = opaqueLightness(colour);
  const spare = new Uint16Array(colour.length);
  if (alpha === null) return (await blurPlane(plane, spare, torus, sigma, context))[0];
  await inBands(torus, context, (from, to) => {
    for (let i = from * width; i < to * width; i++) plane[i] = (plane[i] * alpha[i]) / 255 + 0.5;
  });
  const [sums, free] = await blurPlane(plane, spare, torus, sigma, context);
  const weights = alphaPlane(alpha);
  const [shares] = await blurPlane(weights, free, torus, sigma, context);
  await inBands(torus, context, (from, to) => {
    for (let i = from * width; i < to * width; i++) {
      sums[i] = Math.min((sums[i] * 65535) / Math.max(shares[i], 1) + 0.5, 65535);
    }
  });
  return sums;
}

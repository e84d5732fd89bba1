/** Softens a pattern as a lens does. */
import Type from "typebox";
import { defineTorusEffect, type EffectContext, type Torus } from "./effect.ts";
import { alphaPlane } from "./torus/alpha.ts";
import { inBands, pixelSize } from "./torus/bands.ts";
import { blurPlane } from "./torus/gaussian.ts";
import { FULL, LIGHT_OF_SRGB, SRGB_OF_LIGHT } from "./torus/light.ts";

/**
 * Channels are unpacked, blurred and packed one after the other, so that no
 * more than two or three 16-bit planes exist at a time. Alpha is blurred first; colours are
 * weighted by the original alpha.
 */
async function blurTorus(torus: Torus, radius: number, context: EffectContext) {
  const { colour, alpha, width } = torus;
  const pixel = pixelSize(torus);
  const sigma = { x: radius / pixel.x, y: radius / pixel.y };
  let free: readonly [Uint16Array, Uint16Array] = [
    new Uint16Array(colour.length),
    new Uint16Array(colour.length),
  ];
  let blurredAlpha: Uint16Array | null = null;
  if (alpha !== null) {
    const [result, other] = await blurPlane(alphaPlane(alpha), free[0], torus, sigma, context);
    blurredAlpha = result;
    free = [other, free[1]];
  }
  for (const shift of [16, 8, 0]) {
    const [plane, spare] = free;
    await inBands(torus, context, (from, to) =>
      takeLight(colour, alpha, shift, plane, from * width, to * width),
    );
    free = await blurPlane(plane, spare, torus, sigma, context);
    const [result] = free;
    await inBands(torus, context, (from, to) =>
      putLight(result, blurredAlpha, shift, colour, from * width, to * width),
    );
  }
  for (let i = 0; alpha !== null && blurredAlpha !== null && i < alpha.length; i++) {
    alpha[i] = Math.round(blurredAlpha[i] / 257);
  }
  return { colour, alpha };
}

/** A channel's light, premultiplied. */
function takeLight(
  colour: Float32Array,
  alpha: Float32Array | null,
  shift: number,
  into: Uint16Array,
  first: number,
  end: number,
): void {
  for (let i = first; i < end; i++) {
    const light = LIGHT_OF_SRGB[(colour[i] >> shift) & 255];
    into[i] = alpha === null ? light : (light * alpha[i]) / 255 + 0.5;
  }
}

/** Replaces a channel by its blurred premultiplied light. */
function putLight(
  plane: Uint16Array,
  alpha: Uint16Array | null,
  shift: number,
  colour: Float32Array,
  first: number,
  end: number,
): void {
  for (let i = first; i < end; i++) {
    const light =
      alpha === null ? plane[i] : Math.min((plane[i] * FULL) / Math.max(alpha[i], 1) + 0.5, FULL);
    colour[i] = (colour[i] & ~(255 << shift)) | (SRGB_OF_LIGHT[light | 0] << shift);
  }
}

export const blur = defineTorusEffect({
  id: "blur",
  title: "Blur",
  description: "Softens the pattern evenly in all directions, like a lens out of focus.",
  params: Type.Object(
    {
      radius: Type.Number({
        minimum: 0,
        maximum: 0.1,
        default: 0.005,
        description: "Standard deviation of the Gaussian, in edges of the cell; 0 changes nothing.",
      }),
    },
    { additionalProperties: false },
  ),
  neutral: { radius: 0 },
  apply: async (torus, { radius }, context) =>
    radius === 0 ? torus : blurTorus(torus, radius, context),
});

/** Composites computed rows over a torus, in linear light. */
import type { EffectContext, Pixels, Torus } from "../effect.ts";
import { inBands } from "./bands.ts";
import { FULL, LIGHT_OF_SRGB, packLight } from "./light.ts";

/** A row of pixels: light 0…65535, not premultiplied; alpha 0…1. */
export interface Layer {
  readonly red: Float64Array;
  readonly green: Float64Array;
  readonly blue: Float64Array;
  readonly alpha: Float64Array;
}

/**
 * Mixes the torus with `strength` of the row that `paint` computes. It
 * writes into the torus; a row is painted before it is changed.
 */
export async function compositeOver(
  torus: Torus,
  strength: number,
  context: EffectContext,
  paint: (row: number, layer: Layer) => void,
): Promise<Pixels> {
  const { colour, alpha, width } = torus;
  const layer: Layer = {
    red: new Float64Array(width),
    green: new Float64Array(width),
    blue: new Float64Array(width),
    alpha: new Float64Array(width),
  };
  await inBands(torus, context, (from, to) => {
    for (let row = from; row < to; row++) {
      paint(row, layer);
      mixRow(colour, alpha, row * width, layer, strength);
    }
  });
  return { colour, alpha };
}

function mixRow(
  colour: Float32Array,
  alpha: Float32Array | null,
  first: number,
  layer: Layer,
  strength: number,
): void {
  for (let x = 0; x < layer.red.length; x++) {
    const packed = colour[first + x];
    const below = alpha === null ? 1 : alpha[first + x] / 255;
    const above = alpha === null ? 1 : layer.alpha[x];
    const visible = below + (above - below) * strength;
    // Share of the layer in the visible colour.
    const share = visible > 0 ? (above * strength) / visible : 1;
    const mix = (shift: number, light: number) => {
      const own = LIGHT_OF_SRGB[(packed >> shift) & 255];
      return Math.min(Math.max(own + (light - own) * share, 0), FULL);
    };
    colour[first + x] = packLight(
      mix(16, layer.red[x]),
      mix(8, layer.green[x]),
      mix(0, layer.blue[x]),
    );
    if (alpha !== null) alpha[first + x] = Math.round(visible * 255);
  }
}

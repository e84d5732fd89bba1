/** Bands of rows: their height, background compositing, and conversion to bytes. */
import { linearChannel, packedFromHex, packLight } from "../image/packed.ts";
import type { Samples } from "./samples.ts";

/** Rows of a sheet that pass through the steps together. */
export interface Band extends Samples {
  readonly firstRow: number;
  readonly rows: number;
}

/** Approximate pixels of a band: few enough for the cache, enough to amortise a call. */
const BAND_PIXELS = 1 << 18;

/**
 * Returns the rows of a sheet's bands; the last band may have fewer.
 * @param reach rows that an effect reads beyond a band; narrower bands would mostly copy those
 */
export function bandRows(width: number, height: number, reach: number): number {
  return Math.max(1, Math.ceil(reach / 2), Math.min(height, Math.floor(BAND_PIXELS / width)));
}

/** Composites pixels over a colour (`#rrggbb`) in linear light. */
export function compositeBackground(
  { colour, alpha }: Samples,
  background: string | null,
): Samples {
  if (alpha === null || background === null) return { colour, alpha };
  const below = packedFromHex(background);
  const composited = colour.map((above, i) => blend(above, below, (alpha[i] as number) / 255));
  return { colour: composited, alpha: null };
}

function blend(above: number, below: number, alpha: number): number {
  if (alpha === 1) return above;
  if (alpha === 0) return below;
  const channel = (shift: 16 | 8 | 0) =>
    linearChannel(above, shift) * alpha + linearChannel(below, shift) * (1 - alpha);
  return packLight(channel(16), channel(8), channel(0));
}

/** Returns pixels as bytes: RGB, or RGBA if they have alpha. */
export function bytesOf({ colour, alpha }: Samples): Uint8Array {
  return alpha === null ? rgbOf(colour) : rgbaOf(colour, alpha);
}

/**
 * Separate from `rgbaOf`: with a variable stride or a branch per pixel it takes half as long again.
 */
function rgbOf(colour: Float32Array): Uint8Array {
  const bytes = new Uint8Array(colour.length * 3);
  for (let i = 0, j = 0; i < colour.length; i++, j += 3) {
    const packed = (colour[i] as number) | 0;
    bytes[j] = packed >> 16;
    bytes[j + 1] = packed >> 8;
    bytes[j + 2] = packed;
  }
  return bytes;
}

function rgbaOf(colour: Float32Array, alpha: Float32Array): Uint8Array {
  const bytes = new Uint8Array(colour.length * 4);
  for (let i = 0, j = 0; i < colour.length; i++, j += 4) {
    const packed = (colour[i] as number) | 0;
    bytes[j] = packed >> 16;
    bytes[j + 1] = packed >> 8;
    bytes[j + 2] = packed;
    bytes[j + 3] = alpha[i] as number;
  }
  return bytes;
}

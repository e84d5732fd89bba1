/** Pixels as kernels return them. */
import { newBytes } from "../reused-array.ts";
import type { Size } from "../size.ts";
import { linearChannel, packedFromHex, packLight } from "./packed.ts";
import type { PackedImage } from "./picture.ts";

/** Packed colours (r·65536 + g·256 + b), and alpha 0…255 or null if all are opaque. */
export interface Samples {
  readonly colour: Float32Array;
  readonly alpha: Float32Array | null;
}

/** Samples in rows from the top. */
export interface SampledImage extends Samples, Size {}

/** Returns samples from … to − 1, or to the end, as views of the same memory. */
export const partOf = ({ colour, alpha }: Samples, from: number, to?: number): Samples => ({
  colour: colour.subarray(from, to),
  alpha: alpha?.subarray(from, to) ?? null,
});

/** Composites pixels over a colour (`#rrggbb`) in linear light. */
export function compositeBackground(
  { colour, alpha }: Samples,
  background: string | null,
): Samples {
  if (alpha === null || background === null) return { colour, alpha };
  const below = packedFromHex(background);
  const composited = colour.map((above, i) => blend(above, below, alpha[i] / 255));
  return { colour: composited, alpha: null };
}

function blend(above: number, below: number, alpha: number): number {
  if (alpha === 1) return above;
  if (alpha === 0) return below;
  const channel = (shift: 16 | 8 | 0) =>
    linearChannel(above, shift) * alpha + linearChannel(below, shift) * (1 - alpha);
  return packLight(channel(16), channel(8), channel(0));
}

/**
 * Returns pixels as bytes: RGB, or RGBA if they have alpha.
 * @param allocate returns the memory for them, where words begin
 */
export function bytesOf({ colour, alpha }: Samples | PackedImage, allocate = newBytes): Uint8Array {
  return alpha === null
    ? rgbOf(colour, allocate(colour.length * 3))
    : rgbaOf(colour, alpha, allocate(colour.length * 4));
}

/** Writes four pixels as three words at a time. Destructuring an array literal takes V8 three times as long here. */
function rgbOf(colour: Float32Array, bytes: Uint8Array): Uint8Array {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, (colour.length >> 2) * 3);
  let i = 0;
  for (let j = 0; j < words.length; i += 4, j += 3) {
    const a = colour[i] | 0;
    const b = colour[i + 1] | 0;
    const c = colour[i + 2] | 0;
    const d = colour[i + 3] | 0;
    words[j] = (a >> 16) | (a & 0xff00) | ((a & 255) << 16) | ((b >> 16) << 24);
    words[j + 1] = ((b >> 8) & 255) | ((b & 255) << 8) | (c & 0xff0000) | ((c & 0xff00) << 16);
    words[j + 2] = (c & 255) | ((d >> 16) << 8) | ((d & 0xff00) << 8) | ((d & 255) << 24);
  }
  for (; i < colour.length; i++) {
    const packed = colour[i] | 0;
    bytes[3 * i] = packed >> 16;
    bytes[3 * i + 1] = packed >> 8;
    bytes[3 * i + 2] = packed;
  }
  return bytes;
}

function rgbaOf(
  colour: Float32Array,
  alpha: Float32Array | Uint8Array,
  bytes: Uint8Array,
): Uint8Array {
  for (let i = 0, j = 0; i < colour.length; i++, j += 4) {
    const packed = colour[i] | 0;
    bytes[j] = packed >> 16;
    bytes[j + 1] = packed >> 8;
    bytes[j + 2] = packed;
    bytes[j + 3] = alpha[i];
  }
  return bytes;
}

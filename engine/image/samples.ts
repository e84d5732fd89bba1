/** Pixels as kernels return them. */
import { newBytes } from "../reused-array.ts";
import type { Size } from "../size.ts";
import { createPixelMemory, MOST_PIXELS, type PixelMemory } from "./byte-code.ts";
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

/** Made at the first use. */
let memory: PixelMemory | undefined;

/**
 * Returns pixels as bytes: RGB, or RGBA if they have alpha.
 * @param allocate returns the memory for them
 */
export function bytesOf(samples: Samples | PackedImage, allocate = newBytes): Uint8Array {
  const channels = samples.alpha === null ? 3 : 4;
  const bytes = allocate(samples.colour.length * channels);
  writeBytes(samples, channels, bytes);
  return bytes;
}

/**
 * Writes pixels as bytes.
 * @param channels 3 for RGB; 4 for RGBA, which is opaque where there is no alpha
 */
export function writeBytes(
  { colour, alpha }: Samples | PackedImage,
  channels: 3 | 4,
  bytes: Uint8Array,
): void {
  memory ??= createPixelMemory();
  const { colours, alphas, bytes: written, rgb, rgba } = memory;
  const write = channels === 3 ? rgb : rgba;
  if (channels === 4 && alpha === null) alphas.fill(255);
  for (let from = 0; from < colour.length; from += MOST_PIXELS) {
    const to = Math.min(from + MOST_PIXELS, colour.length);
    colours.set(colour.subarray(from, to));
    if (channels === 4 && alpha !== null) alphas.set(alpha.subarray(from, to));
    write(to - from);
    bytes.set(written.subarray(0, channels * (to - from)), channels * from);
  }
}

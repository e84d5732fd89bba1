/** Opaque pixels packed in one number: r·65536 + g·256 + b, 8-bit sRGB. */
import { type Linear, oklabFromLinear } from "../../shaders/lib/colour.ts";
import type { PackedRow } from "./picture.ts";
import { SRGB8_BY_LIGHT, SRGB8_TO_LINEAR } from "./transfer.ts";

// Local, because V8 loads an imported table again for each pixel.
const levels = SRGB8_BY_LIGHT;

/** Packs linear light, each channel clamped to 0…1. */
export function packLight(red: number, green: number, blue: number): number {
  return 65536 * encode(red) + 256 * encode(green) + encode(blue);
}

function encode(light: number): number {
  return levels[(Math.min(Math.max(light, 0), 1) * (levels.length - 1) + 0.5) | 0];
}

/**
 * Packs pixels as files have them, whole ones.
 * @param start the first pixel that is written
 */
export function packPixels(
  pixels: Uint8Array,
  channels: 3 | 4,
  { colour, alpha }: PackedRow,
  start: number,
): void {
  let at = start;
  let from = 0;
  if (channels === 3 && pixels.byteOffset % Int32Array.BYTES_PER_ELEMENT === 0) {
    // Four pixels are three words.
    const words = new Int32Array(
      pixels.buffer,
      pixels.byteOffset,
      Math.floor(pixels.length / 12) * 3,
    );
    for (let word = 0; word < words.length; word += 3, at += 4) {
      const a = words[word];
      const b = words[word + 1];
      const c = words[word + 2];
      colour[at] = ((a & 255) << 16) | (a & 0xff00) | ((a >> 16) & 255);
      colour[at + 1] = ((a >>> 24) << 16) | ((b & 255) << 8) | ((b >> 8) & 255);
      colour[at + 2] = (b & 0xff0000) | ((b >>> 24) << 8) | (c & 255);
      colour[at + 3] = ((c & 0xff00) << 8) | ((c >> 8) & 0xff00) | (c >>> 24);
    }
    from = words.byteLength;
  }
  for (; from < pixels.length; at++, from += channels) {
    colour[at] = (pixels[from] << 16) | (pixels[from + 1] << 8) | pixels[from + 2];
    if (alpha !== null) alpha[at] = pixels[from + 3];
  }
}

/** Returns a channel's linear light, 0…1. Shift 16 is red, 8 green, 0 blue. */
export const linearChannel = (packed: number, shift: 16 | 8 | 0): number =>
  SRGB8_TO_LINEAR[(packed >> shift) & 255];

/** Returns the OKLab of a packed colour. */
export const packedOklab = (packed: number): Linear =>
  oklabFromLinear([linearChannel(packed, 16), linearChannel(packed, 8), linearChannel(packed, 0)]);

/** Returns a packed colour as `#rrggbb`. */
export const hexOf = (packed: number): string => `#${packed.toString(16).padStart(6, "0")}`;

/** Parses `#rrggbb`. */
export const packedFromHex = (hex: string): number => Number.parseInt(hex.slice(1), 16);

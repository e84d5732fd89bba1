/** Opaque pixels packed in one number: r·65536 + g·256 + b, 8-bit sRGB. */
import { type Linear, oklabFromLinear } from "../../shaders/lib/colour.ts";
import type { PackedRow } from "./picture.ts";
import { SRGB8_BY_LIGHT, SRGB8_TO_LINEAR } from "./transfer.ts";

/** Packs linear light, each channel clamped to 0…1. */
export function packLight(red: number, green: number, blue: number): number {
  return 65536 * encode(red) + 256 * encode(green) + encode(blue);
}

function encode(light: number): number {
  return SRGB8_BY_LIGHT[(Math.min(Math.max(light, 0), 1) * (SRGB8_BY_LIGHT.length - 1) + 0.5) | 0];
}

/**
 * Packs a pixel of linear light, clamped to 0…1, into a row.
 * @param opacity 0…1, by which the light is premultiplied; 1 if the row is opaque
 */
export function packPixel(
  { colour, alpha }: PackedRow,
  at: number,
  red: number,
  green: number,
  blue: number,
  opacity: number,
): void {
  if (alpha !== null) alpha[at] = Math.floor(Math.min(Math.max(opacity, 0), 1) * 255 + 0.5);
  const isVisible = alpha === null || alpha[at] > 0;
  colour[at] = isVisible ? packLight(red / opacity, green / opacity, blue / opacity) : 0;
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

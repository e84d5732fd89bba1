/**
 * Linear light as integers 0…65535, because sums of integers do not depend on the
 * order of addition: results of mirrored pixels are mirrored bit for bit.
 */
import { decodeChannel, linearFromHex } from "../../lib/colour.ts";

/** White. */
export const FULL = 65535;

/** Red, green and blue, 0…65535. */
export type Light = readonly [number, number, number];

/** Light of each 8-bit sRGB value. */
export const LIGHT_OF_SRGB: Uint16Array = Uint16Array.from({ length: 256 }, (_, value) =>
  Math.round(decodeChannel(value / 255) * FULL),
);

/** 8-bit sRGB value of each light: the nearest on the curve, so that every value comes back. */
export const SRGB_OF_LIGHT: Uint8Array = nearestValues();

function nearestValues(): Uint8Array {
  const values = new Uint8Array(FULL + 1);
  for (let value = 1; value < 256; value++) {
    values.fill(value, Math.ceil(decodeChannel((value - 0.5) / 255) * FULL));
  }
  return values;
}

/** Packs three lights, 0…65535 and not yet rounded. */
export const packLight = (red: number, green: number, blue: number): number =>
  (SRGB_OF_LIGHT[(red + 0.5) | 0] << 16) |
  (SRGB_OF_LIGHT[(green + 0.5) | 0] << 8) |
  SRGB_OF_LIGHT[(blue + 0.5) | 0];

/** Reads `#rrggbb`. */
export function lightOfHex(hex: string): Light {
  const [red, green, blue] = linearFromHex(hex);
  return [red * FULL, green * FULL, blue * FULL];
}

/** Relative luminance (Rec. 709), 0…1. */
export const luminance = ([red, green, blue]: Light): number =>
  (0.2126 * red + 0.7152 * green + 0.0722 * blue) / FULL;

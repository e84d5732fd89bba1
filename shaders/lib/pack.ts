/**
 * Stages of kernels for packed colours, one number a pixel: sRGB with 8 bits a channel,
 * r·65536 + g·256 + b, at most 16 777 215, which a 32-bit float holds exactly.
 */
import type { Rgb } from "./layout.ts";

/** The three bytes of a packed colour. */
export function unpack(packed: number): Rgb {
  // Powers of two: the products are exact, and cost less than quotients.
  const red = Math.floor(packed * (1 / 65536));
  const green = Math.floor(packed * (1 / 256)) - red * 256;
  const blue = packed - red * 65536 - green * 256;
  return { red, green, blue };
}

/** Packs channels 0…255, rounded down. */
export function packFloor(red: number, green: number, blue: number): number {
  return Math.floor(red) * 65536 + Math.floor(green) * 256 + Math.floor(blue);
}

/** Packs channels 0…255, rounded to the nearest. */
export function packRounded(red: number, green: number, blue: number): number {
  return packFloor(red + 0.5, green + 0.5, blue + 0.5);
}

/** Packs channels 0…255, rounded by a dither of 0…1 (lib/noise.ts). */
export function packDithered(colour: Rgb, dither: number): number {
  return packFloor(colour.red + dither, colour.green + dither, colour.blue + dither);
}

/** The roots from which the sRGB curve is composed. */
export interface Roots {
  readonly half: number;
  readonly quarter: number;
  readonly eighth: number;
}

export function rootsOf(x: number): Roots {
  const half = Math.sqrt(x);
  const quarter = Math.sqrt(half);
  return { half, quarter, eighth: Math.sqrt(quarter) };
}

/**
 * The sRGB value 0…1 of linear light 0…1 and its roots. Above the linear toe the curve
 * 1.055·x^(1/2.4) − 0.055 is fitted by powers made of square roots, so that all backends agree; the
 * fit is within 0.011 of a step of 1/255 everywhere.
 */
export const encodedBy = (x: number, roots: Roots) =>
  x < 0.0031308
    ? 12.92 * x
    : 0.64296684 * roots.half +
      0.71141309 * roots.quarter -
      0.3365769 * roots.eighth -
      0.01776697 * x;

/** Encodes linear light (1 = white) as an sRGB value 0…255, not yet rounded. */
export function encodeChannel(light: number): number {
  const x = Math.min(Math.max(light, 0), 1);
  // The fit of white is 255.009: more than what dithering may be added to.
  return Math.min(255 * encodedBy(x, rootsOf(x)), 255);
}

/** Encodes linear light 0…1 as sRGB values 0…1. */
export function encodeRgb(light: Rgb): Rgb {
  const red = rootsOf(light.red);
  const green = rootsOf(light.green);
  const blue = rootsOf(light.blue);
  return {
    red: encodedBy(light.red, red),
    green: encodedBy(light.green, green),
    blue: encodedBy(light.blue, blue),
  };
}

/** Packs linear light 0…1 as sRGB. */
export function packLight(light: Rgb): number {
  const { red, green, blue } = encodeRgb(light);
  return packRounded(255 * red, 255 * green, 255 * blue);
}

/** Packs linear light (1 = white), which may lie outside the gamut, as sRGB. */
export function packRgb(light: Rgb): number {
  return packLight({
    red: Math.min(Math.max(light.red, 0), 1),
    green: Math.min(Math.max(light.green, 0), 1),
    blue: Math.min(Math.max(light.blue, 0), 1),
  });
}

/**
 * Decodes an sRGB byte to linear light. Above the linear toe a polynomial is fitted to the curve; the fit is
 * within 0.05 of a step of 1/255 everywhere, and every byte survives `packLight`.
 */
export const lightOfByte = (byte: number) =>
  byte < 10.5
    ? byte * 0.00030352698
    : byte * (byte * (byte * (byte * -2.728917e-11 + 3.1591727e-8) + 8.642345e-6) + 0.00011011126) +
      0.0010637067;

/** The linear light of a packed colour. */
export function unpackLight(packed: number): Rgb {
  const bytes = unpack(packed);
  return {
    red: lightOfByte(bytes.red),
    green: lightOfByte(bytes.green),
    blue: lightOfByte(bytes.blue),
  };
}

/** The sRGB byte of linear light, from a table over its square root whose last index is `top`. */
export const byteOfLight = (light: number, bytes: Float32Array, top: number) =>
  bytes[Math.floor(Math.sqrt(Math.min(Math.max(light, 0), 1)) * top + 0.5)];

/** Packs linear light (1 = white) by such a table. */
export const packByTable = (colour: Rgb, bytes: Float32Array, top: number) =>
  byteOfLight(colour.red, bytes, top) * 65536 +
  byteOfLight(colour.green, bytes, top) * 256 +
  byteOfLight(colour.blue, bytes, top);

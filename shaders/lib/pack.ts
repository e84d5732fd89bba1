/**
 * Kernel helpers for the one number a pixel travels as: sRGB with 8 bits a channel,
 * r·65536 + g·256 + b, at most 16 777 215, which a 32-bit float holds exactly.
 */
import type { Rgb } from "./layout.ts";

/**
 * Encodes linear light (1 = white) as an sRGB value 0…255, not yet rounded. Above the linear
 * toe the curve 1.055·x^(1/2.4) − 0.055 is fitted by powers that square roots give, so that all
 * backends agree; the fit is within 0.011 of a step of 1/255 everywhere.
 */
export function encodeChannel(light: number): number {
  const x = Math.min(Math.max(light, 0), 1);
  const half = Math.sqrt(x);
  const quarter = Math.sqrt(half);
  const eighth = Math.sqrt(quarter);
  const curve = 0.64296684 * half + 0.71141309 * quarter - 0.3365769 * eighth - 0.01776697 * x;
  return 255 * (x < 0.0031308 ? 12.92 * x : curve);
}

/** Packs linear light (1 = white) as sRGB; calls `encodeChannel`. */
export function packLinear(red: number, green: number, blue: number): number {
  return (
    Math.floor(encodeChannel(red) + 0.5) * 65536 +
    Math.floor(encodeChannel(green) + 0.5) * 256 +
    Math.floor(encodeChannel(blue) + 0.5)
  );
}

/** Packs a colour as `packLinear` does. */
export function packRgb(colour: Rgb): number {
  return packLinear(colour.red, colour.green, colour.blue);
}

/** What `packRgb` calls, for a kernel's `helpers`. */
export const packing = [packRgb, packLinear, encodeChannel];

/**
 * Stages of the kernels that light a sheet. Light is taken as the square of the encoded value, so
 * that nothing has to be decoded; channels are 0…255, their light 0…65025.
 */
import type { Rgb } from "../lib/layout.ts";

/** The light of a colour. */
export function lightOf(colour: Rgb): Rgb {
  return {
    red: colour.red * colour.red,
    green: colour.green * colour.green,
    blue: colour.blue * colour.blue,
  };
}

/** Returns a colour with `level` times its light and a gloss. */
export function shaded(light: Rgb, level: number, gloss: number): Rgb {
  return clampToWhite({
    red: Math.sqrt(light.red * level + gloss),
    green: Math.sqrt(light.green * level + gloss),
    blue: Math.sqrt(light.blue * level + gloss),
  });
}

export function clampToWhite(colour: Rgb): Rgb {
  return {
    red: Math.min(colour.red, 255),
    green: Math.min(colour.green, 255),
    blue: Math.min(colour.blue, 255),
  };
}

/** All of these, for a kernel's `helpers`. */
export const shading = [lightOf, shaded, clampToWhite];

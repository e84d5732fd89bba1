/** Steps that work on bands of rows, one after the other. */

import { effectArguments } from "../../shaders/catalog.ts";
import type { Kernel } from "../../shaders/kernel.ts";
import type { ChosenEffect } from "../check.ts";
import { SRGB_TABLE_SIZE, SRGB8_TO_LINEAR, srgbBySquareRoot } from "../image/transfer.ts";
import type { RenderContext } from "./context.ts";
import type { Samples } from "./sample.ts";

/** Rows of a sheet: packed colours, and alpha where not all is opaque. */
export interface Band extends Samples {
  readonly firstRow: number;
  readonly rows: number;
}

/** An effect's kernel with the arguments that are the same for all bands. */
export interface PreparedEffect {
  readonly kernel: Kernel;
  readonly params: Float32Array;
  readonly table: Float32Array;
}

/** An effect as its kernel wants it. */
export const prepareEffect = ({ effect, params }: ChosenEffect): PreparedEffect => ({
  kernel: effect.kernel,
  ...effectArguments(effect, params),
});

/** Pixels of a band, about: little enough to stay in a cache, enough to hide a call's cost. */
const BAND_PIXELS = 1 << 18;

/** How many rows a sheet's bands have; the last one may have fewer. */
export function bandRows(width: number, height: number): number {
  return Math.max(1, Math.min(height, Math.floor(BAND_PIXELS / width)));
}

/** Lays surface effects over a band, in order. They see the sheet's coordinates. */
export async function applyEffects(
  context: RenderContext,
  effects: readonly PreparedEffect[],
  band: Band,
  sheet: { readonly width: number; readonly height: number },
): Promise<Band> {
  if (effects.length === 0) return band;
  // Calls of one size are compiled once; the last band's missing rows are not looked at.
  const count = bandRows(sheet.width, sheet.height) * sheet.width;
  let colour = band.colour;
  if (colour.length < count) {
    colour = new Float32Array(count);
    colour.set(band.colour);
  }
  for (const { kernel, params, table } of effects) {
    const { width, height } = sheet;
    const args = [colour, band.firstRow, width, height, params, table];
    colour = await context.runner.run(kernel, count, args);
  }
  return { ...band, colour: colour.subarray(0, band.rows * sheet.width) };
}

/** Lays a band over a colour (`#rrggbb`), in linear light. */
export function layBackground(band: Band, background: string | null): Band {
  const { alpha } = band;
  if (alpha === null || background === null) return band;
  const below = Number.parseInt(background.slice(1), 16);
  const colour = band.colour.map((above, i) => blend(above, below, (alpha[i] as number) / 255));
  return { ...band, colour, alpha: null };
}

function blend(above: number, below: number, alpha: number): number {
  if (alpha === 1) return above;
  const channel = (shift: number) => {
    const light =
      (SRGB8_TO_LINEAR[(above >> shift) & 255] as number) * alpha +
      (SRGB8_TO_LINEAR[(below >> shift) & 255] as number) * (1 - alpha);
    const index = Math.floor(Math.sqrt(light) * (SRGB_TABLE_SIZE - 1) + 0.5);
    return (srgbBySquareRoot[index] as number) * 2 ** shift;
  };
  return channel(16) + channel(8) + channel(0);
}

/** A band's pixels as bytes: RGB, or RGBA where it has alpha. */
export function bytesOf({ colour, alpha }: Samples): Uint8Array {
  const channels = alpha === null ? 3 : 4;
  const bytes = new Uint8Array(colour.length * channels);
  for (let i = 0, j = 0; i < colour.length; i++, j += channels) {
    const packed = colour[i] as number;
    bytes[j] = packed >> 16;
    bytes[j + 1] = packed >> 8;
    bytes[j + 2] = packed;
    if (alpha !== null) bytes[j + 3] = alpha[i] as number;
  }
  return bytes;
}

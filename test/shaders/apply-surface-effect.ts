/** Applies surface effects to sheets, as the engine does. */
import type { KernelRunner } from "../../engine/kernel-runner.ts";
import type { Size } from "../../engine/size.ts";
import { effectArguments, type SurfaceEffect } from "../../shaders/catalog.ts";

/** Pixels of a millimetre of these sheets, which have 300 pixels per inch. */
export const pixelsPerMillimetre = 300 / 25.4;

/** Returns parameters with millimetres for those of these names, which are given in pixels. */
export const fromPixels = (params: Readonly<Record<string, unknown>>, ...names: string[]) =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      names.includes(name) ? Number(value) / pixelsPerMillimetre : value,
    ]),
  );

/** A sheet, or its rows from `firstRow`; `height` is the whole sheet's. */
export interface Sheet extends Size {
  readonly colour: Float32Array;
  readonly firstRow?: number;
}

/** Some rows of a sheet. */
export interface Band {
  readonly from: number;
  readonly rows: number;
}

/**
 * Returns all rows of a sheet, or a band of them. An effect with a reach sees the rows beside the
 * band; beyond the sheet the first and the last row are repeated.
 */
export async function applySurfaceEffect(
  runner: KernelRunner,
  effect: SurfaceEffect,
  given: Readonly<Record<string, unknown>>,
  { colour, width, height, firstRow = 0 }: Sheet,
  { from, rows }: Band = { from: 0, rows: colour.length / width },
): Promise<Float32Array> {
  const { params, table, reach } = effectArguments(effect, given, {
    width,
    height,
    pixelsPerMillimetre,
  });
  const last = colour.length / width - 1;
  const seen = new Float32Array((rows + 2 * reach) * width);
  for (let row = 0; row < rows + 2 * reach; row++) {
    const start = Math.min(Math.max(from + row - reach, 0), last) * width;
    seen.set(colour.subarray(start, start + width), row * width);
  }
  const args = [seen, firstRow + from, width, height, params, table];
  if (effect.reach !== undefined) args.push(reach);
  return Float32Array.from(await runner.run(effect.kernel, rows * width, args));
}

/** Lays surface effects over sheets, as the engine does. */
import type { KernelRunner } from "../../engine/backend.ts";
import { effectArguments, type SurfaceEffect } from "../../shaders/catalog.ts";

/** A sheet, or the band of it that begins with `firstRow`; `height` is the whole sheet's. */
export interface Sheet {
  readonly colour: Float32Array;
  readonly width: number;
  readonly height: number;
  readonly firstRow?: number;
}

export async function layEffect(
  runner: KernelRunner,
  effect: SurfaceEffect,
  given: Readonly<Record<string, number>>,
  { colour, width, height, firstRow = 0 }: Sheet,
): Promise<Float32Array> {
  const { params, table } = effectArguments(effect, given);
  const args = [colour, firstRow, width, height, params, table];
  return Float32Array.from(await runner.run(effect.kernel, colour.length, args));
}

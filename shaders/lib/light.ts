/** Sampling stages for `webasm`, which interpolates the light of a source by instructions of its own. */
import type { Helper, Kernel } from "../kernel.ts";
import { bilinearSample, quarticSample, type SourceSample } from "./source.ts";

/**
 * Linear light by row, column and channel, premultiplied, interpolated between rows and columns
 * (engine/kernel-code/light.ts). Channels 0…3 are red, green, blue and alpha by bilinear interpolation, 4…7 the same over
 * 4 × 4 pixels.
 */
type Light = readonly (readonly Float32Array[])[];

/** `bilinearSample` of `source.ts` for `Light`. */
function bilinearLight(
  colours: Light,
  _alphas: readonly Float32Array[],
  hasAlpha: number,
  x: number,
  y: number,
  right: number,
  bottom: number,
): SourceSample {
  const column = Math.min(Math.max(x, 0), right);
  const row = Math.min(Math.max(y, 0), bottom);
  const red = colours[row][column][0];
  const green = colours[row][column][1];
  const blue = colours[row][column][2];
  let alpha = 1;
  if (hasAlpha > 0) alpha = colours[row][column][3];
  return { red, green, blue, alpha };
}

/** `quarticSample` of `source.ts` for `Light`, at least a pixel from the edges: a part has two more than are asked for. */
function quarticLight(
  colours: Light,
  _alphas: readonly Float32Array[],
  hasAlpha: number,
  x: number,
  y: number,
  right: number,
  bottom: number,
): SourceSample {
  const column = Math.min(Math.max(x, 1), right - 1);
  const row = Math.min(Math.max(y, 1), bottom - 1);
  const red = colours[row][column][4];
  const green = colours[row][column][5];
  const blue = colours[row][column][6];
  let alpha = 1;
  if (hasAlpha > 0) alpha = Math.min(Math.max(colours[row][column][7], 0), 1);
  return {
    red: Math.min(Math.max(red, 0), alpha),
    green: Math.min(Math.max(green, 0), alpha),
    blue: Math.min(Math.max(blue, 0), alpha),
    alpha,
  };
}

const REPLACEMENTS: ReadonlyMap<Helper, Helper> = new Map<Helper, Helper>([
  [bilinearSample, bilinearLight],
  [quarticSample, quarticLight],
]);

/** Returns a kernel that samples `Light` in place of packed colours. */
export const withLight = (kernel: Kernel): Kernel => ({ ...kernel, replacements: REPLACEMENTS });

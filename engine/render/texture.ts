/** A finished picture on the device, to be looked up between its pixels. Its edges wrap. */
import { textureKernel } from "../../shaders/texture.ts";
import type { CompiledKernel, KernelRunner } from "../backend.ts";
import type { Line } from "../geometry/unfold.ts";
import { SRGB_TABLE_SIZE, SRGB8_TO_LINEAR, srgbBySquareRoot } from "../image/transfer.ts";
import type { RenderContext } from "./context.ts";
import type { Samples } from "./sample.ts";

export interface Texture {
  /** Called as `(x, y)`, in pixels of the picture; the centre of its first pixel is (0, 0). */
  readonly colour: CompiledKernel;
  /** Its alpha; null when the picture is opaque. */
  readonly alpha: CompiledKernel | null;
  release(): void;
}

/** Binds a picture of `width` pixels a row. */
export function bindTexture(runner: KernelRunner, picture: Samples, width: number): Texture {
  const { colour, alpha } = picture;
  const constants = {
    colours: { values: colour, length: width },
    alphas:
      alpha === null
        ? { values: Float32Array.of(255), length: 1 }
        : { values: alpha, length: width },
    hasAlpha: alpha === null ? 0 : 1,
    width,
    height: colour.length / width,
    linear: Float32Array.from(SRGB8_TO_LINEAR),
    transfer: srgbBySquareRoot,
    transferTop: SRGB_TABLE_SIZE - 1,
  };
  const colours = runner.bind(textureKernel, { ...constants, wanted: 0 });
  const alphas = alpha === null ? null : runner.bind(textureKernel, { ...constants, wanted: 1 });
  return {
    colour: colours.run,
    alpha: alphas?.run ?? null,
    release() {
      colours.release();
      alphas?.release();
    },
  };
}

/**
 * Looks a texture up along lines given in its pixels; the values come in the lines' order.
 * @param size of the texture's picture, in pixels
 */
export async function sampleTexture(
  context: RenderContext,
  texture: Texture,
  lines: readonly Line[],
  size: { readonly width: number; readonly height: number },
): Promise<Samples> {
  const total = lines.reduce((sum, { count }) => sum + count, 0);
  const colour = new Float32Array(total);
  const alpha = texture.alpha === null ? null : new Float32Array(total);
  const { chunk } = context.runner;
  const x = new Float32Array(chunk);
  const y = new Float32Array(chunk);
  let first = 0;
  let filled = 0;
  const flush = async () => {
    colour.set((await texture.colour(chunk, [x, y])).subarray(0, filled), first);
    alpha?.set((await (texture.alpha as CompiledKernel)(chunk, [x, y])).subarray(0, filled), first);
    first += filled;
    filled = 0;
    await context.checkpoint();
  };
  for (const { start, step, count } of lines) {
    for (let k = 0; k < count; k++) {
      // Wrapped here, in 64 bits: the kernel's 32 would lose the fraction far from the origin.
      const px = start.x + k * step.x;
      const py = start.y + k * step.y;
      x[filled] = px - Math.floor(px / size.width) * size.width;
      y[filled] = py - Math.floor(py / size.height) * size.height;
      filled++;
      if (filled === chunk) await flush();
    }
  }
  if (filled > 0) await flush();
  return { colour, alpha };
}

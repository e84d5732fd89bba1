/** A finished picture on the device, to be looked up between its pixels. Its edges wrap. */
import { textureKernel } from "../../shaders/texture.ts";
import type { KernelRunner } from "../backend.ts";
import type { Line } from "../geometry/unfold.ts";
import { SRGB_TABLE_SIZE, SRGB8_TO_LINEAR, srgbBySquareRoot } from "../image/transfer.ts";
import type { RenderContext } from "./context.ts";
import { inChunks, type Sampler } from "./in-chunks.ts";
import type { Samples } from "./samples.ts";

export interface Texture {
  /** Takes pixels of the picture; the centre of its first pixel is (0, 0). */
  readonly sample: Sampler;
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
    sample: async (x, y) => ({
      colour: await colours.run(x.length, [x, y]),
      alpha: alphas === null ? null : await alphas.run(x.length, [x, y]),
    }),
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
export function sampleTexture(
  context: RenderContext,
  texture: Texture,
  lines: readonly Line[],
  size: { readonly width: number; readonly height: number },
): Promise<Samples> {
  const total = lines.reduce((sum, { count }) => sum + count, 0);
  let line = 0;
  let along = 0;
  const place = (x: Float32Array, y: Float32Array, _: number, count: number) => {
    for (let filled = 0; filled < count; ) {
      const { start, step, count: length } = lines[line] as Line;
      const end = Math.min(length, along + count - filled);
      for (; along < end; along++, filled++) {
        // Wrapped here, in 64 bits: the kernel's 32 would lose the fraction far from the origin.
        const px = start.x + along * step.x;
        const py = start.y + along * step.y;
        x[filled] = px - Math.floor(px / size.width) * size.width;
        y[filled] = py - Math.floor(py / size.height) * size.height;
      }
      if (along === length) {
        line++;
        along = 0;
      }
    }
  };
  return inChunks(context, total, place, texture.sample);
}

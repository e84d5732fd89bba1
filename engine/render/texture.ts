/** A finished picture on the device, sampled with bilinear interpolation and wrapping edges. */

import { textureKernel } from "../../shaders/texture.ts";
import type { Line } from "../geometry/unfold.ts";
import type { Samples } from "../image/samples.ts";
import { SRGB_TABLE_SIZE, SRGB8_TO_LINEAR, srgbBySquareRoot } from "../image/transfer.ts";
import type { KernelRunner } from "../kernel-runner.ts";
import type { Size } from "../size.ts";
import type { RenderContext } from "./context.ts";
import { inChunks, type Sampler } from "./in-chunks.ts";
import { COLUMN_WIDTH, pixelsOf } from "./lines.ts";

export interface Texture {
  /** Samples at pixel coordinates; the centre of the first pixel is (0, 0). */
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

/** Pixels from … from + count − 1 of a line, whose values go to first … first + count − 1. */
interface Span {
  readonly line: Line;
  readonly from: number;
  readonly first: number;
  readonly count: number;
}

/**
 * Samples a texture along lines in its pixel coordinates. Resolves with the values in the lines' order.
 * @param size of the texture's picture, in pixels
 */
export async function sampleTexture(
  context: RenderContext,
  texture: Texture,
  lines: readonly Line[],
  size: Size,
): Promise<Samples> {
  const spans = inColumns(lines);
  const total = pixelsOf(lines);
  let span = 0;
  let along = 0;
  const place = (x: Float32Array, y: Float32Array, _: number, count: number) => {
    for (let filled = 0; filled < count; ) {
      const { line, from, count: length } = spans[span];
      const end = Math.min(length, along + count - filled);
      for (; along < end; along++, filled++) {
        // Wrapped here, in 64 bits: the kernel's 32 would lose the fraction far from the origin.
        const px = line.start.x + (from + along) * line.step.x;
        const py = line.start.y + (from + along) * line.step.y;
        x[filled] = px - Math.floor(px / size.width) * size.width;
        y[filled] = py - Math.floor(py / size.height) * size.height;
      }
      if (along === length) {
        span++;
        along = 0;
      }
    }
  };
  const { colour, alpha } = await inChunks(context, total, place, texture.sample);
  const inOrder = (values: Float32Array) => {
    const ordered = new Float32Array(total);
    let at = 0;
    for (const { first, count } of spans) {
      ordered.set(values.subarray(at, at + count), first);
      at += count;
    }
    return ordered;
  };
  return { colour: inOrder(colour), alpha: alpha === null ? null : inOrder(alpha) };
}

/** Returns the spans of lines, column by column. */
function inColumns(lines: readonly Line[]): Span[] {
  const longest = Math.max(...lines.map(({ count }) => count));
  const spans: Span[] = [];
  for (let from = 0; from < longest; from += COLUMN_WIDTH) {
    let offset = 0;
    for (const line of lines) {
      const count = Math.min(COLUMN_WIDTH, line.count - from);
      if (count > 0) spans.push({ line, from, first: offset + from, count });
      offset += line.count;
    }
  }
  return spans;
}

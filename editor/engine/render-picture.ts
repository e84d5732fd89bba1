/** Renders pictures with the engine's core: the server's pixels. */
import { Value } from "typebox/value";
import {
  bandsOf,
  checkDesign,
  checkRender,
  createStopwatch,
  createWorkerContext,
  type Encoders,
  type KernelRunner,
  LevelMissing,
  picturePlan,
  type RenderContext,
  RenderFields,
  scaledRender,
  writeBytes,
} from "../../engine/core.ts";
import type { Levels } from "./levels.ts";
import type { PixelBuffers } from "./pixel-buffers.ts";
import type { Order, Pixels } from "./protocol.ts";

/** Bytes of sources, and as much again of the parts of them in kernels. */
const CACHE_BYTES = 128 * 1024 * 1024;

const notHere = () => Promise.reject(new Error("nothing is encoded in the browser"));

/** How much smaller a picture may be that stands in for the ordered one. */
const SMALLEST = 1 / 32;

export interface RenderedPicture {
  readonly picture: Pixels;
  /**
   * The level of the source that a picture of the ordered size needs and that is not there: the picture is
   * a smaller one. Null if it has the size.
   */
  readonly missing: number | null;
}

/**
 * Returns a function that renders an order. It rejects with `InvalidRecipe`, and as `Levels.of` does.
 * @param checkpoint called every few milliseconds
 */
export function createPictureRenderer(
  runner: KernelRunner,
  levels: Levels,
  buffers: PixelBuffers,
  checkpoint: () => Promise<void>,
): (order: Order) => Promise<RenderedPicture> {
  const shared = createWorkerContext(runner, {} as Encoders, CACHE_BYTES);
  return async ({ source, fields, ...order }) => {
    let design = checkDesign(order.design);
    const codec = { decode: notHere, encode: notHere, levels: () => levels.of(source) };
    const context: RenderContext = { ...shared, codec, checkpoint };
    let missing: number | null = null;
    for (let { scale } = order; ; scale /= 2) {
      try {
        const picture = await pictureOf(context, buffers, {
          design,
          source: { sha256: source.sha256, bytes: new Uint8Array() },
          render: checkRender(
            scaledRender({ ...Value.Create(RenderFields), ...fields }, scale).fields,
          ),
        });
        return { picture, missing };
      } catch (error) {
        if (!(error instanceof LevelMissing) || scale <= SMALLEST) throw error;
        missing ??= error.level;
        // A cut is found at one resolution whatever the picture's size.
        if (design.seam.method === "cut") {
          design = checkDesign({ ...design, seam: { ...design.seam, method: "blend" } });
          scale *= 2;
        }
      }
    }
  };
}

async function pictureOf(
  context: RenderContext,
  buffers: PixelBuffers,
  request: Parameters<typeof picturePlan>[1],
): Promise<Pixels> {
  const plan = picturePlan(context, request);
  const { width, height } = plan.size;
  const watch = createStopwatch(() => performance.now());
  const rows = { first: 0, count: height };
  // A tile is rendered here: most pictures that fail or are overtaken end before they have a buffer.
  const sheet = await plan.start();
  const picture = buffers.take(plan.size);
  const bytes = new Uint8Array(picture.buffer);
  try {
    for await (const band of bandsOf(context, plan, sheet, rows, watch)) {
      writeBytes(band, 4, bytes.subarray(4 * band.firstRow * width));
    }
    return picture;
  } catch (error) {
    buffers.giveBack(picture.buffer);
    throw error;
  } finally {
    sheet.end?.();
  }
}

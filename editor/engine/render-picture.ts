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
  type Size,
  scaledRender,
} from "../../engine/core.ts";
import type { Levels } from "./levels.ts";
import type { Order } from "./protocol.ts";

/** Bytes of sources, and as much again of the parts of them in kernels. */
const CACHE_BYTES = 128 * 1024 * 1024;

const notHere = () => Promise.reject(new Error("nothing is encoded in the browser"));

/** How much smaller a picture may be that stands in for the ordered one. */
const SMALLEST = 1 / 32;

export interface RenderedPicture {
  readonly image: ImageData;
  /**
   * The level of the source that a picture of the ordered size needs and that is not there: the image is
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
  checkpoint: () => Promise<void>,
): (order: Order) => Promise<RenderedPicture> {
  const shared = createWorkerContext(runner, {} as Encoders, CACHE_BYTES);
  const imageFor = createImages();
  return async ({ source, fields, ...order }) => {
    let design = checkDesign(order.design);
    const codec = { decode: notHere, encode: notHere, levels: () => levels.of(source) };
    const context: RenderContext = { ...shared, codec, checkpoint };
    let missing: number | null = null;
    for (let { scale } = order; ; scale /= 2) {
      try {
        const image = await pictureOf(context, imageFor, {
          design,
          source: { sha256: source.sha256, bytes: new Uint8Array() },
          render: checkRender(
            scaledRender({ ...Value.Create(RenderFields), ...fields }, scale).fields,
          ),
        });
        return { image, missing };
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

/** Returns a function whose images share their memory where they have one size: each is valid until the next call. */
function createImages() {
  let kept: ImageData | undefined;
  return ({ width, height }: Size): ImageData => {
    if (kept?.width !== width || kept.height !== height) kept = new ImageData(width, height);
    return kept;
  };
}

async function pictureOf(
  context: RenderContext,
  imageFor: (size: Size) => ImageData,
  request: Parameters<typeof picturePlan>[1],
): Promise<ImageData> {
  const plan = picturePlan(context, request);
  const { width, height } = plan.size;
  const image = imageFor(plan.size);
  const watch = createStopwatch(() => performance.now());
  const rows = { first: 0, count: height };
  const pixels = new Uint32Array(image.data.buffer);
  const sheet = await plan.start();
  try {
    for await (const band of bandsOf(context, plan, sheet, rows, watch)) {
      const { colour, alpha, firstRow } = band;
      for (let from = 0, to = firstRow * width; from < colour.length; from++, to++) {
        const packed = colour[from] | 0;
        // The bytes are red, green, blue, alpha; every browser's numbers begin with their last byte.
        const swapped = ((packed & 255) << 16) | (packed & 0xff00) | (packed >> 16);
        pixels[to] = swapped | ((alpha === null ? 255 : alpha[from]) << 24);
      }
    }
  } finally {
    sheet.end?.();
  }
  return image;
}

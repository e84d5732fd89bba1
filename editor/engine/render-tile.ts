/** Renders tiles with the engine's core: the server's pixels. */
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
} from "../../engine/core.ts";
import type { Levels } from "./levels.ts";
import type { Order } from "./protocol.ts";

/** Bytes of sources, and as much again of the parts of them in kernels. */
const CACHE_BYTES = 128 * 1024 * 1024;

const notHere = () => Promise.reject(new Error("nothing is encoded in the browser"));

/**
 * Returns a function that renders an order. It rejects with `InvalidRecipe`, and as `Levels` does.
 * @param checkpoint called every few milliseconds
 */
export function createTileRenderer(
  runner: KernelRunner,
  levels: Levels,
  checkpoint: () => Promise<void>,
): (order: Order) => Promise<ImageData> {
  const shared = createWorkerContext(runner, {} as Encoders, CACHE_BYTES);
  return async function render(order): Promise<ImageData> {
    const { design, source, size, hexCells } = order;
    const codec = { decode: notHere, encode: notHere, levels: () => levels.of(source) };
    const context: RenderContext = { ...shared, codec, checkpoint };
    try {
      return await tileOf(context, {
        design: checkDesign(design),
        source: { sha256: source.sha256, bytes: new Uint8Array() },
        render: checkRender({ ...Value.Create(RenderFields), size, hex_cells: hexCells }),
      });
    } catch (error) {
      if (!(error instanceof LevelMissing)) throw error;
      await levels.fetch(source, error.level);
      return render(order);
    }
  };
}

async function tileOf(
  context: RenderContext,
  request: Parameters<typeof picturePlan>[1],
): Promise<ImageData> {
  const plan = picturePlan(context, request);
  const { width, height } = plan.size;
  const image = new ImageData(width, height);
  const watch = createStopwatch(() => performance.now());
  const rows = { first: 0, count: height };
  for await (const band of bandsOf(context, plan, await plan.start(), rows, watch)) {
    const { colour, alpha, firstRow } = band;
    for (let from = 0, to = 4 * firstRow * width; from < colour.length; from++, to += 4) {
      const packed = colour[from] | 0;
      image.data[to] = packed >> 16;
      image.data[to + 1] = (packed >> 8) & 255;
      image.data[to + 2] = packed & 255;
      image.data[to + 3] = alpha === null ? 255 : alpha[from];
    }
  }
  return image;
}

/** Draws products as the server does, on the maps that it makes for screens. */
import {
  checkDesign,
  createWorkerContext,
  type Encoders,
  type KernelRunner,
  LevelMissing,
  type RenderContext,
} from "../../engine/core.ts";
import { type MockupMap, makePrint, rasterise } from "../../engine/mockup-core.ts";
import type { Levels } from "./levels.ts";
import type { MockupOrder } from "./protocol.ts";

/** Bytes of sources, and as much again of the parts of them in kernels. */
const CACHE_BYTES = 64 * 1024 * 1024;

const notHere = () => Promise.reject(new Error("nothing is encoded in the browser"));

/** How much coarser a print may be that stands in for the right one. */
const COARSEST = 1 / 32;

export interface DrawnProduct {
  readonly picture: ImageBitmap;
  /** The level of the source that the right print needs and that is not there; null if it was. */
  readonly missing: number | null;
}

/** Returns a function that draws an order. It rejects with `InvalidRecipe`, and as `Levels.of` does. */
export function createProductDrawer(runner: KernelRunner, levels: Levels) {
  const shared = createWorkerContext(runner, {} as Encoders, CACHE_BYTES);
  return async (
    { design, source, product }: MockupOrder,
    map: MockupMap,
    checkpoint: () => Promise<void>,
  ): Promise<DrawnProduct> => {
    const codec = { decode: notHere, encode: notHere, levels: () => levels.of(source) };
    const context: RenderContext = { ...shared, codec, checkpoint };
    const { size, density } = map.header;
    const named = { sha256: source.sha256, bytes: new Uint8Array() };
    const options = { ...product.print_mm, cell: product.cell_mm };
    let missing: number | null = null;
    for (let scale = 1; ; scale /= 2) {
      try {
        const fine = { ...options, density: density * scale };
        const print = await makePrint(context, checkDesign(design), named, fine);
        const image = imageOf(await rasterise(runner, map, print, checkpoint), size);
        const picture = await createImageBitmap(image, { colorSpaceConversion: "none" });
        return { picture, missing };
      } catch (error) {
        if (!(error instanceof LevelMissing) || scale <= COARSEST) throw error;
        missing ??= error.level;
      }
    }
  };
}

function imageOf(rgb: Uint8Array, size: number): ImageData {
  const image = new ImageData(size, size);
  const { data } = image;
  for (let from = 0, to = 0; from < rgb.length; from += 3, to += 4) {
    data[to] = rgb[from];
    data[to + 1] = rgb[from + 1];
    data[to + 2] = rgb[from + 2];
    data[to + 3] = 255;
  }
  return image;
}

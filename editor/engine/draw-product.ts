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
import type { PixelBuffers } from "./pixel-buffers.ts";
import type { MockupOrder, Pixels } from "./protocol.ts";

/** Bytes of sources, and as much again of the parts of them in kernels. */
const CACHE_BYTES = 64 * 1024 * 1024;

const notHere = () => Promise.reject(new Error("nothing is encoded in the browser"));

/** How much coarser a print may be that stands in for the right one. */
const COARSEST = 1 / 32;

export interface DrawnProduct {
  readonly picture: Pixels;
  /** The level of the source that the right print needs and that is not there; null if it was. */
  readonly missing: number | null;
}

/** Returns a function that draws an order. It rejects with `InvalidRecipe`, and as `Levels.of` does. */
export function createProductDrawer(runner: KernelRunner, levels: Levels, buffers: PixelBuffers) {
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
        const rgb = await rasterise(runner, map, print, checkpoint);
        const picture = buffers.take({ width: size, height: size });
        writeOpaque(new Uint8Array(picture.buffer), rgb);
        return { picture, missing };
      } catch (error) {
        if (!(error instanceof LevelMissing) || scale <= COARSEST) throw error;
        missing ??= error.level;
      }
    }
  };
}

/** Writes red, green and blue with full alpha. */
function writeOpaque(rgba: Uint8Array, rgb: Uint8Array): void {
  for (let from = 0, to = 0; from < rgb.length; from += 3, to += 4) {
    rgba[to] = rgb[from];
    rgba[to + 1] = rgb[from + 1];
    rgba[to + 2] = rgb[from + 2];
    rgba[to + 3] = 255;
  }
}

/** Draws a mockup: print, kernel, JPEG. */
import { closeSync, openSync, readSync } from "node:fs";
import type { Product } from "../../scenes/catalogue.ts";
import type { MockupRequest } from "../recipe/index.ts";
import type { RenderContext } from "../render/context.ts";
import { makePrint } from "./make-print.ts";
import { openMap } from "./map.ts";
import { rasterise } from "./rasterise.ts";

/** Metadata of the file. */
const PIXELS_PER_INCH = 96;

const QUALITY = 90;

/** A checked request with its product. */
export interface MockupJob {
  readonly request: MockupRequest;
  readonly product: Pick<Product, "print" | "cell">;
  /** Path of the product's map. */
  readonly map: string;
}

/**
 * Draws a mockup as a JPEG of the map's size. Transparent places without a background show the
 * product's own colour. Throws `SourceUnreadable`, `SourceTooLarge` or `Cancelled`.
 */
export async function drawMockup(
  context: RenderContext,
  { request, product, map: path }: MockupJob,
): Promise<Uint8Array> {
  await context.checkpoint();
  const { design, source, cell_mm = product.cell } = request;
  const file = openSync(path, "r");
  try {
    const map = openMap((into, at) => readWhole(file, into, at));
    const { size, density } = map.header;
    const options = { ...product.print, cell: cell_mm, density };
    const print = await makePrint(context, design, source, options);
    const pixels = await rasterise(context.runner, map, print, context.checkpoint);
    const whole = { width: size, height: size, channels: 3 } as const;
    const encoding = { quality: QUALITY, pixelsPerInch: PIXELS_PER_INCH, fitsTables: false };
    return await context.codec.encode(pixels, whole, "jpeg", encoding);
  } finally {
    closeSync(file);
  }
}

/** Fills `into` from a file, synchronously: the file is cached, and waiting would take longer. */
function readWhole(file: number, into: Uint8Array, at: number): void {
  for (let read = 0; read < into.length; ) {
    const bytes = readSync(file, into, read, into.length - read, at + read);
    if (bytes === 0) throw new Error("a map ends early");
    read += bytes;
  }
}

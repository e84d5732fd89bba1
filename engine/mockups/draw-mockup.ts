/** A mockup from beginning to end: print, kernel, JPEG. */
import { closeSync, openSync, readSync } from "node:fs";
import type { Product } from "../../scenes/catalogue.ts";
import type { MockupRequest } from "../recipe/index.ts";
import type { RenderContext } from "../render/context.ts";
import { makePrint } from "./make-print.ts";
import { openMap } from "./map.ts";
import { rasterise } from "./rasterise.ts";

/** What is written into the file; it changes no pixel. */
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
 * Draws a mockup as a JPEG of the map's size. Where the pattern is transparent and has no background,
 * the product's own colour shows. Throws `SourceUnreadable`, `SourceTooLarge` or `Cancelled`.
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
    const { size, density } = map.head;
    const wishes = { ...product.print, cell: cell_mm, density };
    const print = await makePrint(context, design, source, wishes);
    const pixels = await rasterise(context.runner, map, print, context.checkpoint);
    const whole = { width: size, height: size, channels: 3 } as const;
    const options = { quality: QUALITY, pixelsPerInch: PIXELS_PER_INCH };
    return await context.codec.encode(pixels, whole, "jpeg", options);
  } finally {
    closeSync(file);
  }
}

/** Fills `into` from a file that is at hand: waiting for each piece would take longer than reading it. */
function readWhole(file: number, into: Uint8Array, at: number): void {
  for (let read = 0; read < into.length; ) {
    const bytes = readSync(file, into, read, into.length - read, at + read);
    if (bytes === 0) throw new Error("a map ends early");
    read += bytes;
  }
}

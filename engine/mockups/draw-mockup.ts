/** A mockup from beginning to end: scene, print, photograph, JPEG. */
import type { MockupRequest } from "../door.ts";
import type { RenderContext } from "../render/context.ts";
import { densityOf } from "./density.ts";
import { makePrint } from "./make-print.ts";
import { photograph } from "./photograph.ts";
import { MOCKUP_SIZE } from "./product.ts";
import { productNamed } from "./products/index.ts";

/** What is written into the file; it changes no pixel. */
const PIXELS_PER_INCH = 96;

const QUALITY = 90;

/**
 * Draws a checked request as a JPEG of `MOCKUP_SIZE` pixels a side. Where the pattern is transparent
 * and has no background, the product's own colour shows. Throws `SourceUnreadable`,
 * `SourceTooLarge` or `Cancelled`.
 */
export async function drawMockup(
  context: RenderContext,
  { design, source, product: id, cell_mm }: MockupRequest,
): Promise<Uint8Array> {
  const product = productNamed(id);
  if (product === undefined) throw new RangeError(`there is no product "${id}"`);
  const { print: size, cell } = product;
  await context.checkpoint();
  const scene = product.scene();
  await context.checkpoint();
  const density = densityOf(scene, MOCKUP_SIZE);
  const wishes = { ...size, cell: cell_mm ?? cell, density };
  const print = await makePrint(context, design, source, wishes);
  const pixels = await photograph(scene, print, MOCKUP_SIZE, context.checkpoint);
  const whole = { width: MOCKUP_SIZE, height: MOCKUP_SIZE, channels: 3 } as const;
  const options = { quality: QUALITY, pixelsPerInch: PIXELS_PER_INCH };
  return context.codec.encode(pixels, whole, "jpeg", options);
}

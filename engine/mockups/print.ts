/** A pattern's print on a product: a picture with a size in millimetres. */
import type { Samples } from "../image/samples.ts";
import type { Size } from "../size.ts";
import { type Pyramid, pyramidOf } from "./pyramid.ts";

/** The size is what the picture covers, in millimetres. */
export interface Print extends Size, Pyramid {
  /** Whether the picture repeats beyond its size; otherwise its edge continues. */
  readonly repeats: boolean;
}

/** Returns the print of packed colours, `across` a row. */
export const printOf = (
  samples: Samples,
  across: number,
  size: Omit<Print, keyof Pyramid>,
): Print => ({ ...size, ...pyramidOf(samples, across, size.repeats) });

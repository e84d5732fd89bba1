/** A pattern's print on a product: a picture with a size in millimetres. */
import type { Samples } from "../image/samples.ts";
import { type Pyramid, pyramidOf } from "./pyramid.ts";

export interface PrintSize {
  /** Millimetres that the picture covers. */
  readonly width: number;
  readonly height: number;
  /** Whether it repeats beyond them; otherwise its edge continues. */
  readonly repeats: boolean;
}

export interface Print extends PrintSize, Pyramid {}

/** Returns the print of packed colours, `across` a row. */
export const printOf = (samples: Samples, across: number, size: PrintSize): Print => ({
  ...size,
  ...pyramidOf(samples, across, size.repeats),
});

/** A pattern as it is printed: a picture laid out in millimetres. */
import type { Samples } from "../image/samples.ts";
import { type Pyramid, pyramidOf } from "./pyramid.ts";

export interface PrintSize {
  /** Millimetres that the picture covers. */
  readonly width: number;
  readonly height: number;
  /** Whether it goes on beyond them; otherwise its edge does. */
  readonly repeats: boolean;
}

export interface Print extends PrintSize, Pyramid {}

/** Lays packed colours, `across` a row, out in millimetres. */
export const printOf = (samples: Samples, across: number, size: PrintSize): Print => ({
  ...size,
  ...pyramidOf(samples, across, size.repeats),
});

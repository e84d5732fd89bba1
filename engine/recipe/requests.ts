/** Requests to the engine: a design, its source, and the fields of the output. */
import type { Design } from "./design.ts";
import type { PrintFields } from "./print-fields.ts";
import type { RenderFields } from "./render-fields.ts";

/** A source file as it was uploaded (PNG, JPEG, …). */
export interface SourceBytes {
  /** SHA-256 of the bytes in hex. */
  readonly sha256: string;
  /** Copied into the thread of each job unless they lie in shared memory. */
  readonly bytes: Uint8Array;
}

export interface RenderRequest {
  readonly design: Design;
  readonly source: SourceBytes;
  readonly render: RenderFields;
}

/** A design as a print file. */
export interface PrintRequest {
  readonly design: Design;
  readonly source: SourceBytes;
  readonly print: PrintFields;
}

/** A design on a product. */
export interface MockupRequest {
  readonly design: Design;
  readonly source: SourceBytes;
  /** The product's `id`. */
  readonly product: string;
  /** Edge of the pattern's cell in millimetres; the product's own by default. */
  readonly cell_mm?: number;
}

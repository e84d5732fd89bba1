/** Requests to the engine: a checked design, its source, and the checked fields of the output. */
import type { Cielab } from "../../shaders/lib/cielab.ts";
import type { Checked } from "./checked.ts";
import type { Design, Lattice } from "./design.ts";
import type { GroupName } from "./groups.ts";
import type { PrintFields } from "./print-fields.ts";
import type { RenderFields } from "./render-fields.ts";
import type { VectorFormat } from "./vector-formats.ts";

/** A source file as it was uploaded (PNG, JPEG, …). */
export interface SourceBytes {
  /** SHA-256 of the bytes in hex. */
  readonly sha256: string;
  /** Copied into the thread of each job unless they lie in shared memory. */
  readonly bytes: Uint8Array;
}

/** A prepared source. */
export interface LevelRequest {
  readonly source: SourceBytes;
  /** From 0, the source itself, half an octave each. */
  readonly level: number;
}

/** The main colours of a source. */
export interface ColourRequest {
  readonly source: SourceBytes;
  /** At most. */
  readonly count: number;
}

/** The flat colours of a design's tile. */
export interface InkRequest {
  readonly design: Checked<Design>;
  readonly source: SourceBytes;
  readonly fields: Pick<RenderFields, "size" | "tile" | "hex_cells">;
}

/** A flat colour of a pattern. */
export interface Ink {
  /** The one that the design gives it; else its number, the ink with the largest share first, and its colour. */
  readonly name: string;
  /** As `#rrggbb`. */
  readonly colour: string;
  readonly lab: Cielab;
  /** Share of what is printed, 0…1. */
  readonly share: number;
}

/** One ink of a design's tile. */
export interface SeparationRequest extends InkRequest {
  /** As `#rrggbb`. */
  readonly colour: string;
  readonly fields: InkRequest["fields"] & Pick<RenderFields, "dpi">;
}

/** A design's repeat as curves. */
export interface VectorRequest {
  readonly design: Checked<Design>;
  readonly source: SourceBytes;
  readonly format: VectorFormat;
  /** Pixels of the longer side of the repeat in which it is traced. */
  readonly size: number;
  /** Edge a of a cell in millimetres. */
  readonly cell_mm: number;
}

/** Motifs of a source that make good patterns. */
export interface IdeaRequest {
  readonly source: SourceBytes;
  readonly count: number;
  readonly groups: readonly GroupName[];
  /** Default: the plain one of each group. */
  readonly lattice?: Lattice;
}

/** A design on a sheet in pixels: a render, or the sheet of a print. */
export interface SheetRequest {
  readonly design: Design;
  readonly source: SourceBytes;
  readonly render: RenderFields;
}

export interface RenderRequest extends SheetRequest {
  readonly design: Checked<Design>;
  readonly render: Checked<RenderFields>;
}

/** A design as a print file. */
export interface PrintRequest {
  readonly design: Checked<Design>;
  readonly source: SourceBytes;
  readonly print: Checked<PrintFields>;
}

/** A design on a product. */
export interface MockupRequest {
  readonly design: Checked<Design>;
  readonly source: SourceBytes;
  /** The product's `id`. */
  readonly product: string;
  /** Edge of the pattern's cell in millimetres; the product's own by default. */
  readonly cell_mm?: number;
}

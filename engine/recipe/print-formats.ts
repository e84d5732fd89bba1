/** Output formats of prints. */
import { keysOf } from "../../shaders/lib/keys-of.ts";

export interface PrintFacts {
  readonly mediaType: string;
  /** File name extension without the dot. */
  readonly extension: string;
  /** Whether it keeps transparency; other formats are composited on white. */
  readonly transparent: boolean;
}

const ROWS = {
  pdf: { mediaType: "application/pdf", extension: "pdf", transparent: false },
  png: { mediaType: "image/png", extension: "png", transparent: true },
  tiff: { mediaType: "image/tiff", extension: "tif", transparent: true },
  jpeg: { mediaType: "image/jpeg", extension: "jpg", transparent: false },
} as const satisfies Record<string, PrintFacts>;

export type PrintFormat = keyof typeof ROWS;

export const printFacts: Readonly<Record<PrintFormat, PrintFacts>> = ROWS;

/** In display order. */
export const PRINT_FORMATS = keysOf(ROWS);

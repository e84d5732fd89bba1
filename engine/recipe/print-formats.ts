/** The formats of files for print: what each is called. */

export interface PrintFacts {
  readonly mediaType: string;
  /** Of a file's name, without the dot. */
  readonly extension: string;
  /** Whether it keeps transparency; the others are laid on white, as paper is. */
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

/** In the order in which they are listed. */
export const PRINT_FORMATS = Object.keys(ROWS) as PrintFormat[];

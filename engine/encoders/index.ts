/** The encoders of all formats, for renders and prints. */
import { createJpegEncoder } from "./jpeg-bands.ts";
import { createPdfEncoder } from "./pdf/document.ts";
import { bandCount, compressBand } from "./png/compress-band.ts";
import { createPngEncoder } from "./png/png-encoder.ts";
import { jpegStrips, pdfStrips, pngStrips, tiffStrips } from "./strips.ts";
import { createTiffEncoder } from "./tiff.ts";
import { createWholeEncoder } from "./whole-encoder.ts";

export const encoders = {
  // Written band by band, at any size.
  png: createPngEncoder,
  tiff: createTiffEncoder,
  jpeg: createJpegEncoder,
  pdf: createPdfEncoder,
  // Written from the whole image in memory, by native code: JPEG, WebP, AVIF, TIFF.
  whole: createWholeEncoder,
  // Written in strips, which several threads encode.
  strips: { png: pngStrips, tiff: tiffStrips, jpeg: jpegStrips, pdf: pdfStrips },
  // The bands of a PNG, in any order.
  pngBandCount: bandCount,
  pngBand: compressBand,
};

export type Encoders = typeof encoders;

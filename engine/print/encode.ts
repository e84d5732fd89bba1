/** Encoders of print files. */

import type { Patch } from "../encoders/encoder.ts";
import { SRGB_PROFILE } from "../encoders/icc.ts";
import { createJpegWriter, JPEG_ROWS } from "../encoders/jpeg-bands.ts";
import { createPdfEncoder } from "../encoders/pdf/document.ts";
import { createTiffWriter, type TiffWriter } from "../encoders/tiff.ts";
import type { PrintFields, PrintRequest } from "../recipe/index.ts";
import { bytesOf } from "../render/bands.ts";
import { concatBytes, createPngEncoder, type Encoder, uniformChannels } from "../render/encode.ts";
import { recipeTexts } from "../render/recipe-text.ts";
import { onPaper } from "./on-paper.ts";
import type { PrintPeriod } from "./period.ts";
import { createRowBlocks } from "./row-blocks.ts";
import { sheetOf } from "./sheet.ts";

/** Approximate pixels of a TIFF strip and of a JPEG band. */
const STRIP_PIXELS = 1 << 17;
const JPEG_PIXELS = 1 << 18;

/** Creates the encoder of a print file for a picture of this size in pixels. */
export function createPrintEncoder(
  { design, source, print }: PrintRequest,
  period: PrintPeriod | null,
  width: number,
  height: number,
): Encoder {
  switch (print.format) {
    case "pdf":
      return createPdfEncoder(print, period, width, height);
    case "png":
      return createPngEncoder({
        width,
        height,
        pixelsPerInch: print.dpi,
        profile: SRGB_PROFILE,
        text: recipeTexts({ design, source, render: sheetOf(print) }),
      });
    case "tiff":
      return createTiffEncoder(print, width, height);
    case "jpeg":
      return createJpegEncoder(print, width, height);
  }
}

function createTiffEncoder(print: PrintFields, width: number, height: number): Encoder {
  const rowsPerStrip = Math.min(height, Math.max(1, Math.floor(STRIP_PIXELS / width)));
  const channelsOf = uniformChannels();
  let writer: TiffWriter | null = null;
  let blocks: ReturnType<typeof createRowBlocks>;
  let patch: Patch | null = null;
  return {
    band(band) {
      const channels = channelsOf(band);
      const parts: Uint8Array[] = [];
      if (writer === null) {
        blocks = createRowBlocks(width * channels, rowsPerStrip, height);
        writer = createTiffWriter({
          width,
          height,
          channels,
          pixelsPerInch: print.dpi,
          profile: SRGB_PROFILE,
          compression: print.compression,
          rowsPerStrip,
        });
        parts.push(writer.head());
      }
      for (const strip of blocks(bytesOf(band))) parts.push(writer.strip(strip));
      return concatBytes(parts);
    },
    end() {
      const end = (writer as TiffWriter).end();
      patch = end.patch;
      return end.bytes;
    },
    patch: () => patch,
  };
}

function createJpegEncoder({ quality, dpi }: PrintFields, width: number, height: number): Encoder {
  const rowsPerBand = JPEG_ROWS * Math.max(1, Math.floor(JPEG_PIXELS / width / JPEG_ROWS));
  const blocks = createRowBlocks(width * 3, rowsPerBand, height);
  const writer = createJpegWriter({
    width,
    height,
    quality,
    pixelsPerInch: dpi,
    profile: SRGB_PROFILE,
    rowsPerBand,
  });
  return {
    async band(band) {
      const parts: Uint8Array[] = [];
      for (const block of blocks(bytesOf(onPaper(band)))) parts.push(await writer.band(block));
      return concatBytes(parts);
    },
    end: () => writer.end(),
  };
}

/** Chooses the encoder of a print. */
import type { Encoder } from "../encoders/encoder.ts";
import { SRGB_PROFILE } from "../encoders/icc.ts";
import type { Encoders } from "../encoders/index.ts";
import type { PrintFields, PrintRequest } from "../recipe/index.ts";
import { recipeTexts } from "../render/recipe-text.ts";
import type { Size } from "../size.ts";
import { pageOf } from "./page.ts";
import type { PrintPeriod } from "./period.ts";
import { sheetOf } from "./sheet.ts";

/** Creates the encoder of a print file for an image of this size. */
export function createPrintEncoder(
  encoders: Encoders,
  { design, source, print }: PrintRequest,
  period: PrintPeriod | null,
  size: Size,
): Encoder {
  const { quality, compression } = print;
  const facts = { ...size, pixelsPerInch: print.dpi, profile: SRGB_PROFILE };
  switch (print.format) {
    case "pdf":
      return encoders.pdf(pdfFacts(print, period, size));
    case "png":
      return encoders.png({
        ...facts,
        text: recipeTexts({ design, source, render: sheetOf(print) }),
      });
    case "tiff":
      return encoders.tiff({ ...facts, compression });
    case "jpeg":
      return encoders.jpeg({ ...facts, quality });
  }
}

function pdfFacts(
  print: PrintFields,
  period: PrintPeriod | null,
  image: Size,
): Parameters<Encoders["pdf"]>[0] {
  const { width_mm, height_mm, offset_mm, rotation } = print;
  const page = pageOf(print);
  const origin = {
    x: page.trim.left + offset_mm.x,
    y: page.height - page.trim.top - offset_mm.y,
  };
  return {
    title: `${width_mm} × ${height_mm} mm`,
    page,
    image,
    tiling: period && { step: period, margin: period.margin, rotation, origin },
  };
}

/** Chooses the encoder of a print. */
import type { Encoder } from "../encoders/encoder.ts";
import { SRGB_PROFILE } from "../encoders/icc.ts";
import type { Encoders } from "../encoders/index.ts";
import type { StripFormat } from "../encoders/strips.ts";
import type { PrintFields, PrintRequest } from "../recipe/index.ts";
import { recipeTexts } from "../render/recipe-text.ts";
import type { Size } from "../size.ts";
import { pageOf } from "./page.ts";
import type { PrintPeriod } from "./period.ts";
import { sheetOf } from "./sheet.ts";

/** Creates the encoder of a print file for an image of this size. */
export function createPrintEncoder(
  encoders: Encoders,
  request: PrintRequest,
  period: PrintPeriod | null,
  size: Size,
): Encoder {
  const { format } = request.print;
  return format === "pdf"
    ? encoders.pdf(pdfFacts(request.print, period, size))
    : encoders[format](factsOf(request, size));
}

/** Returns the format of a print file that is rendered in strips. */
export function printStripFormat(
  { strips }: Pick<Encoders, "strips">,
  request: PrintRequest,
  size: Size,
): StripFormat {
  const { format } = request.print;
  return format === "pdf"
    ? strips.pdf(pdfFacts(request.print, null, size))
    : strips[format](factsOf(request, size));
}

/** Returns what the encoders of pictures have to know of a print. */
const factsOf = ({ design, source, print }: PrintRequest, size: Size) => ({
  ...size,
  pixelsPerInch: print.dpi,
  profile: SRGB_PROFILE,
  quality: print.quality,
  compression: print.compression,
  text: recipeTexts({ design, source, render: sheetOf(print) }),
});

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

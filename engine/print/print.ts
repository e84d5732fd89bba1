/** Renders print requests. */
import type { Encoders } from "../encoders/index.ts";
import { type PrintRequest, printFacts } from "../recipe/index.ts";
import type { RenderContext } from "../render/context.ts";
import { type PicturePlan, picturePlan } from "../render/picture.ts";
import { sizeOf } from "../render/picture-size.ts";
import { renderBands, type Sink } from "../render/render.ts";
import type { Clock } from "../render/stopwatch.ts";
import type { DividedPicture, StripsPlan } from "../render/strip.ts";
import { stripsOf } from "../render/strip-plan.ts";
import { startSurface } from "../render/surface.ts";
import { createPrintEncoder, printStripFormat } from "./encode.ts";
import { type PrintPeriod, printPeriod } from "./period.ts";
import { sheetOf } from "./sheet.ts";

/** Renders a checked print into a sink. Resolves like `renderBands`. */
export async function print(
  context: RenderContext,
  request: PrintRequest,
  sink: Sink,
  clock: Clock,
): ReturnType<typeof renderBands> {
  const { design, print: fields } = request;
  const period = printPeriod(design, fields);
  const plan = period === null ? sheetPlan(context, request) : periodPlan(context, request, period);
  const { size } = plan;
  return renderBands(
    context,
    {
      ...plan,
      encoder: createPrintEncoder(context.encoders, request, period, size),
      mediaType: printFacts[fields.format].mediaType,
    },
    sink,
    clock,
  );
}

/** Strips have more where effects read many rows around each: one thread then needs less memory for the whole. */
const MAX_STRIP_PIXELS = 1 << 24;

/** Divides a checked print into strips; returns null if it is rendered as a whole. */
export function dividePrint(encoders: Encoders, request: PrintRequest): DividedPicture | null {
  const { design, print: fields } = request;
  if (printPeriod(design, fields) !== null) return null;
  const sheet = sheetOf(fields);
  const size = sizeOf(design, sheet);
  const format = printStripFormat(encoders, request, size);
  const strips = stripsOf(design, sheet, format.unit);
  const isDivided = strips.length > 1 && strips[0].count * size.width <= MAX_STRIP_PIXELS;
  return isDivided ? { strips, format } : null;
}

/** Returns the plan of a print that `dividePrint` divides. */
export function printStripsPlan(context: RenderContext, request: PrintRequest): StripsPlan {
  const picture = sheetPlan(context, request);
  return {
    picture,
    mediaType: printFacts[request.print.format].mediaType,
    format: printStripFormat(context.encoders, request, picture.size),
  };
}

const sheetPlan = (context: RenderContext, { design, source, print }: PrintRequest): PicturePlan =>
  picturePlan(context, { design, source, render: sheetOf(print) });

/** Returns the plan of a period, which has no surface effects. */
function periodPlan(
  context: RenderContext,
  { design, source, print: { dpi } }: PrintRequest,
  { geometry }: PrintPeriod,
): PicturePlan {
  const { width, height, strain } = geometry;
  return {
    size: { width, height },
    dpi,
    supersampling: 1,
    start: async () => ({ ...(await startSurface(context, design, source, geometry)), strain }),
    background: design.background,
    effects: [],
  };
}

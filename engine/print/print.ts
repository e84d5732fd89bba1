/** Renders a print request into a sink. */
import { type PrintRequest, printFacts } from "../recipe/index.ts";
import type { RenderContext } from "../render/context.ts";
import { type PicturePlan, picturePlan } from "../render/picture.ts";
import { renderBands, type Sink } from "../render/render.ts";
import type { Clock } from "../render/stopwatch.ts";
import { startSurface } from "../render/surface.ts";
import { createPrintEncoder } from "./encode.ts";
import { type PrintPeriod, printPeriod } from "./period.ts";
import { sheetOf } from "./sheet.ts";

/** Renders a checked print into a sink. Resolves like `renderBands`. */
export async function print(
  context: RenderContext,
  request: PrintRequest,
  sink: Sink,
  clock: Clock,
): ReturnType<typeof renderBands> {
  const { design, source, print: fields } = request;
  const period = printPeriod(design, fields);
  const plan =
    period === null
      ? picturePlan(context, { design, source, render: sheetOf(fields) })
      : periodPlan(context, request, period);
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

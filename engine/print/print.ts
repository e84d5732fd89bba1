/** Renders a print request into a sink. */
import { sheetSize, surfaceStepsOf } from "../recipe/check.ts";
import { type PrintRequest, printFacts } from "../recipe/index.ts";
import type { RenderContext } from "../render/context.ts";
import { type RenderSheet, startSheet } from "../render/picture.ts";
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
  const sheet = sheetOf(fields);
  const { width, height } = period?.geometry ?? sheetSize(sheet);
  const size = { width, height };
  const start = () =>
    period === null
      ? startSheet(context, { design, source, render: sheet })
      : startPeriod(context, request, period);
  return renderBands(
    context,
    {
      size,
      start,
      background: design.background,
      effects: surfaceStepsOf(design, sheet),
      encoder: createPrintEncoder(context.encoders, request, period, size),
      mediaType: printFacts[fields.format].mediaType,
    },
    sink,
    clock,
  );
}

async function startPeriod(
  context: RenderContext,
  { design, source }: PrintRequest,
  { geometry }: PrintPeriod,
): Promise<RenderSheet> {
  const rows = await startSurface(context, design, source, geometry);
  return { ...rows, strain: geometry.strain };
}

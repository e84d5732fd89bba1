/** Renders a design as the print of a product: one period that repeats, or a whole sheet. */
import { Value } from "typebox/value";
import { scaling } from "../geometry/affine.ts";
import { domainOfDesign, isometriesOfDesign } from "../geometry/counterchange.ts";
import { bandRows } from "../image/bands.ts";
import { compositeBackground, type Samples } from "../image/samples.ts";
import { type Design, RenderFields, type SourceBytes } from "../recipe/index.ts";
import type { RenderContext } from "../render/context.ts";
import { chainOf } from "../render/pattern-chain.ts";
import { placePattern } from "../render/sample.ts";
import { type SheetRows, startSurface, surfaceGeometry } from "../render/surface.ts";
import { samplePeriod } from "../render/tile.ts";
import type { Size } from "../size.ts";
import { type Print, printOf } from "./print.ts";

/**
 * Maximum texels of a print: 21 MB with all smaller sizes, 43 MB with alpha. Indices are 32-bit
 * floats, which are exact up to 2²⁴.
 */
const MAX_TEXELS = 4_000_000;

/** The size is the visible one, in millimetres. */
export interface PrintOptions extends Size {
  /** Edge of the pattern's cell in millimetres. */
  readonly cell: number;
  /** Texels a millimetre. */
  readonly density: number;
}

/**
 * Renders a design with its effects, on its background if it has one. The pattern's origin is the
 * print's top left corner. Throws `SourceUnreadable`, `SourceTooLarge` or `Cancelled`.
 */
export async function makePrint(
  context: RenderContext,
  design: Design,
  source: SourceBytes,
  options: PrintOptions,
): Promise<Print> {
  const { period } = isometriesOfDesign(design);
  const { width, height, cell } = options;
  const repeats = period.width * period.height * cell * cell <= width * height;
  const render = repeats ? renderPeriod : renderSheet;
  const { samples, across, ...mm } = await render(context, design, source, options);
  await context.checkpoint();
  return printOf(compositeBackground(samples, design.background), across, { ...mm, repeats });
}

/** The rendered picture of a print; its size is in millimetres. */
interface RenderedPrint extends Size {
  readonly samples: Samples;
  /** Texels in a row. */
  readonly across: number;
}

/** Renders one period in whole texels, which may be slightly non-square. */
async function renderPeriod(
  context: RenderContext,
  design: Design,
  source: SourceBytes,
  { cell, density }: PrintOptions,
): Promise<RenderedPrint> {
  const domain = domainOfDesign(design);
  const { period } = domain.isometries;
  const mm = { width: period.width * cell, height: period.height * cell };
  const perMm = Math.min(density, densestOf(mm));
  // Multiples of 4, so that the group's operations map texels onto texels.
  const texels = (length: number) => Math.max(16, 4 * Math.ceil((length * perMm) / 4));
  const [across, down] = [texels(mm.width), texels(mm.height)];
  const toPlane = scaling(period.width / across, period.height / down);
  const edgesPerTexel = Math.max(toPlane.a, toPlane.d);
  const pattern = await placePattern(context, domain, design, source, edgesPerTexel);
  const tile = { width: across, height: down, region: period, toPlane };
  const chain = await chainOf(context, design, source);
  const samples = await samplePeriod(context, pattern, chain, tile);
  return { samples, across, ...mm };
}

/** Renders the visible part of the pattern. */
async function renderSheet(
  context: RenderContext,
  design: Design,
  source: SourceBytes,
  { width, height, cell, density }: PrintOptions,
): Promise<RenderedPrint> {
  const perMm = Math.min(density, densestOf({ width, height }));
  const [across, down] = [Math.ceil(width * perMm), Math.ceil(height * perMm)];
  const fields: RenderFields = {
    ...Value.Create(RenderFields),
    mode: "surface",
    surface_width: across,
    surface_height: down,
    cell: cell * perMm,
  };
  const sheet = await startSurface(context, design, source, surfaceGeometry(design, fields));
  try {
    const samples = await allRows(sheet, across, down);
    return { samples, across, width: across / perMm, height: down / perMm };
  } finally {
    sheet.end?.();
  }
}

/** Renders all rows of a sheet in bands, which bounds the memory of sampling. */
async function allRows(sheet: SheetRows, width: number, height: number): Promise<Samples> {
  const colour = new Float32Array(width * height);
  let alpha: Float32Array | null = null;
  const rows = bandRows(width, height, 0);
  for (let first = 0; first < height; first += rows) {
    const band = await sheet.rows(first, Math.min(rows, height - first));
    colour.set(band.colour, first * width);
    if (band.alpha === null) continue;
    alpha ??= new Float32Array(width * height);
    alpha.set(band.alpha, first * width);
  }
  return { colour, alpha };
}

/** Maximum texels a millimetre of an area. */
const densestOf = ({ width, height }: Size) => Math.sqrt(MAX_TEXELS / (width * height));

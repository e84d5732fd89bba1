/** Warnings of a preflight report. */
import type { SurfaceEffect } from "../../shaders/catalog.ts";
import type { EffectStep } from "../recipe/check.ts";
import { type PrintFields, tileEdgesOf } from "../recipe/index.ts";
import { edgeForSide } from "../render/aperiodic.ts";
import { isTooFine } from "../render/supersampling.ts";
import { MILLIMETRES_PER_INCH } from "../size.ts";
import type { Preflight, PrintWarning } from "./preflight-report.ts";

/** Pixels per inch: the least at which single pixels are invisible at arm's length. */
const PLAIN = 150;
/** Pixels per inch that art prints ask for. */
const FINE = 300;

/** Millimetres: a quarter of a point, the thinnest line that presses print reliably. */
const THINNEST_LINE = 0.09;

/** Millimetres that most printers ask for. */
const USUAL_BLEED = 3;

/**
 * @param effects surface effects of the print
 * @param isFlattened whether transparency is composited on white
 */
export function warningsOf(
  facts: Omit<Preflight, "warnings">,
  print: PrintFields,
  effects: readonly EffectStep<SurfaceEffect>[],
  isFlattened: boolean,
): PrintWarning[] {
  return [
    ...densityWarnings(facts, print),
    ...(facts.dpi < PLAIN ? [lowDensity(facts.dpi)] : []),
    ...(print.bleed_mm === 0 ? [NO_BLEED] : []),
    ...(isFlattened ? [onWhite(print)] : []),
    ...(facts.strain > 0 ? [roundedCell(facts, print)] : []),
    ...outlineWarnings(facts, print),
    ...effects.filter((step) => isTooFine(step, facts.dpi)).map((step) => fineEffect(step, facts)),
  ];
}

function densityWarnings(
  { source_ppi, cell_mm }: Omit<Preflight, "warnings">,
  { mode }: PrintFields,
): PrintWarning[] {
  if (source_ppi >= FINE) return [];
  const isTooSmall = source_ppi < PLAIN;
  const wanted = isTooSmall ? PLAIN : FINE;
  const most = Math.floor(((cell_mm * source_ppi) / wanted) * 10) / 10;
  const smaller = mode === "frieze" ? "a smaller strip" : `a cell_mm of at most ${most}`;
  const needed = isTooSmall
    ? `${PLAIN} is the least for print that is looked at from near`
    : `enough for most prints, while fine art asks for ${FINE}`;
  return [
    {
      code: isTooSmall ? "source_too_small" : "source_small_for_fine_print",
      message: `at this size the source has ${Math.round(source_ppi)} pixels per inch; ${needed}. ${wanted} would be reached with ${smaller}, a smaller motif.scale, or a larger picture.`,
    },
  ];
}

function fineEffect(
  { effect }: EffectStep<SurfaceEffect>,
  { dpi }: Omit<Preflight, "warnings">,
): PrintWarning {
  const pixel = MILLIMETRES_PER_INCH / dpi;
  return {
    code: "fine_effect",
    message: `${effect.id} has details finer than the pixels of ${pixel.toFixed(3)} mm, which the file cannot show; choose larger lengths for it or a higher dpi.`,
  };
}

const lowDensity = (dpi: number): PrintWarning => ({
  code: "low_dpi",
  message: `at ${dpi} pixels per inch single pixels may be visible; the minimum is ${PLAIN} for cloth and posters, ${FINE} for paper at reading distance.`,
});

const NO_BLEED: PrintWarning = {
  code: "no_bleed",
  message: `without bleed a slightly inaccurate cut leaves a white edge; most printers require a bleed_mm of ${USUAL_BLEED}.`,
};

const onWhite = ({ format }: PrintFields): PrintWarning => ({
  code: "transparency_on_white",
  message: `the source is transparent in places, and a ${format} shows paper white there; set the pattern's background for another colour.`,
});

function roundedCell(
  { strain, cell_mm, dpi }: Omit<Preflight, "warnings">,
  { format }: PrintFields,
): PrintWarning {
  const pixel = MILLIMETRES_PER_INCH / dpi;
  const off = (cell_mm * strain).toFixed(3);
  const remedy = format === "pdf" ? "Without surface effects a PDF" : "A PDF";
  return {
    code: "cell_rounded",
    message: `the period was rounded to whole pixels of ${pixel.toFixed(3)} mm, so that a cell is off by up to ${off} mm (${(100 * strain).toFixed(3)} %); over many cells that adds up. ${remedy} repeats its cell exactly.`,
  };
}

function outlineWarnings(
  { cell_mm }: Omit<Preflight, "warnings">,
  { mode, aperiodic }: PrintFields,
): PrintWarning[] {
  const { outline } = tileEdgesOf(aperiodic);
  if (mode !== "aperiodic" || aperiodic.kind === "quasicrystal" || outline === 0) return [];
  // It is relative to the side of a square with the largest tile's area.
  const width = (outline * cell_mm) / edgeForSide(aperiodic, 1);
  if (width >= THINNEST_LINE) return [];
  return [
    {
      code: "thin_outline",
      message: `the lines between tiles are about ${width.toFixed(3)} mm wide; lines below ${THINNEST_LINE} mm may break up in print.`,
    },
  ];
}

/** Computes a preflight report without rendering. */

import { SRGB_PROFILE } from "../encoders/icc.ts";
import { isometriesOfDesign } from "../geometry/counterchange.ts";
import { domainOf } from "../geometry/domain.ts";
import { friezeStrip } from "../geometry/friezes.ts";
import { isometriesOf } from "../geometry/isometries.ts";
import { rosetteDomain } from "../geometry/rosettes.ts";
import type { SourceFacts } from "../image/picture.ts";
import { rosetteDiameter, sheetSize, surfaceStepsOf } from "../recipe/check.ts";
import { rosetteReach } from "../recipe/check-rosette.ts";
import { type Design, type PrintFields, printFacts } from "../recipe/index.ts";
import { cornersOfShapes } from "../render/aperiodic.ts";
import { placeMotif } from "../render/placement.ts";
import { supersampled, supersamplingOf } from "../render/supersampling.ts";
import { surfaceGeometry } from "../render/surface.ts";
import { MILLIMETRES_PER_INCH, type Size } from "../size.ts";
import { pageOf } from "./page.ts";
import { printPeriod } from "./period.ts";
import type { Preflight } from "./preflight-report.ts";
import { cellOf, sheetOf } from "./sheet.ts";
import { warningsOf } from "./warnings.ts";

type SourceSize = Pick<SourceFacts, "width" | "height" | "hasAlpha">;

/** Returns the properties of a checked print of a checked design, with warnings. */
export function preflight(design: Design, source: SourceSize, print: PrintFields): Preflight {
  const period = printPeriod(design, print);
  const sheet = sheetOf(print);
  const { width, height } = period?.geometry ?? sheetSize(sheet);
  const page = pageOf(print);
  const cell = cellOf(print);
  const repeats = period === null ? repetitionOf(design, print) : { repeats: true, strain: 0 };
  const facts = {
    raster: period === null ? "sheet" : "period",
    pixels: { width, height },
    dpi: print.dpi,
    trim_mm: { width: print.width_mm, height: print.height_mm },
    bleed_mm: print.bleed_mm,
    page_mm: { width: rounded(page.width), height: rounded(page.height) },
    cell_mm: rounded(cell),
    repeat_mm: repeatOf(design, print),
    ...repeats,
    source_ppi: rounded(sourcePerMillimetre(design, source, print) * MILLIMETRES_PER_INCH),
    colour_profile: SRGB_PROFILE.name,
  } as const;
  const isDisc =
    sheet.mode === "rosette" &&
    sheet.rosette.shape === "disc" &&
    rosetteReach(sheet, sheetSize(sheet), rosetteDiameter(sheet)) > 0.5;
  const isFlattened =
    (source.hasAlpha || isDisc) &&
    design.background === null &&
    !printFacts[print.format].transparent;
  return {
    ...facts,
    warnings: warningsOf(facts, print, surfaceStepsOf(design, sheet), isFlattened),
  };
}

/** Rounds to a thousandth, to hide binary fractions in sums of millimetres. */
const rounded = (value: number) => Math.round(value * 1000) / 1000;

/** Returns the size of a repeat; null for an aperiodic sheet and a rosette. */
function repeatOf(design: Design, print: PrintFields): Size | null {
  const cell = cellOf(print);
  if (print.mode === "aperiodic" || print.mode === "rosette") return null;
  if (print.mode === "frieze") return { width: rounded(cell), height: rounded(print.height_mm) };
  const { period } = isometriesOfDesign(design);
  return { width: rounded(cell * period.width), height: rounded(cell * period.height) };
}

function repetitionOf(design: Design, print: PrintFields): Pick<Preflight, "repeats" | "strain"> {
  if (print.mode !== "surface") return { repeats: false, strain: 0 };
  const sheet = sheetOf(print);
  const finer = supersampled(sheet, supersamplingOf(design, sheet));
  const { periodic, strain } = surfaceGeometry(design, finer);
  return { repeats: periodic, strain };
}

/** Returns the pixels of the source along a millimetre of the print. */
function sourcePerMillimetre(design: Design, source: SourceSize, print: PrintFields): number {
  const shape = shapeOf(design, print);
  const { a, c } = placeMotif(shape.corners, design.motif, source);
  return Math.hypot(a, c) / shape.edge;
}

/** Returns the shape that the source fills, in edges of a cell or a tile, and that edge in millimetres. */
function shapeOf({ group, lattice }: Design, print: PrintFields) {
  const { mode, frieze, aperiodic, width_mm, height_mm } = print;
  if (mode === "frieze" && frieze) {
    const repeat = { width: width_mm / frieze.repeats, height: height_mm };
    const strip = friezeStrip(frieze.group, repeat);
    const { corners } = domainOf(isometriesOf(strip.group, strip.lattice));
    return { corners, edge: height_mm };
  }
  if (mode === "rosette") {
    const { rosette } = sheetOf(print);
    const { frame } = rosetteDomain({ ratio: 1, repeat: "straight", rosette, side: 1 });
    return { corners: frame, edge: cellOf(print) };
  }
  const corners =
    mode === "aperiodic"
      ? cornersOfShapes(aperiodic)
      : domainOf(isometriesOf(group, lattice)).corners;
  return { corners, edge: cellOf(print) };
}

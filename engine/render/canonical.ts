/** Canonical form of render requests: those for the same picture have the same entity tag. */

import { isometriesOfDesign } from "../geometry/counterchange.ts";
import {
  type EffectStep,
  friezeRepeat,
  patternStepsOf,
  rosetteDiameter,
  sheetSize,
  surfaceStepsOf,
} from "../recipe/check.ts";
import {
  type Aperiodic,
  type Design,
  formatFacts,
  GROUP_LATTICES,
  type RenderFields,
  tileEdgesOf,
} from "../recipe/index.ts";
import { cellEdge } from "./surface.ts";

/**
 * Returns the canonical form of a checked request: defaults filled in, including those of effects;
 * styles expanded; fields without influence left out; rotations reduced to one turn.
 */
export function canonicalRender(design: Design, fields: RenderFields): object {
  const { style, effects, palette, group, seam, lattice, counterchange, motif, ...plain } = design;
  const { format, dpi, quality } = fields;
  const pattern = patternStepsOf(design);
  return {
    ...plain,
    motif: showsParts(fields) ? { ...motif, x: undefined, y: undefined } : motif,
    // Friezes and rosettes have groups of their own; aperiodic sheets use neither groups nor seams.
    ...(fields.mode !== "aperiodic" && { seam }),
    ...((fields.mode === "tile" || fields.mode === "surface") && {
      group,
      lattice,
      ...(counterchange && { counterchange }),
    }),
    effects: pattern.map(idAndParams),
    ...placeOf(design, fields),
    format,
    dpi,
    ...(formatFacts[format].lossy && { quality }),
    surface_effects: surfaceStepsOf(design, fields).map(idAndParams),
  };
}

/** Whether tiles show parts of all of the source, wherever the motif is. */
const showsParts = ({ mode, aperiodic: { kind, fill, variation } }: RenderFields): boolean =>
  mode === "aperiodic" && kind !== "quasicrystal" && fill === "image" && variation === "parts";

const idAndParams = ({ effect, params }: EffectStep<{ readonly id: string }>) => ({
  id: effect.id,
  params,
});

/** Returns the fields that determine which part of the plane is shown, and its size. */
function placeOf(design: Design, fields: RenderFields): object {
  const { mode, rotation, offset, size, tile, hex_cells, aperiodic } = fields;
  if (mode === "tile") {
    const { period } = isometriesOfDesign(design);
    if (tile === "cell" && period.width !== period.height) return { mode, size, tile };
    const isHexagonal = GROUP_LATTICES[design.group] === "hexagonal";
    return { mode, size, ...(isHexagonal && { hex_cells }) };
  }
  if (mode === "frieze") {
    const repeat = friezeRepeat(fields);
    return { mode, ...sheetSize(fields), offset, frieze: fields.frieze?.group, repeat };
  }
  const sheet = { mode, ...sheetSize(fields), rotation: ((rotation % 360) + 360) % 360, offset };
  if (mode === "rosette") {
    const { fold, mirrors, shape } = fields.rosette;
    return { ...sheet, cell: rosetteDiameter(fields), rosette: { fold, mirrors, shape } };
  }
  return mode === "surface"
    ? { ...sheet, cell: cellEdge(design, fields) }
    : {
        ...sheet,
        ...(fields.cell === undefined ? { size } : { cell: fields.cell }),
        aperiodic: aperiodicSettings(aperiodic),
      };
}

/** Returns the aperiodic settings that apply to the kind. */
function aperiodicSettings(aperiodic: Aperiodic): object {
  const { kind, n, fill, variation = "none", outline_colour, seed } = aperiodic;
  const isWaves = kind === "quasicrystal";
  const { outline, blend } = tileEdgesOf(aperiodic);
  return {
    kind,
    fill: isWaves && fill === "varied" ? "flat" : fill,
    seed,
    ...((isWaves || kind === "multigrid") && { n }),
    ...(!isWaves && fill === "image" && { variation, blend }),
    ...(!isWaves && { outline_width: outline, ...(outline > 0 && { outline_colour }) }),
  };
}

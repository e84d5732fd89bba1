/** One form for all requests that give the same picture, so that their entity tags are the same. */
import { type EffectStep, patternStepsOf, sizeOf, surfaceStepsOf } from "./check.ts";
import { planeGroup } from "./geometry/plane-groups.ts";
import { type Aperiodic, type Design, formatFacts, type RenderFields } from "./recipe.ts";
import { cellEdge } from "./render/surface.ts";

/**
 * What of a checked request changes its bytes, spelled out: defaults filled in, also those of
 * effects; a style as what it stands for; fields without influence left out; turns within one turn.
 */
export function canonicalRender(design: Design, fields: RenderFields): object {
  const { style, effects, palette, group, seam, lattice, ...plain } = design;
  const { format, dpi, quality } = fields;
  const pattern = patternStepsOf(design);
  return {
    ...plain,
    // An aperiodic sheet has tiles of its own, which no group repeats and which have no seams.
    ...(fields.mode !== "aperiodic" && { group, seam, lattice }),
    effects: pattern.map(idAndParams),
    ...placeOf(design, fields),
    format,
    dpi,
    ...(formatFacts[format].lossy && { quality }),
    surface_effects: surfaceStepsOf(design, fields).map(idAndParams),
  };
}

const idAndParams = ({ effect, params }: EffectStep<{ readonly id: string }>) => ({
  id: effect.id,
  params,
});

/** What part of the plane is shown, and at what size. */
function placeOf(design: Design, fields: RenderFields): object {
  const { mode, rotation, offset, size, hex_cells, aperiodic } = fields;
  if (mode === "tile") {
    const isHexagonal = planeGroup(design.group).lattice === "hexagonal";
    return { mode, size, ...(isHexagonal && { hex_cells }) };
  }
  const sheet = { mode, ...sizeOf(fields), rotation: ((rotation % 360) + 360) % 360, offset };
  return mode === "surface"
    ? { ...sheet, cell: cellEdge(design, fields) }
    : {
        ...sheet,
        ...(fields.cell === undefined ? { size } : { cell: fields.cell }),
        aperiodic: tilingOf(aperiodic),
      };
}

/** What of an aperiodic sheet's settings its kind heeds. */
function tilingOf({ n, outline_width, outline_colour, ...heeded }: Aperiodic): object {
  const isWaves = heeded.kind === "quasicrystal";
  return {
    ...heeded,
    ...((isWaves || heeded.kind === "multigrid") && { n }),
    ...(!isWaves && { outline_width, ...(outline_width > 0 && { outline_colour }) }),
  };
}

import { listSurfaceEffects, SurfaceEffect } from "../../actions/list-surface-effects.ts";
import { catalogueTool } from "./catalogue-tool.ts";

export const listSurfaceEffectsTool = catalogueTool({
  name: "list_surface_effects",
  title: "List the surface effects",
  description:
    "The effects that can be laid over a whole sheet (vignette, paper, grain, …), each with its parameters as JSON Schema. Call it before you set `surface_effects` in render_pattern_surface or render_aperiodic. A tile takes none: it has to repeat.",
  example: {},
  row: SurfaceEffect,
  list: listSurfaceEffects,
});

import { listEffects, PatternEffect } from "../../actions/list-effects.ts";
import { catalogueTool } from "./catalogue-tool.ts";

export const listEffectsTool = catalogueTool({
  name: "list_effects",
  title: "List the pattern effects",
  description:
    "The effects that a pattern itself can have (contrast, duotone, halftone, …), each with its parameters as JSON Schema. Call it before you set `effects` in create_pattern or update_pattern. They keep the symmetry and show in tiles and sheets alike; for paper, grain or vignette see list_surface_effects.",
  example: {},
  row: PatternEffect,
  list: listEffects,
});

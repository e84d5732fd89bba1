/** The engine's only door. */
export { presets, surfaceEffects } from "../shaders/catalog.ts";
export { canonicalRender } from "./canonical.ts";
export { checkDesign, checkRender } from "./check.ts";
export type {
  Engine,
  EngineOptions,
  Rendering,
  RenderRequest,
  Timings,
} from "./door.ts";
export {
  type Complaint,
  InvalidRecipe,
  Overloaded,
  SourceTooLarge,
  SourceUnreadable,
} from "./errors.ts";
export { groupOf, PLANE_GROUPS as groups } from "./geometry/plane-groups.ts";
export { createEngine } from "./pool.ts";
export * from "./recipe.ts";

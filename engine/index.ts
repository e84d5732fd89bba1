/** The engine's only door. */
export { presets, surfaceEffects } from "../shaders/catalog.ts";
export { BACKENDS, type Backend, type BackendChoice } from "./backend.ts";
export type {
  Engine,
  EngineOptions,
  Rendering,
  RenderRequest,
  SourceBytes,
  SourceFacts,
  Timings,
} from "./door.ts";
export {
  BackendUnavailable,
  type Complaint,
  InvalidRecipe,
  Overloaded,
  SourceTooLarge,
  SourceUnreadable,
} from "./errors.ts";
export { groupOf, PLANE_GROUPS as groups, type PlaneGroup } from "./geometry/plane-groups.ts";
export { createEngine } from "./pool.ts";
export * from "./recipe.ts";
export { checkRender } from "./render/check.ts";

/** The engine's only door. */
export { products } from "../scenes/catalogue.ts";
export { MOCKUP_SIZE } from "../scenes/scene.ts";
export { patternEffects, presets, styles, surfaceEffects } from "../shaders/catalog.ts";
export { palettes } from "../shaders/palettes.ts";
export { canonicalRender } from "./canonical.ts";
export { Certificate } from "./certificate/certificate.ts";
export { checkDesign, checkRender, sizeOf } from "./check.ts";
export { complaintsOf, describeValue } from "./complaints.ts";
export type {
  Engine,
  EngineOptions,
  MockupRequest,
  PrintRequest,
  Rendering,
  RenderRequest,
  SourceBytes,
  Timings,
} from "./door.ts";
export {
  type Complaint,
  DeadlineExceeded,
  InvalidRecipe,
  Overloaded,
  SourceTooLarge,
  SourceUnreadable,
} from "./errors.ts";
export { groupOf, PLANE_GROUPS as groups } from "./geometry/plane-groups.ts";
export { MOCKUP_CELL, MOCKUP_MEDIA_TYPE } from "./mockups/facts.ts";
export { createEngine } from "./pool.ts";
export { checkPrint } from "./print/check-print.ts";
export { preflight } from "./print/preflight.ts";
export { Preflight } from "./print/preflight-report.ts";
export * from "./recipe.ts";

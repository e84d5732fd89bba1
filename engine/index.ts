/** The engine's public API. */
export { products } from "../scenes/catalogue.ts";
export { MOCKUP_SIZE } from "../scenes/scene.ts";
export { patternEffects, presets, styles, surfaceEffects } from "../shaders/catalog.ts";
export { palettes } from "../shaders/palettes.ts";
export { Certificate } from "./certificate/certificate.ts";
export { CONTACT_SHEET } from "./encoders/contact-sheet.ts";
export {
  CodecKilled,
  DeadlineExceeded,
  fromPlain,
  InvalidRecipe,
  isEngineError,
  Overloaded,
  type PlainError,
  SourceTooLarge,
  SourceUnreadable,
  toPlain,
  type ValidationIssue,
} from "./errors.ts";
export { groupOf, PLANE_GROUPS as groups } from "./geometry/plane-groups.ts";
export { lastLevel, levelSize } from "./image/source-levels.ts";
export { MOCKUP_CELL } from "./mockups/check-mockup.ts";
export { mapVersion } from "./mockups/map-version.ts";
export { createEngine } from "./pool/engine.ts";
export { checkPrint } from "./print/check-print.ts";
export { Measures, measuresOf } from "./print/measures.ts";
export { preflight } from "./print/preflight.ts";
export { Preflight } from "./print/preflight-report.ts";
export { sheetOf } from "./print/sheet.ts";
export { checkDesign, checkRender, sheetSize } from "./recipe/check.ts";
export * from "./recipe/index.ts";
export { type ScaledRender, scaledRender } from "./recipe/scaled-render.ts";
export { describeValue, validationIssuesOf } from "./recipe/validation-issues.ts";
export { canonicalRender } from "./render/canonical.ts";
export { inkNamesOf } from "./render/inks.ts";
export { sizeOf } from "./render/picture-size.ts";
export { losesDetail } from "./render/supersampling.ts";
export type { Size } from "./size.ts";
export type {
  Engine,
  EngineOptions,
  Printing,
  RenderedPicture,
  Rendering,
  Timings,
} from "./types.ts";
export { versionOf } from "./version.ts";

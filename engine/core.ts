/**
 * The part of the engine that runs anywhere, in a worker thread and in a browser: checks recipes and
 * renders them to samples. Sources come in as pixels; encoding is left to the caller.
 */
export type { Encoders } from "./encoders/index.ts";
export { InvalidRecipe, type ValidationIssue } from "./errors.ts";
export { nameOfGpu } from "./gpu-name.ts";
export type { ByteImage } from "./image/picture.ts";
export { writeBytes } from "./image/samples.ts";
export {
  LevelMissing,
  lastLevel,
  levelSize,
  levelsFromOctave,
  octaveWithin,
  openLevels,
  prepareLevels,
  type SourceLevels,
} from "./image/source-levels.ts";
export { type Backend, createRunner, type KernelRunner } from "./kernel-runner.ts";
export { checkDesign, checkRender } from "./recipe/check.ts";
export * from "./recipe/index.ts";
export { type ScaledRender, scaledRender } from "./recipe/scaled-render.ts";
export { validationIssuesOf } from "./recipe/validation-issues.ts";
export { createWorkerContext, type RenderContext } from "./render/context.ts";
export { bandsOf, picturePlan } from "./render/picture.ts";
export { coloursOfLevels } from "./render/source-colours.ts";
export { createStopwatch } from "./render/stopwatch.ts";
export type { Size } from "./size.ts";

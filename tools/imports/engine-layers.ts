/** Import rules within the engine. */
import { type Layer, OUTSIDE } from "./layer.ts";

/** Modules that every file of the engine may import. */
const ENGINE_GROUND = [
  "engine/errors.ts",
  "engine/reused-array.ts",
  "engine/size.ts",
  "engine/version.ts",
];

/** Backends of kernels. */
const RUNNER = [
  "engine/gpu-name.ts",
  "engine/kernel-inputs.ts",
  "engine/kernel-memory.ts",
  "engine/kernel-runner.ts",
  "engine/kernel-code/",
  "engine/kernel-text/",
];

/** Code that runs in worker threads and in browsers. */
const CORE = [
  "shaders/",
  "engine/recipe/",
  "engine/geometry/",
  "engine/tilings/",
  "engine/image/",
  ...RUNNER,
  "engine/render/",
  "engine/core.ts",
  "engine/mockup-core.ts",
  ...["make-print", "map", "packed-map", "print", "pyramid", "rasterise"].map(
    (name) => `engine/mockups/${name}.ts`,
  ),
];

/** The layers of the engine, the lowest first. */
const ENGINE_FLOORS: readonly (readonly string[])[] = [
  [...ENGINE_GROUND, "engine/lower-thread-priority.ts", "engine/single-use-stream.ts"],
  ["engine/recipe/"],
  [
    "engine/geometry/",
    "engine/tilings/",
    "engine/image/",
    "engine/encoders/",
    "engine/decoders/",
    "engine/backend.ts",
    ...RUNNER,
  ],
  ["engine/render/"],
  ["engine/core.ts", "engine/certificate/", "engine/print/", "engine/mockups/", "engine/vector/"],
  ["engine/pool/", "engine/types.ts", "engine/mockup-core.ts"],
  ["engine/index.ts"],
];

export const engineLayers: readonly Layer[] = [
  ...ENGINE_FLOORS.map((floor, index) => ({
    from: floor,
    may: [...ENGINE_FLOORS.slice(0, index + 1).flat(), "shaders/", "scenes/", ...OUTSIDE],
    reason: "the engine stands on floors, and nothing reaches up",
  })),
  {
    from: CORE,
    may: [
      ...CORE,
      ...ENGINE_GROUND,
      "engine/encoders/encoder.ts",
      ...["npm:acorn", "npm:gpu.js", "npm:leven", "npm:lru-cache", "npm:typebox"],
    ],
    mayTypes: ["engine/encoders/"],
    reason: "the core runs anywhere; it is handed what decodes and encodes",
  },
  {
    from: ["engine/encoders/"],
    may: [
      "engine/encoders/",
      "engine/image/",
      "engine/geometry/affine.ts",
      "engine/decoders/libvips.ts",
      "engine/kernel-code/module-code.ts",
      "engine/kernel-code/opcodes.ts",
      "engine/reused-array.ts",
      "engine/size.ts",
      ...OUTSIDE,
    ],
    reason: "an encoder takes rows and facts and knows no recipe, page or sheet",
  },
  ...["certificate", "print", "mockups", "vector"].map((part) => ({
    from: [`engine/${part}/`],
    may: [
      `engine/${part}/`,
      ...ENGINE_FLOORS.slice(0, 4).flat(),
      "shaders/",
      "scenes/",
      ...OUTSIDE,
    ],
    reason: "what is made of a render knows nothing of what else is",
  })),
];

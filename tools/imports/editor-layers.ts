/** Layers of the editor: the page, the engine's workers, and what bundles both. */
import { type Layer, OUTSIDE } from "./layer.ts";

export const editorLayers: readonly Layer[] = [
  {
    from: ["editor/app/"],
    may: [
      "editor/app/",
      "editor/patient-fetch.ts",
      "engine/motif-outline.ts",
      "npm:preact",
      "npm:@preact/signals",
    ],
    mayTypes: [
      "editor/engine/protocol.ts",
      "engine/core.ts",
      "server/actions/",
      "server/http/problem.ts",
      "npm:typebox",
    ],
    reason: "the app runs in a browser and calls the API, whose types are those of its schemas",
  },
  {
    from: ["editor/engine/"],
    may: ["editor/engine/", "editor/patient-fetch.ts", "engine/core.ts", "npm:typebox"],
    mayTypes: ["server/actions/"],
    reason: "the engine's worker renders with the core and knows nothing of the page",
  },
  {
    from: [
      "editor/bundle.ts",
      "editor/bundle-cache.ts",
      "editor/make-bundle.ts",
      "editor/kernel-texts.ts",
    ],
    may: [
      "editor/bundle-cache.ts",
      "editor/kernel-texts.ts",
      "engine/kernel-text/kernel-text.ts",
      ...OUTSIDE,
    ],
    mayTypes: ["editor/bundle.ts", "shaders/kernel.ts"],
    reason: "what bundles files reads them by their paths",
  },
];

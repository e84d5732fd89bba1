/** Import rules within the editor, which runs in browsers. */
import { type Layer, OUTSIDE } from "./layer.ts";

/** Code of pages: the editor's, the console's, and what they share. */
export const PAGES = ["editor/app/", "editor/console/", "editor/shared/"];

export const editorLayers: readonly Layer[] = [
  ...PAGES.map((folder) => ({
    from: [folder],
    may: [
      folder,
      "editor/shared/",
      "editor/messages/",
      "editor/patient-fetch.ts",
      "engine/motif-outline.ts",
      "engine/recipe/ink-names.ts",
      "engine/recipe/limits.ts",
      "engine/recipe/tile-edges.ts",
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
    reason: "pages run in a browser and call the API, whose types are those of its schemas",
  })),
  {
    from: ["editor/engine/"],
    may: [
      "editor/engine/",
      "editor/patient-fetch.ts",
      "engine/core.ts",
      "engine/mockup-core.ts",
      "npm:typebox",
    ],
    mayTypes: ["server/actions/"],
    reason: "the engine's worker renders with the core and knows nothing of the page",
  },
  {
    from: ["editor/embed/"],
    may: [],
    reason: "pages of shops load the script, which is small",
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

/**
 * Import rules as data, with their reasons.
 *
 * A place is a path from the root: a folder ends in `/` and means everything below it, anything
 * else is one file. Packages are written `npm:name`, Node's own modules `node:name`; bare `npm:`
 * and `node:` mean all of them.
 */
import { editorLayers } from "./editor-layers.ts";
import { engineLayers } from "./engine-layers.ts";
import { type Boundary, GALLERY, type Layer, OUTSIDE, TEST_AND_BENCH } from "./layer.ts";
import { packageBoundaries } from "./package-boundaries.ts";

export interface ImportRules {
  readonly layers: readonly Layer[];
  readonly boundaries: readonly Boundary[];
}

const WIRING = [
  "server/main.ts",
  "server/service.ts",
  "server/stdio.ts",
  "server/with-services.ts",
  "server/command-line.ts",
  "server/cli.ts",
];
const WAYS_IN = ["http", "mcp", "cli", "jobs"];

export const importRules: ImportRules = {
  layers: [
    {
      from: ["shaders/"],
      may: ["shaders/", "npm:typebox"],
      mayTypes: ["engine/size.ts"],
      reason: "gpu.js compiles a kernel from its source text, so a kernel is self-contained",
    },
    {
      from: ["scenes/"],
      may: ["scenes/"],
      mayTypes: ["engine/size.ts"],
      reason: "a scene is computed once, into a map, and depends on neither prints nor files",
    },
    {
      from: ["engine/"],
      may: ["engine/", "shaders/", "scenes/", ...OUTSIDE],
      reason: "the engine renders pictures and depends on neither HTTP nor a database",
    },
    ...engineLayers,
    {
      from: ["db/"],
      may: ["db/", ...OUTSIDE],
      reason: "the database stores rows and depends on neither pictures nor callers",
    },
    {
      from: ["server/actions/"],
      may: [
        "server/actions/",
        "server/intake/index.ts",
        "server/outbound/index.ts",
        "server/render-cache/index.ts",
        "engine/index.ts",
        "db/index.ts",
        ...OUTSIDE,
      ],
      reason: "a use case is the same for every transport, so it depends on none",
    },
    {
      from: ["server/intake/"],
      may: ["server/intake/", "engine/lower-thread-priority.ts", ...OUTSIDE],
      reason: "what runs in a thread of its own loads little",
    },
    {
      from: ["server/outbound/"],
      may: ["server/outbound/", ...OUTSIDE],
      reason: "the guard of outgoing requests is reviewed on its own",
    },
    {
      from: ["server/render-cache/"],
      may: [
        "server/render-cache/",
        "server/short-lived-map.ts",
        "server/single-flight.ts",
        "engine/single-use-stream.ts",
        ...OUTSIDE,
      ],
      reason: "the cache does not depend on the content of pictures",
    },
    {
      from: ["server/render-nodes/"],
      may: [
        "server/render-nodes/",
        "server/addresses.ts",
        "server/single-flight.ts",
        "server/actions/failures.ts",
        "server/actions/in-flight.ts",
        "server/actions/measurements.ts",
        "server/actions/spans.ts",
        "server/actions/time-limit.ts",
        "engine/index.ts",
        "engine/single-use-stream.ts",
        ...OUTSIDE,
      ],
      mayTypes: ["server/actions/log.ts", "server/actions/readiness.ts", "db/index.ts"],
      reason: "it implements the engine's interface and knows no use case",
    },
    {
      from: ["server/object-store/"],
      may: ["server/object-store/", "db/index.ts", ...OUTSIDE],
      reason: "the client of the object store knows keys and bytes",
    },
    ...editorLayers,
    ...WAYS_IN.map((way) => ({
      from: [`server/${way}/`],
      may: [
        `server/${way}/`,
        "server/actions/",
        "server/intake/index.ts",
        "engine/single-use-stream.ts",
        "editor/bundle.ts",
        ...OUTSIDE,
      ],
      reason: "transports translate and call actions; shared code of transports is an action",
    })),
    {
      from: GALLERY,
      may: [...GALLERY, "engine/index.ts", ...OUTSIDE],
      reason: "the gallery uses the engine's public API only",
    },
    {
      from: ["tools/"],
      may: ["tools/", ...OUTSIDE],
      reason: "the tools must run on a tree that is broken",
    },
  ],
  boundaries: [
    {
      internal: ["shaders/"],
      publicApi: [],
      allowedImporters: ["shaders/", "engine/", "editor/kernel-texts.ts", ...TEST_AND_BENCH],
      reason: "kernels and catalogues are used through the engine",
    },
    {
      internal: ["scenes/"],
      publicApi: [
        "scenes/catalogue.ts",
        "scenes/fragment.ts",
        "scenes/noise.ts",
        "scenes/scene.ts",
      ],
      allowedImporters: ["scenes/", "engine/mockups/make-map-file.ts", ...TEST_AND_BENCH],
      reason: "scenes are loaded only to compute a map",
    },
    {
      internal: ["scenes/catalogue.ts", "scenes/fragment.ts", "scenes/noise.ts", "scenes/scene.ts"],
      publicApi: [],
      allowedImporters: ["scenes/", "engine/", ...TEST_AND_BENCH],
      reason: "products are used through the engine",
    },
    {
      internal: ["engine/mockups/make-map-file.ts"],
      publicApi: [],
      allowedImporters: ["engine/pool/worker.ts", ...TEST_AND_BENCH],
      reason: "it loads the scenes, and is itself loaded only to compute a map",
    },
    {
      internal: ["engine/"],
      publicApi: [
        "engine/core.ts",
        "engine/index.ts",
        "engine/lower-thread-priority.ts",
        "engine/mockup-core.ts",
        "engine/motif-outline.ts",
        "engine/recipe/ink-names.ts",
        "engine/recipe/limits.ts",
        "engine/recipe/tile-edges.ts",
        "engine/single-use-stream.ts",
        "engine/size.ts",
      ],
      allowedImporters: ["engine/", "editor/kernel-texts.ts", ...TEST_AND_BENCH],
      reason: "one public API keeps the engine's inside free to change",
    },
    {
      internal: ["db/"],
      publicApi: ["db/index.ts"],
      allowedImporters: ["db/", ...TEST_AND_BENCH],
      reason: "one public API keeps the tables and queries free to change",
    },
    {
      internal: ["server/outbound/"],
      publicApi: ["server/outbound/index.ts"],
      allowedImporters: ["server/outbound/", "test/"],
      reason: "no request bypasses the guard, whose parts only work together",
    },
    {
      internal: ["server/intake/"],
      publicApi: ["server/intake/index.ts"],
      allowedImporters: ["server/intake/", "test/"],
      reason: "bodies are parsed in its threads, through its interface",
    },
    {
      internal: ["server/render-cache/"],
      publicApi: ["server/render-cache/index.ts"],
      allowedImporters: ["server/render-cache/", "test/"],
      reason: "one public API keeps the file format free to change",
    },
    {
      internal: ["server/render-nodes/"],
      publicApi: ["server/render-nodes/index.ts"],
      allowedImporters: ["server/render-nodes/", "test/"],
      reason: "both sides of a call change together",
    },
    {
      internal: ["server/object-store/"],
      publicApi: ["server/object-store/index.ts", "server/object-store/location.ts"],
      allowedImporters: ["server/object-store/", "test/"],
      reason: "the SDK is loaded only where an object store is configured",
    },
    {
      internal: ["editor/"],
      publicApi: [],
      allowedImporters: [
        "editor/",
        "server/http/bundle-page.ts",
        "server/http/routes/console.ts",
        "server/http/routes/editor.ts",
        "server/http/editor-page.ts",
        "test/",
      ],
      reason: "the server knows the editor as files to serve",
    },
    {
      internal: WIRING,
      publicApi: [],
      allowedImporters: [...WIRING, "test/"],
      reason: "the parts are wired together in one place, which nothing imports",
    },
    {
      internal: ["bench/"],
      publicApi: [],
      allowedImporters: ["bench/", "test/"],
      reason: "the product does not depend on its benchmarks",
    },
    {
      internal: ["test/"],
      publicApi: [],
      allowedImporters: ["test/"],
      reason: "nothing depends on the tests",
    },
    {
      internal: ["tools/"],
      publicApi: [],
      allowedImporters: ["tools/", "test/"],
      reason: "the tools check the product and are not part of it",
    },
    {
      internal: ["node:https", "node:http2", "node:tls", "node:dns", "node:dns/promises"],
      publicApi: [],
      allowedImporters: ["server/outbound/", ...TEST_AND_BENCH],
      reason: "external addresses are requested through the guard in server/outbound only",
    },
    {
      internal: GALLERY,
      publicApi: [],
      allowedImporters: [...GALLERY, "test/"],
      reason: "the product does not depend on its gallery",
    },
    ...packageBoundaries,
  ],
};

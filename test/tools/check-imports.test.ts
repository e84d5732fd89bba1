/** The import check, on small example trees. */
import { execFile } from "node:child_process";
import t from "tap";
import { findViolations } from "../../tools/imports/find-violations.ts";
import { importRules } from "../../tools/imports/import-rules.ts";
import { readImports } from "../../tools/imports/read-imports.ts";

type Tree = Record<string, string>;

const SOUND: Tree = {
  "shaders/kernel.ts": 'import Type from "typebox";\nexport const schema = Type.Number();',
  "engine/index.ts": 'export { schema } from "../shaders/kernel.ts";\nimport sharp from "sharp";',
  "db/index.ts": 'import { createPool } from "slonik";\nimport fs from "node:fs";',
  "server/actions/render.ts":
    'import { schema } from "../../engine/index.ts";\nimport "../../db/index.ts";',
  "server/actions/fetch.ts": 'import "../outbound/index.ts";',
  "server/outbound/index.ts": 'export * from "./ask.ts";',
  "server/outbound/http-request.ts": 'import https from "node:https";',
  "server/http/app.ts": 'import Koa from "koa";\nimport "../actions/render.ts";',
  "server/main.ts": 'import "./http/app.ts";\nimport "../engine/index.ts";',
  "server/cli.ts": 'import "./main.ts";',
  "bench/run.ts": 'import "../engine/render.ts";\nimport sharp from "sharp";',
  "test/engine/render.test.ts": 'import "../../engine/render.ts";\nimport t from "tap";',
  "engine/render.ts": "export const render = 1;",
  "engine/render/encode.ts":
    'import type { encoders } from "../encoders/index.ts";\nimport "../geometry/affine.ts";',
  "engine/encoders/index.ts": 'import "node:zlib";\nexport const encoders = 1;',
};

/** One file each that breaks one rule, its line, and words of the reason. */
const BROKEN: readonly [title: string, file: string, text: string, line: number, why: RegExp][] = [
  ["a kernel that imports a package", "shaders/a.ts", 'import "sharp";', 1, /source text/],
  ["a kernel that imports the engine", "shaders/a.ts", 'import "../engine/index.ts";', 1, /source/],
  [
    "an engine that imports the server",
    "engine/a.ts",
    '\nimport "../server/x.ts";',
    2,
    /neither HTTP/,
  ],
  [
    "an engine that imports the database",
    "engine/a.ts",
    'import "../db/index.ts";',
    1,
    /nor a database/,
  ],
  [
    "an engine layer that imports a higher one",
    "engine/image/a.ts",
    'import "../render/b.ts";',
    1,
    /floors/,
  ],
  ["a core that needs Node", "engine/render/a.ts", 'import "node:fs";', 1, /runs anywhere/],
  [
    "a core that loads an encoder",
    "engine/render/a.ts",
    'import { encoders } from "../encoders/index.ts";',
    1,
    /runs anywhere/,
  ],
  [
    "an encoder that imports the recipe",
    "engine/encoders/a.ts",
    'import type { Design } from "../recipe/index.ts";',
    1,
    /rows and facts/,
  ],
  ["a print that imports mockups", "engine/print/a.ts", 'import "../mockups/a.ts";', 1, /made of/],
  [
    "a database that imports the engine",
    "db/a.ts",
    'import "../engine/index.ts";',
    1,
    /neither pictures/,
  ],
  [
    "a type import past a public API",
    "server/a.ts",
    'import type { R } from "../engine/render.ts";',
    1,
    /one public API/,
  ],
  [
    "a re-export past a public API",
    "server/a.ts",
    'export * from "../db/queries.ts";',
    1,
    /one public API/,
  ],
  [
    "a dynamic import past a public API",
    "server/a.ts",
    'await import("../db/queries.ts");',
    1,
    /one public API/,
  ],
  [
    "an import inside a type",
    "server/a.ts",
    'export type R = import("../db/q.ts").R;',
    1,
    /one public API/,
  ],
  [
    "an action that imports Koa",
    "server/actions/a.ts",
    '// why\n\nimport "koa";',
    3,
    /only server\/http/,
  ],
  [
    "an action that imports a transport",
    "server/actions/a.ts",
    'import "../http/app.ts";',
    1,
    /use case/,
  ],
  [
    "a transport that imports another",
    "server/mcp/a.ts",
    'import "../http/app.ts";',
    1,
    /shared code/,
  ],
  [
    "a transport that bypasses the actions",
    "server/http/a.ts",
    'import "../../db/index.ts";',
    1,
    /translate/,
  ],
  [
    "a part that imports the wiring",
    "server/config.ts",
    'import "./main.ts";',
    1,
    /nothing imports/,
  ],
  [
    "a server that imports kernels",
    "server/a.ts",
    'import "../shaders/kernel.ts";',
    1,
    /through the engine/,
  ],
  [
    "an action that bypasses the guard",
    "server/actions/a.ts",
    'import https from "node:https";',
    1,
    /through the guard/,
  ],
  [
    "a guard that imports its callers",
    "server/outbound/a.ts",
    'import "../actions/render.ts";',
    1,
    /on its own/,
  ],
  [
    "a transport that sends requests",
    "server/http/a.ts",
    'import "../outbound/index.ts";',
    1,
    /translate/,
  ],
  [
    "a part of the guard alone",
    "server/b.ts",
    'import "./outbound/ask.ts";',
    1,
    /only work together/,
  ],
  [
    "a product that imports the benchmarks",
    "server/a.ts",
    'import "../bench/run.ts";',
    1,
    /benchmarks/,
  ],
  [
    "a benchmark that imports a test",
    "bench/a.ts",
    'import "../test/helpers/x.ts";',
    1,
    /on the tests/,
  ],
  ["SQL outside of db", "server/a.ts", 'import "slonik";', 1, /executes SQL/],
  [
    "threads outside the engine",
    "server/a.ts",
    'import { Piscina } from "piscina";',
    1,
    /own all threads/,
  ],
];

function judge(dir: string) {
  return findViolations(readImports(dir), importRules);
}

t.test("reports nothing for a valid tree", async (t) => {
  const dir = t.testdir(nested(SOUND));
  t.equal(readImports(dir).size, Object.keys(SOUND).length);
  t.strictSame(judge(dir), []);
});

for (const [title, file, text, line, why] of BROKEN) {
  t.test(`reports ${title}`, async (t) => {
    const violations = judge(t.testdir(nested({ ...SOUND, [file]: text })));
    t.equal(violations.length, 1);
    t.match(violations[0], { file, line, message: why });
  });
}

t.test("reports a cycle once, with its path", async (t) => {
  const dir = t.testdir(
    nested({
      "db/a.ts": 'import "./b.ts";',
      "db/b.ts": 'import type { C } from "./c.ts";',
      "db/c.ts": 'import "./a.ts";\nimport "./c.ts";',
    }),
  );
  const violations = judge(dir);
  t.equal(violations.length, 1);
  t.match(violations[0], { file: "db/a.ts", line: 1 });
  t.match(violations[0].message, "db/a.ts → db/b.ts → db/c.ts → db/a.ts");
});

t.test("ignores comments and strings", async (t) => {
  const text = '// import "../server/x.ts";\nexport const text = \'import "../server/x.ts"\';';
  t.strictSame(judge(t.testdir(nested({ "engine/a.ts": text }))), []);
});

t.test("ignores installed packages and dot folders", async (t) => {
  const text = 'import "../../server/x.ts";';
  const dir = t.testdir(nested({ "engine/node_modules/a.ts": text, "engine/.cache/a.ts": text }));
  t.equal(readImports(dir).size, 0);
});

t.test("reports the position of a syntax error", async (t) => {
  const dir = t.testdir(nested({ "engine/a.ts": "\nexport const = 1;" }));
  t.throws(() => readImports(dir), { message: /^engine\/a\.ts:2: / });
});

t.test("reports every rule that one import violates", async (t) => {
  const dir = t.testdir(nested({ "server/http/a.ts": 'import "../../db/queries.ts";' }));
  const violations = judge(dir);
  t.equal(violations.length, 1);
  t.match(violations[0].message, /translate.*one public API/s);
});

t.test("the command prints position, rule and reason, and fails", async (t) => {
  const sound = await run(t.testdir(nested(SOUND)));
  t.strictSame(sound, { code: 0, out: "15 files, 0 forbidden imports\n", err: "" });
  const broken = await run(t.testdir(nested({ "db/a.ts": 'import "../server/x.ts";' })));
  t.equal(broken.code, 1);
  t.match(broken.err, /^db\/a\.ts:1 imports server\/x\.ts\n {4}rule: .+\n {4}reason: .+\n$/);
});

/** Turns paths into the nested folders that tap's `testdir` takes. */
function nested(tree: Tree) {
  const root: Folder = {};
  for (const [path, text] of Object.entries(tree)) {
    const parts = path.split("/");
    const name = parts.pop() as string;
    let folder = root;
    for (const part of parts) {
      folder[part] ??= {};
      folder = folder[part] as Folder;
    }
    folder[name] = text;
  }
  return root;
}

interface Folder {
  [name: string]: string | Folder;
}

function run(dir: string) {
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const args = ["tools/check-imports.ts", dir];
    execFile(process.execPath, args, (error, out, err) => {
      resolve({ code: Number(error?.code ?? 0), out, err });
    });
  });
}

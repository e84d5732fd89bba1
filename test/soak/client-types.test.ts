/** TypeScript clients can generate their types from the document. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import { temporaryFolder } from "../helpers/database.ts";
import { testServer } from "../helpers/server.ts";

const run = promisify(execFile);
const { resolve } = createRequire(import.meta.url);
const generator = createRequire(resolve("client-types/package.json")).resolve(
  "openapi-typescript/package.json",
);
const GENERATE = join(dirname(generator), "bin/cli.js");
const COMPILE = join(dirname(resolve("typescript/package.json")), "lib/tsc.js");

/** A client that knows only the types: the compiler checks what it sends and reads. */
const CLIENT = `
import type { components, paths } from "./types.ts";

type Post<Path extends keyof paths> = paths[Path] extends { post: infer Operation } ? Operation : never;
type Json<Media> = Media extends { content: { "application/json": infer Body } } ? Body : never;
type Sent<Operation> = Operation extends { requestBody?: infer Body } ? Json<NonNullable<Body>> : never;
type Made<Operation> = Operation extends { responses: { 201: infer Answer } } ? Json<Answer> : never;
type Problem = components["schemas"]["Problem"];

export async function make<Path extends keyof paths>(
  path: Path,
  body: Sent<Post<Path>>,
): Promise<Made<Post<Path>> | Problem> {
  const headers = { "X-API-Key": "pf_", "Content-Type": "application/json" };
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  return await response.json();
}
`;

const RIGHT = `
import { make } from "./client.ts";

const source = await make("/api/v1/sources/presets", { preset: "floral", seed: 7 });
if ("code" in source) throw new Error(source.code === "credits_exhausted" ? "buy some" : source.detail);
const pattern = await make("/api/v1/patterns", { source_id: source.id, group: "p4", motif: { rotation: 45 } });
if ("code" in pattern) throw new Error(pattern.errors?.map(({ path }) => path).join());
const group: "p1" | "p2" | "pm" | "pg" | "cm" | "pmm" | "pmg" | "pgg" | "cmm" | "p4" | "p4m" | "p4g" | "p3" | "p3m1" | "p31m" | "p6" | "p6m" = pattern.group;
const name: string | null = pattern.name;
console.log(group, name, pattern.motif.rotation.toFixed(), pattern.seam.method === "fold");
`;

/** A program's file. */
const fileOf = (name: string) => `${name.replaceAll(/\W/g, "-")}.ts`;

/** Programs with one error each, and the compiler's messages. */
const WRONG: Readonly<Record<string, readonly [string, RegExp]>> = {
  "a path that there is not": [
    'await make("/api/v1/pattern", { source_id: 1, group: "p4" });',
    /not assignable to parameter/,
  ],
  "a field of another name": [
    'await make("/api/v1/patterns", { sourceId: 1, group: "p4" });',
    /'sourceId' does not exist/,
  ],
  "a field of another type": [
    'await make("/api/v1/patterns", { source_id: "1", group: "p4" });',
    /'string' is not assignable to type 'number'/,
  ],
  "a field that is missing": [
    'await make("/api/v1/patterns", { group: "p4" });',
    /'source_id' is missing/,
  ],
  "a word that is not known": [
    'await make("/api/v1/sources/presets", { preset: "flowers" });',
    /'"flowers"' is not assignable/,
  ],
  "an answer's field that there is not": [
    'const made = await make("/api/v1/patterns", { source_id: 1, group: "p4" }); if (!("code" in made)) made.colour;',
    /'colour' does not exist/,
  ],
};

const OPTIONS = ["--noEmit", "--strict", "--target", "es2024", "--lib", "es2024,dom"];
const MODULES = ["--module", "nodenext", "--allowImportingTsExtensions"];

t.test("generated types check a client's requests and responses", async (t) => {
  const { url } = await testServer(t);
  const folder = await temporaryFolder(t);
  const document = await (await fetch(`${url}/api/v1/openapi.json`)).text();
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  await write("package.json", '{ "type": "module" }');
  await write("openapi.json", document);
  await write("client.ts", CLIENT);
  const options = { cwd: folder };
  await run(process.execPath, [GENERATE, "openapi.json", "-o", "types.ts"], options);

  await write("right.ts", RIGHT);
  for (const [name, [line]] of Object.entries(WRONG)) {
    await write(fileOf(name), `import { make } from "./client.ts";\n${line}\n`);
  }
  const programs = ["right.ts", ...Object.keys(WRONG).map(fileOf)];
  const command = [COMPILE, ...OPTIONS, ...MODULES, ...programs];
  const output = await run(process.execPath, command, options).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
  // A message goes on in indented lines.
  const errors = output.split(/\n(?=\S)/);
  t.same(
    errors.filter((error) => error.startsWith("right.ts")),
    [],
  );
  for (const [name, [, issue]] of Object.entries(WRONG)) {
    const error = errors.find((error) => error.startsWith(fileOf(name)));
    t.match(error, issue, name);
  }
  t.equal(errors.length, Object.keys(WRONG).length, "one error each");
});

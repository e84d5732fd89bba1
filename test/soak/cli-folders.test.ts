/** Which commands create a database, and the files they leave in their working directory. */
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { answer, orbifoldIn } from "../helpers/command-line.ts";
import { temporaryFolder, testDatabaseUrl } from "../helpers/database.ts";

t.test("only commands that set up the database create it", async (t) => {
  const cwd = await temporaryFolder(t);
  const SERVICE_API_KEY = "pf_something";
  const elsewhere = { DATA_DIR: join(cwd, "deeper", "data") };
  const commands = [
    "accounts list",
    "keys create --account 1 --name n",
    "token --account 1",
    "render --account 1 --pattern 1 --out x.png",
    "mcp",
  ];
  for (const [env, folder, lines] of [
    [{ SERVICE_API_KEY }, join(cwd, ".data"), commands],
    [elsewhere, elsewhere.DATA_DIR, ["accounts set 1 --frozen true"]],
  ] as const) {
    const ends = lines.map((line) => orbifoldIn(cwd, env, ...line.split(" ")));
    for (const [place, { code, stdout, stderr }] of (await Promise.all(ends)).entries()) {
      t.equal(code, 78, lines[place]);
      t.equal(stdout, "", lines[place]);
      t.match(
        stderr,
        /^orbifold: there is no database in .*: set DATA_DIR .* or DATABASE_URL.*\n$/,
      );
      t.ok(stderr.includes(` in ${folder}: `), stderr);
    }
  }
  t.same(await readdir(cwd), [], "and nothing is left behind");

  const env = { SERVICE_API_KEY, DATA_DIR: await temporaryFolder(t) };
  for (const line of ["mcp", "render --account 1 --pattern 1 --out x.png"]) {
    t.equal((await orbifoldIn(".", env, ...line.split(" "))).code, 78, line);
    t.same(await readdir(env.DATA_DIR), [], "nor in a folder that is there but has no database");
  }
});

t.test("an MCP server on an external PostgreSQL does not change its data folder", async (t) => {
  const cwd = await temporaryFolder(t);
  const env = {
    DATABASE_URL: await testDatabaseUrl(),
    ENGINE_BACKEND: "cpu",
    ENGINE_THREADS: "1",
  };
  const create = ["accounts", "create", "--email", "ada@example.org", "--plan", "pro"];
  await answer(t, env, ...create);
  const { secret } = await answer(t, env, "keys", "create", "--account", "1", "--name", "agent");
  const ended = await orbifoldIn(cwd, { ...env, SERVICE_API_KEY: secret }, "mcp");
  t.same(ended, { code: 0, stdout: "", stderr: "" });
  t.same(await readdir(cwd), []);
});

t.test("exits with 78 and one line if the folder is not writable", async (t) => {
  const file = join(await temporaryFolder(t), "file");
  await writeFile(file, "");
  const DATA_DIR = join(file, "data");
  for (const line of ["serve", "migrate", "accounts create --email a@b.c --plan pro"]) {
    const { code, stdout, stderr } = await orbifoldIn(".", { DATA_DIR }, ...line.split(" "));
    t.equal(code, 78, line);
    t.equal(stdout, "", line);
    t.match(
      stderr,
      /^orbifold: DATA_DIR: expected a folder that can be written to, got ENOTDIR.*\n$/,
    );
  }
});

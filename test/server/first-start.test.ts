/** The first start as its user sees it: the service as a process, and a shell to paste into. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { decode } from "fast-png";
import t, { type Test } from "tap";
import { openDatabase } from "../../db/index.ts";
import { readConfig } from "../../server/config.ts";
import { welcome } from "../../server/first-start.ts";
import { temporaryFolder, testDatabase } from "../helpers/database.ts";

const run = promisify(execFile);
const hasCurl = await run("curl", ["--version"]).then(
  () => true,
  () => false,
);

/** Starts the service and gives what it prints until `enough` is in it. */
async function startService(t: Test, dataDir: string, enough: RegExp) {
  const cli = join(import.meta.dirname, "../../server/cli.ts");
  const child = spawn(process.execPath, [cli, "serve"], {
    env: { PATH: process.env.PATH, PORT: "0", DATA_DIR: dataDir },
    stdio: ["ignore", "ignore", "pipe"],
  });
  t.teardown(() => child.kill("SIGKILL"));
  let printed = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    printed += text;
  });
  while (!enough.test(printed)) await once(child.stderr, "data");
  return {
    printed: () => printed,
    stop: async () => {
      child.kill("SIGTERM");
      const [code] = await once(child, "close");
      return code as number | null;
    },
  };
}

t.test(
  "the line that is printed makes a pattern and saves it",
  { skip: hasCurl ? false : "curl is not installed" },
  async (t) => {
    const dataDir = await temporaryFolder(t);
    const folder = await temporaryFolder(t);
    const service = await startService(t, dataDir, /pattern\.png\)\n/);
    const line = /^\(post.*$/m.exec(service.printed())?.[0] ?? "";
    const { stderr } = await run("bash", ["-c", line], { cwd: folder });
    t.equal(stderr, "");
    const picture = decode(await readFile(join(folder, "pattern.png")));
    t.match(picture, { width: 1024, height: 1024 });
    const samples = new Set(picture.data.subarray(0, 4 * 1024 * 64));
    t.ok(samples.size > 16, "it shows something");
    t.equal(await service.stop(), 0);

    const again = await startService(t, dataDir, /listens at/);
    t.equal(await again.stop(), 0);
    t.notMatch(again.printed(), "pf_");
    await t.rejects(stat(join(dataDir, "postgres/cluster/postmaster.pid")), { code: "ENOENT" });
  },
);

t.test("the addresses are those of the configuration, with the port that was got", async (t) => {
  const dataDir = await temporaryFolder(t);
  const texts: string[] = [];
  const db = await openDatabase({ dataDir });
  await welcome(db, readConfig({ PORT: "0" }), (text) => texts.push(text), 8123);
  await welcome(db, readConfig({ PORT: "0" }), (text) => texts.push(text), 8123);
  t.equal(texts.length, 1);
  t.match(texts[0], /^ {2}API +http:\/\/127\.0\.0\.1:8123\/api\/v1$/m);
  t.match(texts[0], /^ {2}documentation +http:\/\/127\.0\.0\.1:8123\/docs$/m);
  t.match(texts[0], "trial account of 100 credits");
  t.match(await db.accounts.list(), [{ plan: "trial", credits: 100 }]);
  await db.close();
});

t.test("a database from outside is left as it is", async (t) => {
  const db = await testDatabase(t);
  await welcome(db, readConfig({}), (text) => t.fail(text));
  t.same(await db.accounts.list(), []);
});

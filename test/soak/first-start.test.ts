/** The first start: the service as a process, and a shell to paste into. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { decode } from "fast-png";
import t, { type Test } from "tap";
import { openDatabase } from "../../db/index.ts";
import { isWellFormedKey } from "../../server/actions/api-keys.ts";
import { readConfig } from "../../server/config.ts";
import { welcome } from "../../server/first-start.ts";
import { CLI, hasScript, inherited, onTerminal } from "../helpers/command-line.ts";
import { temporaryFolder, testDatabase } from "../helpers/database.ts";
import { testLog } from "../helpers/log.ts";

const run = promisify(execFile);
const hasCurl = await run("curl", ["--version"]).then(
  () => true,
  () => false,
);

/** Starts the service and returns its output once it contains `enough`. */
async function startService(
  t: Test,
  dataDir: string,
  enough: RegExp,
  [program, ...args]: readonly string[] = [process.execPath, CLI, "serve"],
) {
  const child = spawn(program ?? "", args, {
    env: { ...inherited(), PORT: "0", DATA_DIR: dataDir, SHUTDOWN_DELAY_MS: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  t.teardown(() => child.kill("SIGKILL"));
  let printed = "";
  const ended = once(child, "close");
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      printed += text;
      child.emit("printed");
    });
  }
  const broken = ended.then(() => {
    throw new Error(`it ended before that: ${printed}`);
  });
  broken.catch(() => undefined);
  while (!enough.test(printed)) await Promise.race([once(child, "printed"), broken]);
  return {
    printed: () => printed,
    stop: async () => {
      child.kill("SIGTERM");
      const [code] = await ended;
      return code;
    },
  };
}

t.test(
  "a terminal shows the key and a command that creates a pattern",
  { skip: (!hasCurl && "curl is not installed") || (!hasScript && "script is not installed") },
  async (t) => {
    const dataDir = await temporaryFolder(t);
    const folder = await temporaryFolder(t);
    const service = await startService(t, dataDir, /pattern\.png\)\s+/, onTerminal("serve"));
    const line = /^\(post.*\)/m.exec(service.printed())?.[0] ?? "";
    const { stderr } = await run("bash", ["-c", line], { cwd: folder });
    t.equal(stderr, "");
    const picture = decode(await readFile(join(folder, "pattern.png")));
    t.match(picture, { width: 1024, height: 1024 });
    const samples = new Set(picture.data.subarray(0, 4 * 1024 * 64));
    t.ok(samples.size > 16, "it shows something");
    t.match(service.printed(), /^\d\d:\d\d:\d\d orbifold \S+ listens at/m, "the log is readable");
    await t.rejects(stat(join(dataDir, "first-key")), { code: "ENOENT" });
    await service.stop();
  },
);

t.test("without a terminal the key is written to a file, whose path is logged", async (t) => {
  const dataDir = await temporaryFolder(t);
  const service = await startService(t, dataDir, /listens at/);
  const file = join(dataDir, "first-key");
  const key = (await readFile(file, "utf8")).trimEnd();
  t.ok(isWellFormedKey(key));
  t.equal((await stat(file)).mode & 0o777, 0o600);
  const url = /listens at (\S+)/.exec(service.printed())?.[1];
  const account = await fetch(`${url}/api/v1/account`, { headers: { "X-API-Key": key } });
  t.equal(account.status, 200);
  t.equal(await service.stop(), 0);
  t.notMatch(service.printed(), /pf_/);
  for (const line of service.printed().trimEnd().split("\n")) {
    t.match(JSON.parse(line), { level: /^(info|warn)$/, time: /^20.*Z$/, msg: String });
  }

  const again = await startService(t, dataDir, /listens at/);
  t.equal(await again.stop(), 0);
  t.notMatch(again.printed(), /key/);
  await t.rejects(stat(join(dataDir, "postgres/cluster/postmaster.pid")), { code: "ENOENT" });
});

t.test("URLs follow the configuration and the actual port", async (t) => {
  const dataDir = await temporaryFolder(t);
  const texts: string[] = [];
  const db = await openDatabase({ dataDir });
  const { log, entries } = testLog();
  const terminal = { isTTY: true, write: (text: string) => texts.push(text) };
  await welcome(db, readConfig({ PORT: "0" }), log, 8123, terminal);
  await welcome(db, readConfig({ PORT: "0" }), log, 8123, terminal);
  t.equal(texts.length, 1);
  t.match(texts[0], /^ {2}API +http:\/\/127\.0\.0\.1:8123\/api\/v1$/m);
  t.match(texts[0], /^ {2}documentation +http:\/\/127\.0\.0\.1:8123\/docs$/m);
  t.match(texts[0], "trial account of 100 credits");
  t.same(entries, []);
  t.match(await db.accounts.list(), [{ plan: "trial", credits: 100 }]);
  await db.close();
});

t.test("creates nothing in an external database", async (t) => {
  const db = await testDatabase(t);
  const { log, entries } = testLog();
  await welcome(db, readConfig({}), log);
  t.same(entries, []);
  t.same(await db.accounts.list(), []);
});

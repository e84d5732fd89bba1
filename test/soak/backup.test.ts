/** The embedded database is copied while the service writes, and a service on the copy has the same bytes. */
import { createHash } from "node:crypto";
import { readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import { backUp } from "../../db/index.ts";
import { answer, orbifold } from "../helpers/command-line.ts";
import { temporaryFolder } from "../helpers/database.ts";
import { until } from "../helpers/jobs.ts";
import { dataFolder } from "../helpers/service.ts";
import { checkRestore } from "./check-restore.ts";

/** The environment of commands on a new embedded database. */
async function prepareData(t: Test) {
  const env = { DATA_DIR: await dataFolder(t) };
  t.equal((await orbifold(env, "migrate")).code, 0);
  return env;
}

t.test("a restored backup has the same bytes", { timeout: 300_000 }, async (t) => {
  const env = { DATABASE_URL: "", DATA_DIR: await dataFolder(t) };
  const restored = { DATABASE_URL: "", DATA_DIR: join(await dataFolder(t), "new") };
  const backup = join(await temporaryFolder(t), "deeper", "backup");
  await checkRestore(t, env, {
    pauseMs: 100,
    backUp: async () => {
      const made = await answer(t, env, "backup", "--to", backup);
      t.match(made, { folder: backup, files: Number, bytes: Number });
    },
    restore: async () => {
      t.equal((await stat(backup)).mode & 0o777, 0o700, "others may not read it");
      const { stdout, code } = await orbifold(restored, "restore", "--from", backup);
      t.equal(code, 0);
      t.match(stdout, /^restored .*, made at 20\d\d-\S+: \d+ files, \d+ MB\n$/);
      return restored;
    },
  });
});

t.test("damaged backups and folders in use are refused", async (t) => {
  const env = await prepareData(t);
  const dataDir = env.DATA_DIR;
  const folder = await temporaryFolder(t);
  const backup = join(folder, "backup");
  await answer(t, env, "backup", "--to", backup);

  const refused = async (
    environment: Record<string, string>,
    words: string,
    message: RegExp,
    status = 1,
  ) => {
    const { code, stdout, stderr } = await orbifold(environment, ...words.split(" "));
    t.equal(code, status, words);
    t.equal(stdout, "");
    t.match(stderr, message);
  };
  await refused(env, `backup --to ${backup}`, /backup exists already: a backup is a new folder\n$/);
  await refused(
    env,
    `restore --from ${backup}`,
    new RegExp(`there is a database in ${dataDir} already: set DATA_DIR to another folder`),
  );
  const external = { ...env, DATABASE_URL: "postgresql://127.0.0.1:1/none" };
  for (const words of [`backup --to ${folder}/other`, `restore --from ${backup}`]) {
    await refused(external, words, /DATABASE_URL: .* pg_dump/, 78);
  }

  const empty = join(folder, "data");
  const restoring = (message: RegExp) =>
    refused({ DATA_DIR: empty }, `restore --from ${backup}`, message);
  const version = join(backup, "cluster/PG_VERSION");
  await writeFile(version, "19\n");
  await restoring(/cluster\/PG_VERSION is damaged: its bytes are not those of the backup\n$/);
  await rm(version);
  await restoring(/cannot restore .*backup: ENOENT.*PG_VERSION/);
  const manifest = join(backup, "manifest.json");
  const content = await readFile(manifest, "utf8");
  await writeFile(manifest, content.replace("cluster/PG_VERSION", "cluster/../../PG_VERSION"));
  await restoring(/manifest\.json is damaged: \/files/);
  await writeFile(manifest, content.slice(0, -100));
  await restoring(/manifest\.json is damaged: .*JSON/);
  await writeFile(manifest, content.replace('"postgresql": 18', '"postgresql": 17'));
  await restoring(/the backup is of PostgreSQL 17, and this release has 18: /);
  await rm(manifest);
  await restoring(/there is no backup in .*backup: .*manifest\.json is missing\n$/);
  t.same(await readdir(empty), [], "and nothing is left behind");
});

t.test("a backup that does not start is refused", async (t) => {
  const env = await prepareData(t);
  const folder = await temporaryFolder(t);
  const backup = join(folder, "backup");
  await answer(t, env, "backup", "--to", backup);
  const label = "cluster/backup_label";
  const nonsense = Buffer.from("nonsense");
  await writeFile(join(backup, label), nonsense);
  const manifest = join(backup, "manifest.json");
  const content = JSON.parse(await readFile(manifest, "utf8"));
  const sha256 = createHash("sha256").update(nonsense).digest("hex");
  content.files[label] = { bytes: nonsense.length, sha256 };
  await writeFile(manifest, JSON.stringify(content));
  const data = join(folder, "data");
  const { code, stderr } = await orbifold({ DATA_DIR: data }, "restore", "--from", backup);
  t.equal(code, 1);
  t.match(stderr, /the backup cannot be used: .*invalid data in file "backup_label"\n$/);
  t.same(await readdir(data), []);
});

t.test("odd files of a cluster are restored, and its links refused", async (t) => {
  const env = await prepareData(t);
  const dataDir = env.DATA_DIR;
  const folder = await temporaryFolder(t);
  const odd = join(dataDir, "postgres/cluster/.DS Store~");
  await writeFile(odd, "x");
  await answer(t, env, "backup", "--to", join(folder, "backup"));
  const restored = { DATA_DIR: join(folder, "data") };
  await answer(t, restored, "restore", "--from", join(folder, "backup"));
  t.same(await answer(t, restored, "accounts", "list"), []);
  await rm(odd);
  await symlink("/etc/hostname", odd);
  const { code, stderr } = await orbifold(env, "backup", "--to", join(folder, "other"));
  t.equal(code, 1);
  t.match(stderr, /\.DS Store~ is neither a file nor a folder/);
  t.same(await readdir(folder), ["backup", "data"]);
});

t.test("an interrupted backup leaves nothing behind", async (t) => {
  const { DATA_DIR: dataDir } = await prepareData(t);
  const folder = await temporaryFolder(t);
  const stop = new AbortController();
  const to = join(folder, "backup");
  // A copy has a thousand files, and this process sees the first of them.
  const refused = t.rejects(backUp({ dataDir, to, signal: stop.signal }), { name: "AbortError" });
  await until(async () => (await readdir(folder)).length > 0);
  stop.abort();
  await refused;
  t.same(await readdir(folder), []);
  t.match(await backUp({ dataDir, to, signal: AbortSignal.timeout(60_000) }), { files: Number });
});

/** The embedded database is copied while the service writes, and a service on the copy has the same bytes. */
import { createHash } from "node:crypto";
import { readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import t, { type Test } from "tap";
import { backUp } from "../../db/index.ts";
import { answer, orbifold } from "../helpers/command-line.ts";
import { temporaryFolder } from "../helpers/database.ts";
import { until } from "../helpers/jobs.ts";
import { photograph, pngOf } from "../helpers/pictures.ts";
import { dataFolder, startService } from "../helpers/service.ts";

/** The service on the embedded database of a folder, and its API for one key. */
async function serve(t: Test, dataDir: string, key: string) {
  const service = await startService(t, { DATABASE_URL: "", DATA_DIR: dataDir });
  const api = `${await service.url()}/api/v1`;
  const request = (method: string, path: string, body?: object) =>
    fetch(new URL(path, `${api}/`), {
      method,
      headers: { "X-API-Key": key, "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
  return {
    api,
    json: async (method: string, path: string, body?: object) => {
      const response = await request(method, path, body);
      const json = await response.json();
      if (!response.ok) throw new Error(`${path}: ${JSON.stringify(json)}`);
      return json;
    },
    sha256: async (method: string, path: string, body?: object) => {
      const response = await request(method, path, body);
      if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
      return createHash("sha256")
        .update(await response.bytes())
        .digest("hex");
    },
    stop: async () => {
      service.process.kill("SIGTERM");
      t.equal(await service.ended, 0);
    },
  };
}

/** A service with an account, and its key. */
async function prepareData(t: Test) {
  const dataDir = await dataFolder(t);
  const env = { DATA_DIR: dataDir };
  t.equal((await orbifold(env, "migrate")).code, 0);
  const account = ["--email", "ada@example.org", "--plan", "agency"];
  const { id } = await answer(t, env, "accounts", "create", ...account);
  const { secret } = await answer(t, env, "keys", "create", "--account", `${id}`, "--name", "one");
  return { dataDir, env, key: secret };
}

const SHEET = { width_mm: 60, height_mm: 40, cell_mm: 20, dpi: 100, format: "png" } as const;

t.test("a restored backup has the same bytes", { timeout: 300_000 }, async (t) => {
  const { dataDir, env, key } = await prepareData(t);
  const first = await serve(t, dataDir, key);
  const photo = Buffer.from(pngOf(photograph(300, 200)));
  const photoHash = createHash("sha256").update(photo).digest("hex");
  const form = new FormData();
  form.set("file", new Blob([photo]), "photo.png");
  const headers = { "X-API-Key": key };
  const upload = await fetch(`${first.api}/sources/upload`, {
    method: "POST",
    headers,
    body: form,
  });
  const source = await upload.json();
  const create = (name: string) =>
    first.json("POST", "patterns", { source_id: source.id, group: "p4g", name });
  const pattern = await create("known");
  const render = [`patterns/${pattern.id}/render`, { size: 256 }] as const;
  const picture = await first.sha256("POST", ...render);
  const ordered = await first.json("POST", `patterns/${pattern.id}/export`, SHEET);
  const job = `exports/${ordered.export_id}`;
  // The rate limit counts each question.
  do await delay(200);
  while ((await first.json("GET", job)).status !== "done");
  const sheet = await first.sha256("GET", `${job}/file`);

  const acknowledged: string[] = [];
  const writing = new AbortController();
  const writer = async () => {
    while (!writing.signal.aborted) {
      const name = `written ${acknowledged.length} ${Math.random()}`;
      await create(name);
      acknowledged.push(name);
      await delay(100);
    }
  };
  const backup = join(await temporaryFolder(t), "deeper", "backup");
  const copy = async () => {
    try {
      await until(() => acknowledged.length > 10);
      const before = acknowledged.length;
      const made = await answer(t, env, "backup", "--to", backup);
      t.match(made, { folder: backup, files: Number, bytes: Number });
      return before;
    } finally {
      writing.abort();
    }
  };
  const [before] = await Promise.all([copy(), writer()]);
  const during = acknowledged.length;
  t.ok(during > before, `${during - before} patterns were created while it was copied`);
  await create("after the backup");
  await first.stop();

  t.equal((await stat(backup)).mode & 0o777, 0o700, "others may not read it");
  const restored = { DATA_DIR: join(await dataFolder(t), "new") };
  const { stdout, code } = await orbifold(restored, "restore", "--from", backup);
  t.equal(code, 0);
  t.match(stdout, /^restored .*, made at 20\d\d-\S+: \d+ files, \d+ MB\n$/);
  const second = await serve(t, restored.DATA_DIR, key);
  t.equal(await second.sha256("POST", ...render), picture);
  t.equal(await second.sha256("GET", `${job}/file`), sheet);
  t.equal(await second.sha256("GET", `sources/${source.id}/image`), photoHash);
  const names = new Set<string>();
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: { data: { name: string }[]; next_cursor: string | null } = await second.json(
      "GET",
      `patterns?limit=100${cursor && `&cursor=${cursor}`}`,
    );
    for (const { name } of page.data) names.add(name);
    cursor = page.next_cursor;
  }
  t.ok(
    acknowledged.slice(0, before).every((name) => names.has(name)),
    "what was acknowledged before",
  );
  t.notOk(names.has("after the backup"), "not what came later");
  const later = await second.json("POST", "patterns", { source_id: source.id, group: "p6" });
  t.ok(later.id > 1_000_000, "and no id is given again");
  await second.stop();
});

t.test("damaged backups and folders in use are refused", async (t) => {
  const { dataDir, env } = await prepareData(t);
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
  const { env } = await prepareData(t);
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
  const { dataDir, env } = await prepareData(t);
  const folder = await temporaryFolder(t);
  const odd = join(dataDir, "postgres/cluster/.DS Store~");
  await writeFile(odd, "x");
  await answer(t, env, "backup", "--to", join(folder, "backup"));
  const restored = { DATA_DIR: join(folder, "data") };
  await answer(t, restored, "restore", "--from", join(folder, "backup"));
  t.equal((await answer(t, restored, "accounts", "list")).length, 1);
  await rm(odd);
  await symlink("/etc/hostname", odd);
  const { code, stderr } = await orbifold(env, "backup", "--to", join(folder, "other"));
  t.equal(code, 1);
  t.match(stderr, /\.DS Store~ is neither a file nor a folder/);
  t.same(await readdir(folder), ["backup", "data"]);
});

t.test("an interrupted backup leaves nothing behind", async (t) => {
  const { dataDir } = await prepareData(t);
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

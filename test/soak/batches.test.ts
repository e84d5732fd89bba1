/** Batches survive kills, and the example of a nightly run downloads one. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import t, { type Test } from "tap";
import { openSession } from "../../db/connection/pool.ts";
import { openDatabase } from "../../db/index.ts";
import { createAccount } from "../../server/actions/accounts.ts";
import { createApiKey } from "../../server/actions/api-keys.ts";
import { temporaryFolder, testDatabaseUrl } from "../helpers/database.ts";
import { until } from "../helpers/jobs.ts";
import { dataFolder, startService } from "../helpers/service.ts";
import { receiver } from "../helpers/webhooks.ts";

const NIGHTLY = fileURLToPath(
  new URL("../../docs/examples/print-provider/nightly.ts", import.meta.url),
);

const KILLS = Number(process.env.KILLS ?? 2);

/** A dead process is looked for every 15 seconds; the rest is for slow machines. */
const TIMEOUT_MS = 240_000 + KILLS * 60_000;

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** An account with a key, on a database that several services use. */
async function shared(t: Test) {
  const DATABASE_URL = await testDatabaseUrl();
  const db = await openDatabase({ url: DATABASE_URL, dataDir: "" });
  const session = await openSession(DATABASE_URL);
  t.teardown(async () => {
    await session.end();
    await db.close();
  });
  const account = await createAccount(db, { email: "print@example.com", plan: "agency" });
  const { secret: key } = await createApiKey(db, account.id, "printer");
  const call = async (api: string, path: string, body?: object) => {
    const response = await fetch(`${api}/api/v1${path}`, {
      ...(body && { method: "POST", body: JSON.stringify(body) }),
      headers: { "X-API-Key": key, "Content-Type": "application/json" },
    });
    if (!response.ok) throw new Error(await response.text());
    return response;
  };
  const environment = { DATABASE_URL, OUTBOUND_ALLOW: "127.0.0.1/32" };
  const start = async (options = {}) => startService(t, { ...environment, ...options });
  return { db, session, account, key, call, start };
}

t.test(
  "a batch goes on after kills, without what is rendered",
  { timeout: TIMEOUT_MS },
  async (t) => {
    const { db, session, account, call, start } = await shared(t);
    const target = await receiver(t);
    const first = await start();
    let api = await first.url();
    const post = async (path: string, body: object) => (await call(api, path, body)).json();
    await post("/webhooks", { url: target.url, events: ["batch.ready"] });
    const source = await post("/sources/presets", { preset: "floral", seed: 3 });
    const pattern = await post("/patterns", { source_id: source.id, group: "p3" });
    const items = Array.from({ length: 100 }, (_, n) => ({
      pattern_id: pattern.id,
      size: 700 + n,
    }));
    const { id } = await post("/batches", { items });
    const look = async () => {
      const batch = await db.batches.get(account.id, id);
      if (!batch) throw new Error("the batch is gone");
      return batch;
    };
    /** Hash and number of tries of the items that are done. */
    const done = async () => {
      const { rows } = await session.query(`
        select index, attempts, encode(sha256, 'hex') as sha256 from batch_items
        where batch_id = ${id} and status = 'done'`);
      return new Map(rows.map(({ index, ...facts }) => [Number(index), facts]));
    };

    let service = first;
    const before: Awaited<ReturnType<typeof done>> = new Map();
    for (let kill = 1; kill <= KILLS; kill++) {
      await until(async () => (await look()).done >= 20 * kill);
      service.process.kill("SIGKILL");
      await service.ended;
      t.match(await look(), { status: "running", finished_at: null });
      for (const [index, facts] of await done()) before.set(index, facts);
      // It counts as dead after 20 seconds without a sign of life.
      await session.query(`
        update pgboss.job set heartbeat_on = heartbeat_on - interval '20 seconds'
        where state = 'active' and name = 'render_batch'`);
      service = await start();
    }
    api = await service.url();
    await until(async () => (await look()).status === "finished");
    t.match(await look(), { total: 100, done: 100, failed: 0 });
    t.ok(before.size >= 20 * KILLS && before.size < 100, `${before.size} were done before`);
    const after = await done();
    for (const [index, facts] of before) {
      t.same(after.get(index), facts, `item ${index} is not rendered again`);
    }
    const tries = [...after.values()].reduce((sum, { attempts }) => sum + attempts, 0);
    t.ok(tries <= 100 + 2 * KILLS, `${tries} tries: two were in progress at each kill`);
    for (const index of [0, 50, 99]) {
      const item = await call(api, `/batches/${id}/items/${index}`);
      const bytes = new Uint8Array(await item.arrayBuffer());
      t.equal(sha256(bytes), after.get(index)?.sha256, `item ${index}`);
    }
    await until(() => target.received.length > 0);
    const events = await session.query("select from events where event = 'batch.ready'");
    t.equal(events.rowCount, 1, "its end is announced once");
    t.match(target.received[0]?.json.data, { batch_id: id, total: 100, done: 100 });
  },
);

t.test(
  "the nightly run downloads a batch, and goes on where it was stopped",
  { timeout: TIMEOUT_MS },
  async (t) => {
    const { key, call, start } = await shared(t);
    const DATA_DIR = await dataFolder(t);
    const service = await start({ DATA_DIR });
    const api = await service.url();
    const post = async (path: string, body: object) => (await call(api, path, body)).json();
    const source = await post("/sources/presets", { preset: "floral", seed: 3 });
    for (const group of ["p4", "p6m", "cmm"])
      await post("/patterns", { source_id: source.id, group });
    const out = await temporaryFolder(t);
    const args = ["--api", `${api}/api/v1`, "--key", key, "--out", out];
    const nightly = (...more: string[]) =>
      promisify(execFile)(process.execPath, [NIGHTLY, ...args, "--size", "64", ...more]);
    const palettes = ["--palette", "lagoon", "--palette", "delft"];
    const { stdout } = await nightly(...palettes, "--size", "96");
    t.match(stdout, "done   12 pictures, 12 downloaded");
    const lines = (await readFile(join(out, "manifest.ndjson"), "utf8")).trimEnd().split("\n");
    const names = (await readdir(out)).filter((name) => name.endsWith(".png")).toSorted();
    t.equal(names.length, 12);
    for (const [index, name] of names.entries()) {
      const { file } = JSON.parse(lines[index] ?? "");
      t.equal(sha256(await readFile(join(out, name))), file.sha256, name);
    }
    const [batch] = (await (await call(api, "/batches")).json()).data;
    // As a run that was stopped leaves it: some pictures are missing, and one is damaged.
    await writeFile(join(out, "batch.json"), JSON.stringify({ id: batch.id }));
    await rm(join(out, names[3] ?? ""));
    await writeFile(join(out, names[7] ?? ""), "damaged");
    t.match((await nightly()).stdout, "done   12 pictures, 2 downloaded");
    t.equal((await (await call(api, "/batches")).json()).data.length, 1);
    await t.rejects(nightly("--palette", "nothing"), { code: 2, stderr: /422 .*\/product/ });
    await t.rejects(promisify(execFile)(process.execPath, [NIGHTLY, ...args, "--key", "pf_no"]), {
      code: 2,
      stderr: /^nightly: GET .*: 401 /,
    });
  },
);

/** Batches survive kills, and the example of a nightly run downloads one. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import t, { type Test } from "tap";
import { temporaryFolder } from "../helpers/database.ts";
import { until } from "../helpers/jobs.ts";
import { dataFolder, startService } from "../helpers/service.ts";
import { receiver } from "../helpers/webhooks.ts";
import { keyedDatabase } from "../mcp/keyed-database.ts";

const NIGHTLY = fileURLToPath(
  new URL("../../docs/examples/print-provider/nightly.ts", import.meta.url),
);

/** Each takes half a minute. */
const KILLS = 2;

/** A dead process is looked for every 15 seconds; the rest is for slow machines. */
const TIMEOUT_MS = 360_000;

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** An account with a key, on a database that several services use. */
async function shared(t: Test) {
  const {
    db,
    account,
    DATABASE_URL,
    SERVICE_API_KEY: key,
    query,
  } = await keyedDatabase(t, "agency");
  const call = async (api: string, path: string, body?: object, method = "POST") => {
    const response = await fetch(`${api}/api/v1${path}`, {
      ...(body && { method, body: JSON.stringify(body) }),
      headers: { "X-API-Key": key, "Content-Type": "application/json" },
    });
    if (!response.ok) throw new Error(await response.text());
    return response;
  };
  const environment = { DATABASE_URL, OUTBOUND_ALLOW: "127.0.0.1/32" };
  const start = async (options = {}) => startService(t, { ...environment, ...options });
  return { db, query, account, key, call, start };
}

t.test(
  "a batch goes on after kills, without what is rendered",
  { timeout: TIMEOUT_MS },
  async (t) => {
    const { db, query, account, call, start } = await shared(t);
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
      const rows = await query(`
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
      await query(`
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
    const events = await query("select from events where event = 'batch.ready'");
    t.equal(events.length, 1, "its end is announced once");
    t.match(target.received[0]?.json.data, { batch_id: id, total: 100, done: 100 });
  },
);

/** A service with three patterns of an account, and its example of a nightly run. */
async function printer(t: Test) {
  const { key, call, start } = await shared(t);
  const service = await start({ DATA_DIR: await dataFolder(t) });
  const api = await service.url();
  const post = async (path: string, body: object) => (await call(api, path, body)).json();
  const source = await post("/sources/presets", { preset: "floral", seed: 3 });
  for (const group of ["p4", "p6m", "cmm"])
    await post("/patterns", { source_id: source.id, group });
  const out = await temporaryFolder(t);
  const args = ["--api", `${api}/api/v1`, "--key", key, "--out", out, "--size", "64"];
  const state = join(out, "batch.json");
  return {
    api,
    source,
    out,
    post,
    nightly: (...more: string[]) =>
      promisify(execFile)(process.execPath, [NIGHTLY, ...args, ...more]),
    batches: async () => (await (await call(api, "/batches")).json()).data,
    remove: (path: string) => call(api, path, {}, "DELETE"),
    /** Leaves the folder as a run that was stopped. */
    stopped: (id: number, product: object) =>
      writeFile(state, JSON.stringify({ id, order: { product } })),
    pictures: async () => (await readdir(out)).filter((name) => name.endsWith(".png")).toSorted(),
  };
}

t.test(
  "the nightly run downloads a batch, and goes on where it was stopped",
  { timeout: TIMEOUT_MS },
  async (t) => {
    const { out, nightly, batches, stopped, pictures, post, source } = await printer(t);
    const palettes = ["--palette", "lagoon", "--palette", "delft"];
    const { stdout } = await nightly(...palettes, "--size", "96");
    t.match(stdout, "done   12 pictures, 12 downloaded");
    const lines = (await readFile(join(out, "manifest.ndjson"), "utf8")).trimEnd().split("\n");
    const names = await pictures();
    t.equal(names.length, 12);
    for (const { pattern_id, request, file } of lines.map((line) => JSON.parse(line))) {
      const name = `pattern-${pattern_id}-${request.palette}-${request.size}.png`;
      t.equal(sha256(await readFile(join(out, name))), file.sha256, name);
    }
    const [batch] = await batches();
    await stopped(batch.id, { sizes: [64, 96] });
    await rm(join(out, names[3] ?? ""));
    await writeFile(join(out, names[7] ?? ""), "damaged");
    const other = await nightly(...palettes);
    t.match(other, { stdout: "12 pictures, 2 downloaded", stderr: /a batch of other palettes/ });
    t.equal((await batches()).length, 1);
    await post("/patterns", { source_id: source.id, group: "p3" });
    t.match((await nightly(...palettes)).stdout, "done   8 pictures, 2 downloaded");
    t.equal((await pictures()).length, 14, "those of the other size stay");
    await writeFile(join(out, "pattern-1.png"), "of someone else");
    t.match((await nightly(...palettes, "--prune")).stdout, "pruned 6 pictures");
    t.equal((await pictures()).length, 9);
    await t.rejects(nightly("--palette", "nothing"), { code: 2, stderr: /422 .*\/product/ });
    await t.rejects(nightly("--key", "pf_no"), { code: 2, stderr: /^nightly: GET .*: 401 / });
  },
);

t.test(
  "the nightly run orders anew what is gone, and does without pictures that are",
  { timeout: TIMEOUT_MS },
  async (t) => {
    const { out, nightly, batches, remove, stopped, pictures, post } = await printer(t);
    const { stdout } = await nightly();
    t.match(stdout, "done   3 pictures, 3 downloaded");
    const [{ id: first }] = await batches();
    await remove(`/batches/${first}`);
    await stopped(first, {});
    t.match(await nightly(), {
      stdout: "done   3 pictures, 0 downloaded",
      stderr: `batch ${first} was deleted`,
    });
    const source = await post("/sources/presets", { preset: "floral", seed: 4 });
    const sold = await post("/patterns", { source_id: source.id, group: "p3" });
    const sizes = Array.from({ length: 100 }, (_, n) => 700 + n);
    const { id: second } = await post("/batches", { product: { pattern_ids: [sold.id], sizes } });
    await post(`/batches/${second}/cancel`, {});
    await stopped(second, {});
    t.match(await nightly(), {
      stdout: "done   4 pictures, 1 downloaded",
      stderr: `batch ${second} was cancelled`,
    });
    const [{ id: third }] = await batches();
    t.equal((await pictures()).length, 4);
    for (const name of await pictures()) await rm(join(out, name));
    await remove(`/patterns/${sold.id}`);
    await remove(`/sources/${source.id}`);
    await stopped(third, {});
    await t.rejects(nightly(), {
      code: 1,
      stdout: new RegExp(`failed 0 pattern-${sold.id}-own-64.png: .* 410 [^]*done   3 .*, 3 down`),
    });
    t.equal((await pictures()).length, 3);
    t.match((await nightly()).stdout, "done   3 pictures, 0 downloaded");
  },
);

t.test(
  "the nightly run asks again where an answer is lost, and says what the manifest lacks",
  { timeout: TIMEOUT_MS },
  async (t) => {
    const { api, out, nightly, batches } = await printer(t);
    let lost = 0;
    const proxy = createServer(async (request, response) => {
      const { method = "GET", url = "", headers } = request;
      const chunks = await request.toArray();
      const answer = await fetch(`${api}${url}`, {
        method,
        headers: headers as Record<string, string>,
        ...(method === "POST" && { body: Buffer.concat(chunks) }),
      });
      const body = Buffer.from(await answer.arrayBuffer());
      if (method === "POST" && lost++ < 2) {
        if (lost === 1) request.socket.destroy();
        else response.writeHead(502).end();
        return;
      }
      response.writeHead(answer.status);
      response.end(url.endsWith("/manifest") ? body.subarray(0, body.length - 9) : body);
    });
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    t.teardown(() => proxy.close());
    const { port } = proxy.address() as AddressInfo;
    await t.rejects(nightly("--api", `http://127.0.0.1:${port}/api/v1`), {
      code: 1,
      stdout: /failed 2 to 2: not in the manifest\ndone {3}2 pictures, 2 downloaded/,
    });
    t.equal(lost, 3);
    t.equal((await batches()).length, 1, "no answer that was lost leaves a batch");
    t.notOk((await readdir(out)).includes("batch.json"));
  },
);

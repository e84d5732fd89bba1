/** The metrics of a process, read as Prometheus reads them. */
import { readFile } from "node:fs/promises";
import t from "tap";
import { openDatabase } from "../../db/index.ts";
import { createAccount } from "../../server/actions/accounts.ts";
import { createApiKey } from "../../server/actions/api-keys.ts";
import { createReadiness } from "../../server/actions/readiness.ts";
import { createMetrics } from "../../server/metrics/index.ts";
import { temporaryFolder, testDatabaseUrl } from "../helpers/database.ts";
import { processEngine } from "../helpers/engine.ts";
import { until } from "../helpers/jobs.ts";
import { testLog } from "../helpers/log.ts";
import { objectServer } from "../helpers/object-store.ts";
import { photograph, pngOf } from "../helpers/pictures.ts";
import { openCache } from "../helpers/render-cache.ts";
import { startService } from "../helpers/service.ts";
import { openSse } from "../mcp/sse-session.ts";
import { send as sendMcp } from "../mcp/streamable-client.ts";

const EMAIL = "owner@example.com";

/** A line of the text format 0.0.4: a name, labels, a number. */
const SAMPLE = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (-?(?:[\d.]+(?:e[+-]?\d+)?|Inf|NaN)|\+Inf)$/i;
const LABEL = /([a-z_][a-z0-9_]*)="((?:[^"\\]|\\.)*)"(?:,|$)/gy;

/** Returns the samples of a text by name and sorted labels, such as `up{job="a"}`. Throws for what is none. */
function readSamples(text: string): ReadonlyMap<string, number> {
  const samples = new Map<string, number>();
  for (const line of text.trim().split("\n")) {
    if (line === "" || /^# (HELP|TYPE) /.test(line)) continue;
    const [, name, labels = "", value] = SAMPLE.exec(line) ?? [];
    if (name === undefined) throw new Error(`no sample: ${line}`);
    const read = [...labels.matchAll(LABEL)];
    if (read.map(([all]) => all).join("") !== labels) throw new Error(`no labels: ${line}`);
    const sorted = read.map(([, label, text]) => `${label}="${text}"`).sort();
    const key = `${name}{${sorted.join()}}`;
    if (samples.has(key)) throw new Error(`twice: ${key}`);
    samples.set(key, value === "+Inf" ? Number.POSITIVE_INFINITY : Number(value));
  }
  return samples;
}

const cacheBytes = (place: string) => `orbifold_render_cache_bytes{place="${place}"}`;

t.test("metrics count what the service does, and name no account", async (t) => {
  const url = await testDatabaseUrl();
  const db = await openDatabase({ url, dataDir: "" });
  t.teardown(() => db.close());
  const { id } = await createAccount(db, { email: EMAIL, plan: "pro" });
  const { secret } = await createApiKey(db, id, "test");
  const store = await objectServer(t);
  const service = await startService(t, {
    DATABASE_URL: url,
    OBJECT_STORE_URL: store.url,
    SHARED_RENDERS_DAYS: "1",
    METRICS_PORT: "0",
  });
  const base = await service.url();
  const [, metrics] = await service.line(/metrics at (http:[^"\s]+)/);
  const send = async (method: string, path: string, json?: object | FormData) => {
    const isForm = json instanceof FormData;
    const response = await fetch(`${base}/api/v1${path}`, {
      method,
      headers: { "X-API-Key": secret, ...(!isForm && { "Content-Type": "application/json" }) },
      ...(json && { body: isForm ? json : JSON.stringify(json) }),
    });
    return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
  };
  const scrape = async () => {
    const response = await fetch(metrics);
    t.match(response.headers.get("Content-Type"), /^text\/plain; version=0\.0\.4/);
    const text = await response.text();
    return { text, samples: readSamples(text) };
  };

  t.ok((await scrape()).samples.has('orbifold_oldest_job_seconds{queue="make_export"}'));
  const form = new FormData();
  form.append("file", new Blob([Buffer.from(pngOf(photograph(64, 48)))]), "a.png");
  const source = JSON.parse(String((await send("POST", "/sources/upload", form)).body));
  const design = { source_id: source.id, group: "p4" };
  const pattern = JSON.parse(String((await send("POST", "/patterns", design)).body));
  const render = `/patterns/${pattern.id}/render`;
  // A picture comes to memory when it is asked for again, once it is on disk.
  let renders = 0;
  await until(async () => {
    t.equal((await send("POST", render, { size: 64 })).status, 200);
    renders++;
    return ((await scrape()).samples.get(cacheBytes("memory")) ?? 0) > 1000;
  });
  t.ok(renders > 1, "a new picture is on disk only");
  t.equal((await send("POST", "/sources/url", { url: "http://127.0.0.1/a.png" })).status, 422);
  t.equal((await send("GET", `/nowhere/${EMAIL}`)).status, 404);
  t.equal((await send("POST", "/mcp/execute", { tool: "list_groups" })).status, 200);
  const called = { jsonrpc: "2.0", id: 1, method: "tools/call" };
  const call = { ...called, params: { name: "list_groups", arguments: {} } };
  t.equal((await sendMcp({ url: base, key: secret }, { body: call })).status, 200);
  const session = await openSse({ url: base, key: secret });
  t.teardown(() => session.drop());
  await session.call("tools/call", { name: "create_pattern", arguments: { source_id: 999 } });
  const sheet = { format: "png", width_mm: 20, height_mm: 20, dpi: 72 };
  t.equal((await send("POST", `/patterns/${pattern.id}/export`, sheet)).status, 202);
  const exported = 'orbifold_job_seconds_count{queue="make_export",result="done"}';
  await until(async () => (await scrape()).samples.has(exported));

  const { text, samples } = await scrape();
  const request = (method: string, route: string, status: number) =>
    samples.get(
      `orbifold_http_request_seconds_count{method="${method}",route="${route}",status="${status}"}`,
    );
  t.equal(request("POST", "/api/v1/patterns/{id}/render", 200), renders);
  t.equal(request("GET", "", 404), 1, "a path that is no route's is not a label");
  t.equal(samples.get('orbifold_http_problems_total{code="not_found"}'), 1);
  t.equal(samples.get('orbifold_pictures_total{cache="miss"}'), 1);
  t.equal(samples.get('orbifold_pictures_total{cache="hit"}'), renders - 1);
  for (const step of ["queue", "sample", "effects", "encode"]) {
    const labels = `{backend="webasm",mode="tile",step="${step}"}`;
    t.equal(samples.get(`orbifold_render_seconds_count${labels}`), 1, step);
  }
  t.equal(samples.get('orbifold_source_fetches_total{result="refused"}'), 1);
  t.equal(samples.get('orbifold_credits_spent_total{reason="pattern"}'), 1);
  t.equal(samples.get("orbifold_lost_threads_total{}"), 0);
  for (const place of ["memory", "disk"]) {
    t.ok((samples.get(cacheBytes(place)) ?? 0) > 1000, place);
  }
  const calls = (operation: string, result: string) =>
    samples.get(`orbifold_object_store_seconds_count{operation="${operation}",result="${result}"}`);
  t.equal(calls("put", "success"), 3, "the picture, an empty object, and the export");
  t.ok((calls("get", "success") ?? 0) >= 2, "both are read back");
  t.ok((calls("ping", "success") ?? 0) >= 1);
  for (const labels of [
    'result="success",tool="list_groups",transport="execute"',
    'result="success",tool="list_groups",transport="http"',
    'result="failure",tool="create_pattern",transport="sse"',
  ]) {
    t.equal(samples.get(`orbifold_mcp_call_seconds_count{${labels}}`), 1, labels);
  }
  t.equal(samples.get("orbifold_mcp_sessions{}"), 1);
  t.equal(samples.get('orbifold_engine_jobs{state="waiting"}'), 0);
  t.equal(samples.get('orbifold_check{check="database"}'), 1);
  t.equal(samples.get('orbifold_jobs{queue="make_export",state="due"}'), 0);
  t.equal(samples.get('orbifold_oldest_job_seconds{queue="deliver_webhook"}'), 0);
  t.equal(samples.get('orbifold_database_connections{state="waiting"}'), 0);
  t.equal(samples.get("orbifold_threads{}"), 1);
  for (const [key, count] of samples) {
    const name = /^(.*)_count(\{.*\})$/.exec(key);
    if (!name) continue;
    const labels = name[2].slice(1, -1).split(",").filter(Boolean);
    const last = [...labels, 'le="+Inf"'].sort().join();
    t.equal(samples.get(`${name[1]}_bucket{${last}}`), count, `all of ${key} are in buckets`);
  }
  const secrets = [EMAIL, secret, secret.slice(3, 11), "127.0.0.1", `account`];
  for (const private_ of secrets) t.notMatch(text, private_, "is in no label");

  await store.stop();
  form.set("file", new Blob([Buffer.from(pngOf(photograph(40, 30)))]), "b.png");
  t.equal((await send("POST", "/sources/upload", form)).status, 503);
  const failed = 'orbifold_object_store_seconds_count{operation="put",result="failure"}';
  t.equal((await send("POST", render, { size: 1024 })).status, 200);
  const after = (await scrape()).samples;
  t.ok((after.get(failed) ?? 0) >= 1, "the upload's, and perhaps that of the rendered picture");
  t.equal(after.get('orbifold_shared_pictures_total{result="failure"}'), 1);

  t.equal((await fetch(new URL("/", metrics))).status, 404);
  t.equal((await fetch(metrics, { method: "POST" })).status, 404);
  const doomed = await startService(t, { METRICS_PORT: new URL(metrics).port });
  await doomed.line(/EADDRINUSE/);
  t.not(await doomed.ended, 0, "a port in use ends the start");
  t.equal((await fetch(`${base}/metrics`)).status, 404, "not on the port of the service");

  for (const file of ["alerts.yaml", "dashboard.json"]) {
    const told = await readFile(`docs/examples/metrics/${file}`, "utf8");
    const names = told.match(/\b(?:orbifold|nodejs|process)_\w+/g) ?? [];
    t.ok(names.length > 5, file);
    for (const name of new Set(names)) {
      t.match(text, new RegExp(`^${name}[{ ]`, "m"), `${file}: ${name} is a metric`);
    }
  }
});

t.test("without its database a process still tells what it knows", async (t) => {
  const db = await openDatabase({ url: await testDatabaseUrl(), dataDir: "" });
  await db.close();
  const engine = await processEngine();
  const dataDir = await temporaryFolder(t);
  const { log } = testLog();
  const { cache: renders } = await openCache(t);
  const readiness = createReadiness({
    db,
    engine,
    objectStore: null,
    renderNodes: null,
    dataDir,
    minimumFreeBytes: 0,
    lagMs: () => 0,
    log,
  });
  const metrics = createMetrics({ db, engine, renderNodes: null, readiness, renders });
  t.teardown(() => metrics.close());
  const samples = readSamples(await metrics.text());
  t.equal(samples.get('orbifold_check{check="database"}'), 0);
  t.equal(samples.get('orbifold_check{check="pool"}'), 1);
  t.equal(samples.get("orbifold_threads{}"), 1);
  t.notOk([...samples.keys()].some((key) => key.startsWith("orbifold_jobs")));
});

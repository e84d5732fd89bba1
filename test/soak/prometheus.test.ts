/** The sample dashboard and alert rules in a real Prometheus. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import t, { type Test } from "tap";
import { freePort } from "../../db/embedded/postmaster.ts";
import { answer } from "../helpers/command-line.ts";
import { temporaryFolder, testDatabaseUrl } from "../helpers/database.ts";
import { until } from "../helpers/jobs.ts";
import { objectServer } from "../helpers/object-store.ts";
import { photograph, pngOf } from "../helpers/pictures.ts";
import { startService } from "../helpers/service.ts";

const run = promisify(execFile);
const EXAMPLES = join(import.meta.dirname, "../../docs/examples/metrics");
const RULES = join(EXAMPLES, "alerts.yaml");

const isInstalled = await run("promtool", ["--version"]).then(
  () => true,
  () => false,
);
const skip = isInstalled ? false : "Prometheus is not installed on this system";

interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

/** Starts Prometheus until the test ends, with the sample rules and one target, which it asks every second. */
async function startPrometheus(t: Test, target: string) {
  const folder = await temporaryFolder(t);
  const file = join(folder, "prometheus.yaml");
  const config = {
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: [RULES],
    scrape_configs: [{ job_name: "orbifold", static_configs: [{ targets: [target] }] }],
  };
  await writeFile(file, JSON.stringify(config));
  const url = `127.0.0.1:${await freePort()}`;
  const options = [`--config.file=${file}`, `--storage.tsdb.path=${folder}`];
  const child = spawn("prometheus", [...options, `--web.listen-address=${url}`], {
    stdio: "ignore",
  });
  t.teardown(async () => {
    child.kill();
    await once(child, "exit");
  });
  const get = async (path: string) => {
    const response = await fetch(`http://${url}${path}`);
    const { status, data, error } = await response.json();
    if (status !== "success") throw new Error(`${path}: ${error}`);
    return data;
  };
  await until(() =>
    fetch(`http://${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    query: async (expression: string): Promise<readonly Series[]> =>
      (await get(`/api/v1/query?query=${encodeURIComponent(expression)}`)).result,
    // biome-ignore lint/suspicious/noExplicitAny: as Prometheus describes it
    rules: async (): Promise<any[]> => (await get("/api/v1/rules")).groups[0].rules,
  };
}

/** A service with metrics and an object store, and a load on everything that has a panel. */
async function startLoad(t: Test) {
  const store = await objectServer(t);
  const env = { DATABASE_URL: await testDatabaseUrl(), DATA_DIR: await temporaryFolder(t) };
  const { id } = await answer(
    t,
    env,
    ...["accounts", "create", "--email", "ada@example.org", "--plan", "agency"],
  );
  const { secret } = await answer(t, env, "keys", "create", "--account", `${id}`, "--name", "a");
  const service = await startService(t, {
    ...env,
    OBJECT_STORE_URL: store.url,
    METRICS_PORT: "0",
  });
  const api = `${await service.url()}/api/v1`;
  const post = async (path: string, body: object | FormData) => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${api}/${path}`, {
      method: "POST",
      headers: { "X-API-Key": secret, ...(!isForm && { "Content-Type": "application/json" }) },
      body: isForm ? body : JSON.stringify(body),
    });
    if (!response.headers.get("Content-Type")?.includes("json")) return response.bytes();
    return response.json();
  };
  let count = 0;
  const round = async () => {
    const form = new FormData();
    form.set("file", new Blob([Buffer.from(pngOf(photograph(60 + ++count, 40)))]), "a.png");
    const source = await post("sources/upload", form);
    const pattern = await post("patterns", { source_id: source.id, group: "p4" });
    for (const _ of [1, 2]) await post(`patterns/${pattern.id}/render`, { size: 64 });
    await post(`patterns/${pattern.id}/export`, { width_mm: 20, height_mm: 20, dpi: 72 });
    await post("sources/url", { url: "http://127.0.0.1/a.png" });
    await post("mcp/execute", { tool: "list_groups" });
  };
  const [, metrics] = await service.line(/metrics at (http:[^"\s]+)/);
  return { metrics, round };
}

t.test("every panel has data and every rule is valid", { skip, timeout: 300_000 }, async (t) => {
  const { metrics, round } = await startLoad(t);
  await round();
  const text = await (await fetch(metrics)).text();
  const linted = run("promtool", ["check", "metrics"]);
  linted.child.stdin?.end(text);
  const lines = await linted.then(
    ({ stderr }) => stderr,
    ({ stderr }) => String(stderr),
  );
  t.same(lines.match(/^orbifold_.*/gm), null, "names and helps are as Prometheus's guide says");

  const prometheus = await startPrometheus(t, new URL(metrics).host);
  const dashboard = JSON.parse(await readFile(join(EXAMPLES, "dashboard.json"), "utf8"));
  const expressions: string[] = dashboard.panels.flatMap(
    ({ targets }: { targets: { expr: string }[] }) => targets.map(({ expr }) => expr),
  );
  t.ok(expressions.length > 15);
  const isPresent = async (expression: string) =>
    (await prometheus.query(expression)).some(({ value: [, value] }) => value !== "NaN");
  let missing = expressions;
  for (let rounds = 0; rounds < 30 && missing.length > 0; rounds++) {
    await round();
    await delay(1000);
    const present = await Promise.all(missing.map(isPresent));
    missing = missing.filter((_, index) => !present[index]);
  }
  t.same(missing, [], "each panel has data");

  await until(async () => (await prometheus.rules()).every(({ health }) => health !== "unknown"));
  for (const { name, health, state } of await prometheus.rules()) {
    t.equal(health, "ok", name);
    t.equal(state, "inactive", name);
  }
});

interface Alarm {
  readonly alert: string;
  /** Samples by series, one a minute: `0+1x90` is 0, 1, 2, … 90. */
  readonly series: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly summary: string;
}

const PAGE = { severity: "page" };
const TICKET = { severity: "ticket" };
const LASTS = "x90";

const ALARMS: readonly Alarm[] = [
  {
    alert: "OrbifoldDown",
    series: { 'up{job="orbifold",instance="a:9464"}': `0+0${LASTS}` },
    labels: { ...PAGE, job: "orbifold", instance: "a:9464" },
    summary: "a:9464: there are no metrics",
  },
  {
    alert: "OrbifoldDown",
    series: { 'up{job="another"}': `1+0${LASTS}` },
    labels: { ...PAGE, job: "orbifold" },
    summary: "there are no metrics",
  },
  {
    alert: "OrbifoldNotReady",
    series: {
      'orbifold_check{check="database",instance="a"}': `0+0${LASTS}`,
      'orbifold_check{check="jobs",instance="a"}': `0+0${LASTS}`,
    },
    labels: { ...PAGE, check: "database", instance: "a" },
    summary: "a: the check database of /readyz fails",
  },
  {
    alert: "OrbifoldErrors",
    series: {
      'orbifold_http_request_seconds_count{status="500"}': `0+1${LASTS}`,
      'orbifold_http_request_seconds_count{status="503"}': `0+1${LASTS}`,
      'orbifold_http_request_seconds_count{status="200"}': `0+8${LASTS}`,
    },
    labels: PAGE,
    summary: "10% of the requests fail by a fault of the service",
  },
  {
    alert: "OrbifoldOverloaded",
    series: { 'orbifold_http_problems_total{code="overloaded"}': `0+60${LASTS}` },
    labels: TICKET,
    summary: "renders are refused because the queue is full; add threads or processes",
  },
  {
    alert: "OrbifoldRendersWait",
    series: {
      'orbifold_render_seconds_bucket{step="queue",le="2.5"}': `0+0${LASTS}`,
      'orbifold_render_seconds_bucket{step="queue",le="5"}': `0+60${LASTS}`,
      'orbifold_render_seconds_bucket{step="queue",le="+Inf"}': `0+60${LASTS}`,
    },
    labels: TICKET,
    summary: "one render in twenty waits for 4.875s or longer for a thread",
  },
  {
    alert: "OrbifoldJobsLate",
    series: { 'orbifold_oldest_job_seconds{queue="make_export"}': `600+0${LASTS}` },
    labels: { ...TICKET, queue: "make_export" },
    summary: "the oldest job of make_export has waited for 10m 0s",
  },
  {
    alert: "OrbifoldJobsFail",
    series: {
      'orbifold_job_seconds_count{queue="send_mail",result="given up"}': `0+1${LASTS}`,
      'orbifold_job_seconds_count{queue="send_mail",result="sent"}': `0+1${LASTS}`,
    },
    labels: { ...TICKET, queue: "send_mail" },
    summary: "50% of the runs of send_mail fail",
  },
  {
    alert: "OrbifoldDatabaseConnections",
    series: { 'orbifold_database_connections{state="waiting",instance="a"}': `3+0${LASTS}` },
    labels: { ...TICKET, instance: "a" },
    summary: "a: queries wait for a connection",
  },
  {
    alert: "OrbifoldObjectStore",
    series: {
      'orbifold_object_store_seconds_count{operation="put",result="failure"}': `0+1${LASTS}`,
      'orbifold_object_store_seconds_count{operation="put",result="success"}': `0+3${LASTS}`,
    },
    labels: { ...PAGE, operation: "put" },
    summary: "25% of the calls put of the object store fail",
  },
  {
    alert: "OrbifoldLostThreads",
    series: { 'orbifold_lost_threads_total{instance="a"}': `0+1${LASTS}` },
    labels: { ...TICKET, instance: "a" },
    summary: "a: renders crash or hang their threads; see the log",
  },
  {
    alert: "OrbifoldEventLoop",
    series: { 'nodejs_eventloop_lag_p99_seconds{instance="a"}': `0.5+0${LASTS}` },
    labels: { ...TICKET, instance: "a" },
    summary: "a: the event loop is blocked for 500ms",
  },
];

t.test("every alert fires", { skip }, async (t) => {
  const names = [...(await readFile(RULES, "utf8")).matchAll(/- alert: (\w+)/g)];
  const tested = new Set(ALARMS.map(({ alert }) => alert));
  t.same(
    names.map(([, name]) => name),
    [...tested],
  );
  const file = join(await temporaryFolder(t), "alarms.yaml");
  const tests = ALARMS.map(({ alert, series, labels, summary }) => ({
    interval: "1m",
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: [
      {
        eval_time: "80m",
        alertname: alert,
        exp_alerts: [{ exp_labels: labels, exp_annotations: { summary } }],
      },
    ],
  }));
  await writeFile(file, JSON.stringify({ rule_files: [RULES], tests }));
  const failure = await run("promtool", ["test", "rules", file]).then(
    () => "",
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  );
  t.equal(failure, "");
});

/**
 * Metrics for Prometheus, on a port of their own. No label names an account or an address, so the number of series
 * has a bound: that of routes, tools and queues, by their results.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import packageFile from "../package.json" with { type: "json" };
import type { Log } from "./actions/log.ts";
import { listenTo } from "./actions/measurements.ts";
import type { Services } from "./actions/services.ts";
import { resultWithinTimeLimit } from "./actions/time-limit.ts";
import { portOf } from "./http/listen.ts";

/** Upper bounds of the histograms in seconds. */
const QUICK = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const SLOW = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

export interface Metrics {
  /** Content type of `text`. */
  readonly contentType: string;
  /**
   * Resolves with all metrics in Prometheus's text format; without those of jobs where the database does not answer.
   */
  text(): Promise<string>;
  /** Stops measuring. */
  close(): void;
}

/** Measures this process from now on. */
export function createMetrics({
  db,
  engine,
  readiness,
  renders,
}: Pick<Services, "db" | "engine" | "readiness"> & {
  readonly renders: Pick<Services["renders"], "bytes">;
}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const stops = [...measureWork(registers)];

  new Gauge({
    name: "orbifold_build_info",
    help: "1, with the version, the engine's version and its backend as labels.",
    labelNames: ["version", "engine", "backend", "device"],
    registers,
  }).set(
    {
      version: packageFile.version,
      engine: engine.version,
      backend: engine.backend,
      device: engine.device,
    },
    1,
  );
  new Gauge({
    name: "orbifold_threads",
    help: "Worker threads that render for this process: its own, or those of all render nodes.",
    registers,
    collect() {
      this.set(engine.threads);
    },
  });
  new Counter({
    name: "orbifold_lost_threads_total",
    help: "Threads that ended with their job, by a fault or because it hung, and were replaced.",
    registers,
    collect() {
      this.reset();
      this.inc(engine.lostThreads());
    },
  });
  new Gauge({
    name: "orbifold_render_cache_bytes",
    help: "Bytes of cached renders in memory and on disk; other processes may share the folder.",
    labelNames: ["place"],
    registers,
    collect() {
      for (const [place, bytes] of Object.entries(renders.bytes())) this.set({ place }, bytes);
    },
  });
  new Gauge({
    name: "orbifold_engine_jobs",
    help: "Renders and other work of the engine, running on a thread or waiting for one.",
    labelNames: ["state"],
    registers,
    collect() {
      const { running, waiting } = engine.progress();
      this.set({ state: "running" }, running);
      this.set({ state: "waiting" }, waiting);
    },
  });
  new Gauge({
    name: "orbifold_check",
    help: "1 if a check of /readyz passes, else 0.",
    labelNames: ["check"],
    registers,
    async collect() {
      for (const [check, { status }] of Object.entries(await readiness.check())) {
        this.set({ check }, status === "ok" ? 1 : 0);
      }
    },
  });
  new Gauge({
    name: "orbifold_database_connections",
    help: "Connections in this process's pool of queries, and queries that wait for one.",
    labelNames: ["state"],
    registers,
    collect() {
      for (const [state, count] of Object.entries(db.connections())) this.set({ state }, count);
    },
  });
  const backlog = backlogReader(db);
  new Gauge({
    name: "orbifold_oldest_job_seconds",
    help: "How long the oldest due job of a queue has waited, the same in all processes.",
    labelNames: ["queue"],
    registers,
    async collect() {
      const queues = await backlog();
      this.reset();
      for (const { queue, oldest_seconds } of queues) this.set({ queue }, oldest_seconds);
    },
  });
  new Gauge({
    name: "orbifold_jobs",
    help: "Background jobs by queue and state (due, later, active, failed), the same in all processes.",
    labelNames: ["queue", "state"],
    registers,
    async collect() {
      const queues = await backlog();
      this.reset();
      for (const { queue, oldest_seconds, ...counts } of queues) {
        for (const [state, count] of Object.entries(counts)) this.set({ queue, state }, count);
      }
    },
  });
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    close() {
      for (const stop of stops) stop();
    },
  };
}

/** Time limit of reading the jobs. Prometheus waits for ten seconds. */
const BACKLOG_MS = 2000;

/**
 * Returns a function that resolves with the jobs of each queue, or with none where the database does not answer in
 * time. Callers share a query that is running.
 */
function backlogReader(db: Pick<Services["db"], "jobBacklog">) {
  let reading: ReturnType<typeof db.jobBacklog> | undefined;
  return async () => {
    reading ??= db.jobBacklog().finally(() => {
      reading = undefined;
    });
    return (await resultWithinTimeLimit(reading, BACKLOG_MS)) ?? [];
  };
}

/** Counts what this process measures of its work. Yields functions that stop it. */
function* measureWork(registers: Registry[]): Iterable<() => void> {
  const histogram = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    buckets = QUICK,
  ) => new Histogram({ name, help, labelNames, buckets, registers });
  const counter = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
  ) => new Counter({ name, help, labelNames, registers });

  const requests = histogram(
    "orbifold_http_request_seconds",
    "Time from a request's headers to the end of its response; status 0: the client left before.",
    ["method", "route", "status"],
  );
  const problems = counter(
    "orbifold_http_problems_total",
    "Refused and failed requests, by the code of their problem.",
    ["code"],
  );
  yield listenTo("request", ({ method, route, status, seconds, problem }) => {
    requests.observe({ method, route: route ?? "", status: status ?? 0 }, seconds);
    if (problem !== null) problems.inc({ code: problem });
  });

  const steps = histogram(
    "orbifold_render_seconds",
    "Time of each step of a pattern's render: waiting for a thread, sampling, effects, encoding.",
    ["mode", "backend", "step"],
  );
  yield listenTo("render", ({ mode, backend, timings }) => {
    for (const [step, ms] of Object.entries(timings)) {
      steps.observe({ mode, backend, step }, ms / 1000);
    }
  });

  const nodeCalls = histogram(
    "orbifold_node_call_seconds",
    "Time of calls of this process's engine by others, to the end of a stream.",
    ["call", "result"],
  );
  yield listenTo("nodeCall", ({ call, result, seconds }) =>
    nodeCalls.observe({ call, result }, seconds),
  );

  const pictures = counter(
    "orbifold_pictures_total",
    "Renders of patterns that were asked for: kept (hit), or made or being made (miss).",
    ["cache"],
  );
  yield listenTo("picture", ({ isCached }) => pictures.inc({ cache: isCached ? "hit" : "miss" }));

  const shared = counter(
    "orbifold_shared_pictures_total",
    "Pictures that were looked for in the object store (hit, miss, failure, skipped) or stored (stored, dropped).",
    ["result"],
  );
  yield listenTo("sharedPicture", ({ result }) => shared.inc({ result }));

  const calls = histogram("orbifold_mcp_call_seconds", "Time of calls of MCP tools.", [
    "tool",
    "transport",
    "result",
  ]);
  yield listenTo("toolCall", ({ tool, transport, succeeded, seconds }) =>
    calls.observe({ tool, transport, result: resultOf(succeeded) }, seconds),
  );
  const sessions = new Gauge({
    name: "orbifold_mcp_sessions",
    help: "MCP sessions over SSE whose streams are open in this process.",
    registers,
  });
  yield listenTo("sessions", ({ open }) => sessions.set(open));

  const jobs = histogram(
    "orbifold_job_seconds",
    "Time of runs of background jobs: exports, mockups, deliveries, mail.",
    ["queue", "result"],
    SLOW,
  );
  yield listenTo("job", ({ queue, result, seconds }) => jobs.observe({ queue, result }, seconds));

  const fetches = counter(
    "orbifold_source_fetches_total",
    "Pictures fetched from URLs; refused: the address may not be reached.",
    ["result"],
  );
  yield listenTo("fetch", ({ result }) => fetches.inc({ result }));

  const credits = counter(
    "orbifold_credits_spent_total",
    "Credits that requests to this process have spent.",
    ["reason"],
  );
  yield listenTo("credits", ({ reason, amount }) => credits.inc({ reason }, amount));

  const store = histogram("orbifold_object_store_seconds", "Time of calls of the object store.", [
    "operation",
    "result",
  ]);
  yield listenTo("objectStore", ({ operation, result, seconds }) =>
    store.observe({ operation, result }, seconds),
  );
}

const resultOf = (succeeded: boolean) => (succeeded ? "success" : "failure");

/**
 * Serves `GET /metrics` on an address until it is closed; port 0 selects a free one. Throws the system's error if
 * listening fails.
 */
export async function serveMetrics(
  metrics: Metrics,
  { host, port, log }: { readonly host: string; readonly port: number; readonly log: Log },
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    if (request.url !== "/metrics" || request.method !== "GET") {
      response.writeHead(404, { "Content-Type": "text/plain" }).end("GET /metrics\n");
      return;
    }
    try {
      const text = await metrics.text();
      response.writeHead(200, { "Content-Type": metrics.contentType }).end(text);
    } catch (error) {
      log.error({ error }, "metrics could not be collected");
      response.writeHead(503, { "Content-Type": "text/plain" }).end("see the log\n");
    }
  });
  server.listen(port, host);
  await once(server, "listening");
  return {
    port: portOf(server),
    async close() {
      metrics.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

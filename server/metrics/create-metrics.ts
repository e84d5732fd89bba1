/**
 * Metrics for Prometheus, on a port of their own. No label names an account or an address, so the number of series
 * has a bound: that of routes, tools and queues, by their results.
 */
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import packageFile from "../../package.json" with { type: "json" };
import { NODE_STATES } from "../actions/readiness.ts";
import type { Services } from "../actions/services.ts";
import { resultWithinTimeLimit } from "../actions/time-limit.ts";
import { measureWork } from "./measure-work.ts";

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
  renderNodes,
  readiness,
  renders,
}: Pick<Services, "db" | "engine" | "renderNodes" | "readiness"> & {
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
  if (renderNodes) {
    new Gauge({
      name: "orbifold_render_nodes",
      help: "Render nodes that this process knows of, by whether they take calls.",
      labelNames: ["state"],
      registers,
      collect() {
        for (const state of NODE_STATES) {
          this.set({ state }, renderNodes.nodes.filter((node) => node.state === state).length);
        }
      },
    });
  }
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

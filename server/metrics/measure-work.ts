/** Metrics of the work of this process, counted from what it measures. */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { listenTo } from "../actions/measurements.ts";

/** Upper bounds of the histograms in seconds. */
const QUICK = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const SLOW = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** Counts what this process measures of its work. Yields functions that stop it. */
export function* measureWork(registers: Registry[]): Iterable<() => void> {
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

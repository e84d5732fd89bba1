/**
 * Traces for OpenTelemetry. This module loads the SDK, so it is imported only if a collector is configured. The
 * exporter reads `OTEL_EXPORTER_OTLP_…` by itself; spans are started where the work is.
 */
import { context, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Timings } from "../engine/index.ts";
import packageFile from "../package.json" with { type: "json" };
import { listenTo } from "./actions/measurements.ts";
import { tracer } from "./actions/spans.ts";

/** Time limit of sending spans, with repetitions, and of sending the last ones when the process ends. */
const EXPORT_MS = 2000;

export interface Tracing {
  /** Sends what is left. Does not throw: a collector that is gone keeps nobody waiting for long. */
  close(): Promise<void>;
}

/** @param sampled share of traces that are recorded, 0…1, unless the caller's `traceparent` decides it */
export function startTracing(sampled: number): Tracing {
  const resource = defaultResource()
    .merge(
      resourceFromAttributes({
        "service.name": "orbifold",
        "service.version": packageFile.version,
      }),
    )
    .merge(detectResources({ detectors: [envDetector, serviceNameEnvDetector] }));
  const processor = new BatchSpanProcessor({
    exporter: new OTLPTraceExporter({ timeoutMillis: EXPORT_MS }),
  });
  const provider = new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampled) }),
    spanProcessors: [processor],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  const ignore = listenTo("render", ({ mode, backend, timings }) =>
    recordRender(mode, backend, timings),
  );
  return {
    async close() {
      ignore();
      const late = new Promise((resolve) => setTimeout(resolve, EXPORT_MS).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}

/** Records a render that has just ended, with a span for each of its steps, within the active span. */
function recordRender(mode: string, backend: string, timings: Timings): void {
  const steps = Object.entries(timings);
  const total = steps.reduce((sum, [, milliseconds]) => sum + milliseconds, 0);
  let at = Date.now() - total;
  const render = tracer.startSpan(`render ${mode}`, {
    startTime: at,
    attributes: { "orbifold.render.mode": mode, "orbifold.backend": backend },
  });
  const within = trace.setSpan(context.active(), render);
  for (const [step, milliseconds] of steps) {
    const span = tracer.startSpan(step, { startTime: at }, within);
    at += milliseconds;
    span.end(at);
  }
  render.end(at);
}

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
import packageFile from "../package.json" with { type: "json" };
import { listenTo, type Measurements } from "./actions/measurements.ts";
import { tracer } from "./actions/spans.ts";

/** Time limit of sending spans, with repetitions, and of sending the last ones when the process ends. */
const EXPORT_MS = 2000;

export interface Tracing {
  /** Sends the remaining spans, for at most `EXPORT_MS`. Does not throw. */
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
  const ignore = listenTo("render", recordRender);
  return {
    async close() {
      ignore();
      const late = Promise.withResolvers<void>();
      // It keeps the process alive meanwhile.
      const timer = setTimeout(late.resolve, EXPORT_MS);
      await Promise.race([provider.shutdown().catch(() => undefined), late.promise]);
      clearTimeout(timer);
    },
  };
}

/**
 * Records a render that has just ended, within the active span, with a span for each of its steps; of a render by several
 * threads at once, whose steps overlap, only how long they took together.
 */
function recordRender({ mode, backend, timings, milliseconds }: Measurements["render"]): void {
  const steps = Object.entries(timings);
  const end = Date.now();
  let at = end - milliseconds;
  const total = steps.reduce((sum, [, spent]) => sum + spent, 0);
  const render = tracer.startSpan(`render ${mode}`, {
    startTime: at,
    attributes: {
      "orbifold.render.mode": mode,
      "orbifold.backend": backend,
      ...Object.fromEntries(steps.map(([step, spent]) => [`orbifold.${step}.ms`, spent])),
    },
  });
  const within = trace.setSpan(context.active(), render);
  for (const [step, spent] of total <= milliseconds ? steps : []) {
    const span = tracer.startSpan(step, { startTime: at }, within);
    at += spent;
    span.end(at);
  }
  render.end(end);
}

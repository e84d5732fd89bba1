/**
 * Traces for OpenTelemetry. This module loads the SDK, so it is imported only if a collector is configured. The
 * exporter reads `OTEL_EXPORTER_OTLP_…` by itself; spans are started where the work is.
 */
import { context, propagation, SpanKind, type SpanOptions, trace } from "@opentelemetry/api";
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
import { listenTo, type Measurements } from "./actions/measurements.ts";
import { tracer } from "./actions/spans.ts";

/** Time limit of sending spans, with repetitions, and of sending the last ones when the process ends. */
const EXPORT_MS = 2000;

export interface Tracing {
  /** Sends the remaining spans, for at most `EXPORT_MS`. Does not throw. */
  close(): Promise<void>;
}

/**
 * @param sampled share of traces that are recorded, 0…1, unless the caller's `traceparent` decides it
 * @param rendersItself whether threads of this process do its renders
 */
export function startTracing(sampled: number, rendersItself: boolean): Tracing {
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
  const listeners = [
    listenTo("render", (render) => recordRender(render, rendersItself)),
    listenTo("nodeCall", recordCall),
  ];
  return {
    async close() {
      for (const ignore of listeners) ignore();
      const late = Promise.withResolvers<void>();
      // It keeps the process alive meanwhile.
      const timer = setTimeout(late.resolve, EXPORT_MS);
      await Promise.race([provider.shutdown().catch(() => undefined), late.promise]);
      clearTimeout(timer);
    },
  };
}

/**
 * Records what has just ended, within the active span, with a span for each of its steps where `hasSteps`. Steps of several
 * threads at once overlap: of these it records only how long they took together.
 */
function recordSpan(
  name: string,
  options: SpanOptions,
  milliseconds: number,
  timings: Timings | null,
  hasSteps: boolean,
): void {
  const steps = Object.entries(timings ?? {});
  const end = Date.now();
  let at = end - milliseconds;
  const total = steps.reduce((sum, [, spent]) => sum + spent, 0);
  const span = tracer.startSpan(name, { ...options, startTime: at });
  for (const [step, spent] of steps) span.setAttribute(`orbifold.${step}.ms`, spent);
  const within = trace.setSpan(context.active(), span);
  for (const [step, spent] of hasSteps && total <= milliseconds ? steps : []) {
    const child = tracer.startSpan(step, { startTime: at }, within);
    at += spent;
    child.end(at);
  }
  span.end(end);
}

/** @param rendersItself whether threads of this process rendered it; else the render node records the steps */
function recordRender(
  { mode, backend, timings, milliseconds }: Measurements["render"],
  rendersItself: boolean,
): void {
  const attributes = { "orbifold.render.mode": mode, "orbifold.backend": backend };
  recordSpan(`render ${mode}`, { attributes }, milliseconds, timings, rendersItself);
}

/** Records a call of another process within that one's trace, if it has one. */
function recordCall({ call, result, seconds, timings }: Measurements["nodeCall"]): void {
  if (trace.getSpanContext(context.active()) === undefined) return;
  const options = { kind: SpanKind.SERVER, attributes: { "orbifold.result": result } };
  recordSpan(`call ${call}`, options, seconds * 1000, timings, true);
}

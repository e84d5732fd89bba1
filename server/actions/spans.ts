/** Spans for OpenTelemetry. Without a tracer provider (see `server/tracing.ts`) they cost next to nothing. */
import {
  type Context,
  context,
  propagation,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";

export const tracer = trace.getTracer("orbifold");

/**
 * Runs `work` in a span that ends with it, and fails with what it throws.
 * @param parent default: the active span
 */
export function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Result>,
  parent: Context = context.active(),
): Promise<Result> {
  return tracer.startActiveSpan(name, options, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      failSpan(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Marks a span as failed. */
export function failSpan(span: Span, error: unknown): void {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  span.recordException({ name, message });
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}

/** Returns the context of a carrier's `traceparent` and `tracestate`; the active one if it has none. */
export const contextOf = (carrier: object): Context =>
  propagation.extract(context.active(), carrier);

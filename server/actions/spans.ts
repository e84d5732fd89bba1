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
import { failureOf } from "./failures.ts";

export const tracer = trace.getTracer("orbifold");

/** Runs `work` in a span within the active one. The span ends with it, and records the code of what it throws. */
export function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  return tracer.startActiveSpan(name, options, async (span) => {
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

/**
 * Records the code of a failure, without its message, which may contain values. A fault of the service marks the span as
 * failed.
 */
function failSpan(span: Span, error: unknown): void {
  const { code, isFault } = failureOf(error);
  span.setAttribute("error.type", code);
  if (isFault) span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Returns the headers by which the active span goes on in another process. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const carrier = {};
  propagation.inject(context.active(), carrier);
  return carrier;
}

/** Returns the context of a carrier's `traceparent` and `tracestate`; the active one if it has none. */
export const contextOf = (carrier: object): Context =>
  propagation.extract(context.active(), carrier);

/** Spans of queries for OpenTelemetry; without a tracer provider there are none. */
import { type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Interceptor } from "slonik";

const tracer = trace.getTracer("orbifold");

/** Starts the span of a statement, within the active one. Values of parameters are not recorded. */
export function startQuerySpan(statement: string): Span {
  const operation = /\w+/.exec(statement)?.[0].toLowerCase() ?? "query";
  return tracer.startSpan(`${operation} postgresql`, {
    kind: SpanKind.CLIENT,
    attributes: {
      "db.system.name": "postgresql",
      "db.operation.name": operation,
      "db.query.text": statement,
    },
  });
}

/** Ends the span of a query that failed. */
export function failQuerySpan(span: Span, error: Error): void {
  span.recordException(error);
  span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
  span.end();
}

const spanOf = (sandbox: Record<string, unknown>) => sandbox.span as Span | undefined;

/** Starts and ends a span for each query of a pool. */
export const querySpans: Interceptor = {
  name: "query-spans",
  beforeQueryExecution({ sandbox }, { sql }) {
    sandbox.span = startQuerySpan(sql);
    return null;
  },
  afterQueryExecution({ sandbox }) {
    spanOf(sandbox)?.end();
    return null;
  },
  queryExecutionError({ sandbox }, _query, error) {
    const span = spanOf(sandbox);
    if (span) failQuerySpan(span, error);
    return null;
  },
};

/** Spans of queries for OpenTelemetry, within an active span; without one there are none. */
import { type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import pg from "pg";
import type { Interceptor } from "slonik";

const tracer = trace.getTracer("orbifold");

/** Starts the span of a statement. Values of parameters are not recorded. */
export function startQuerySpan(statement: string): Span | undefined {
  if (trace.getActiveSpan() === undefined) return undefined;
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

/** Ends the span of a query that failed. Messages are not recorded: they may contain values. */
export function failQuerySpan(span: Span | undefined, error: Error): void {
  const cause = error.cause ?? error;
  const type = cause instanceof pg.DatabaseError ? cause.code : error.name;
  span?.setAttribute("error.type", type ?? error.name);
  span?.setStatus({ code: SpanStatusCode.ERROR });
  span?.end();
}

type Sandbox = Record<string, unknown>;
const spanOf = (sandbox: Sandbox) => sandbox.span as Span | undefined;

function failed({ sandbox }: { readonly sandbox: Sandbox }, _query: unknown, error: Error): null {
  failQuerySpan(spanOf(sandbox), error);
  return null;
}

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
  queryExecutionError: failed,
  dataIntegrityError: failed,
};

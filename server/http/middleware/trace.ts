/** A span for each request, within that of the caller's `traceparent` (W3C Trace Context). */
import { context, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Context, Middleware } from "koa";
import { contextOf, tracer } from "../../actions/spans.ts";

/** Neither addresses nor queries are recorded, which may contain secrets. */
export const traceRequests: Middleware = (ctx, next) => {
  const parent = contextOf(ctx.headers);
  const span = tracer.startSpan(
    ctx.method,
    { kind: SpanKind.SERVER, attributes: { "http.request.method": ctx.method } },
    parent,
  );
  if (span.isRecording()) describeRequest(span, ctx);
  return context.with(trace.setSpan(parent, span), next);
};

/** Adds what is known at the end of a request to its span, and ends it. */
function describeRequest(span: Span, ctx: Context): void {
  ctx.state.traceId = span.spanContext().traceId;
  ctx.res.once("close", () => {
    const { route, requestId, problem } = ctx.state;
    if (route) span.updateName(`${ctx.method} ${route}`);
    span.setAttributes({
      ...(route && { "http.route": route }),
      ...(ctx.res.headersSent && { "http.response.status_code": ctx.status }),
      ...(problem && { "error.type": problem }),
      "orbifold.request_id": requestId,
    });
    if (ctx.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
}

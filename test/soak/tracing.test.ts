/** The traces of a process, as an OpenTelemetry collector receives them. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import t, { type Test } from "tap";
import { openDatabase } from "../../db/index.ts";
import { createAccount } from "../../server/actions/accounts.ts";
import { createApiKey } from "../../server/actions/api-keys.ts";
import { testDatabaseUrl } from "../helpers/database.ts";
import { photograph, pngOf } from "../helpers/pictures.ts";
import { startService } from "../helpers/service.ts";

const EMAIL = "owner@example.com";
const TRACE = "0af7651916cd43dd8448eb211c80319c";
const CALLER = "b7ad6b7169203331";

/** A span in OTLP's JSON, as far as it is read here. */
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
  readonly status: { readonly code?: number };
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span["attributes"] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

/** https://opentelemetry.io/docs/specs/otlp/#otlphttp */
async function startCollector(t: Test) {
  const exports: Export[] = [];
  const server = createServer(async (request, response) => {
    if (request.url === "/v1/traces") exports.push((await json(request)) as Export);
    response.setHeader("Content-Type", "application/json").end("{}");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.teardown(() => server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    text: () => JSON.stringify(exports),
    resources: () =>
      exports.flatMap(({ resourceSpans }) => resourceSpans.map((one) => one.resource)),
    spans: () =>
      exports.flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
  };
}

const attribute = ({ attributes }: Pick<Span, "attributes">, name: string) =>
  Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0];

t.test("a request's trace goes on from its caller to the steps of the render", async (t) => {
  const url = await testDatabaseUrl();
  const db = await openDatabase({ url, dataDir: "" });
  t.teardown(() => db.close());
  const { id } = await createAccount(db, { email: EMAIL, plan: "pro" });
  const { secret } = await createApiKey(db, id, "test");
  const collector = await startCollector(t);
  const service = await startService(t, {
    DATABASE_URL: url,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
  });
  const base = await service.url();
  const send = async (
    path: string,
    json: object | FormData,
    traceparent?: string,
    isRefused = false,
  ) => {
    const isForm = json instanceof FormData;
    const response = await fetch(`${base}/api/v1${path}`, {
      method: "POST",
      headers: {
        "X-API-Key": secret,
        Accept: "application/json, text/event-stream",
        ...(!isForm && { "Content-Type": "application/json" }),
        ...(traceparent && { traceparent }),
      },
      body: isForm ? json : JSON.stringify(json),
    });
    t.equal(response.ok, !isRefused, path);
    return Buffer.from(await response.arrayBuffer()).toString();
  };
  const form = new FormData();
  form.append("file", new Blob([Buffer.from(pngOf(photograph(64, 48)))]), "a.png");
  const source = JSON.parse(await send("/sources/upload", form));
  const pattern = JSON.parse(await send("/patterns", { source_id: source.id, group: "p4" }));
  const render = `/patterns/${pattern.id}/render`;
  await send(render, { size: 64 }, `00-${TRACE}-${CALLER}-01`);
  const unsampled = "5".repeat(32);
  await send(render, { size: 65 }, `00-${unsampled}-${CALLER}-00`);
  const ofRefused = { trace: "e".repeat(32), span: "f".repeat(16) };
  const refused = { tool: "render_pattern_tile", arguments: { pattern_id: 987_654_321, size: 64 } };
  const parent = `00-${ofRefused.trace}-${ofRefused.span}-01`;
  await send("/mcp/execute", refused, parent, true);
  const ofAgent = { trace: "a".repeat(32), span: "c".repeat(16) };
  await send("/mcp", {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: "list_patterns",
      arguments: {},
      _meta: { traceparent: `00-${ofAgent.trace}-${ofAgent.span}-01` },
    },
  });
  service.process.kill("SIGTERM");
  t.equal(await service.ended, 0);

  const spans = collector.spans();
  const ofTrace = (trace: string) => spans.filter(({ traceId }) => traceId === trace);
  const childrenOf = ({ spanId }: Pick<Span, "spanId">) =>
    spans.filter(({ parentSpanId }) => parentSpanId === spanId);
  const [request, ...others] = childrenOf({ spanId: CALLER });
  t.same(others, []);
  t.match(request, { traceId: TRACE, name: "POST /api/v1/patterns/{id}/render", kind: 2 });
  if (request === undefined) return;
  t.equal(attribute(request, "http.response.status_code"), 200);
  const [drawn] = childrenOf(request).filter(({ name }) => name === "render tile");
  t.ok(drawn, "the render is in the request");
  const steps = drawn ? childrenOf(drawn) : [];
  t.same(steps.map(({ name }) => name).sort(), ["effects", "encode", "queue", "sample"]);
  const queries = childrenOf(request).filter(({ name }) => name.endsWith(" postgresql"));
  t.ok(queries.length > 0, "and so are queries");
  t.match(attribute(queries[0] as Span, "db.query.text"), /\$1/);
  for (const span of [...queries, ...(drawn ? [drawn] : []), ...steps]) {
    const isWithin =
      BigInt(span.startTimeUnixNano) >= BigInt(request.startTimeUnixNano) - 2_000_000n &&
      BigInt(span.endTimeUnixNano) <= BigInt(request.endTimeUnixNano) + 2_000_000n;
    t.ok(isWithin, `${span.name} is within the request`);
  }
  t.same(ofTrace(unsampled), [], "the caller decides what is recorded");
  const [called] = childrenOf({ spanId: ofAgent.span });
  t.match(called, { name: "tools/call list_patterns", traceId: ofAgent.trace });
  const failed = ofTrace(ofRefused.trace).find(
    ({ name }) => name === "tools/call render_pattern_tile",
  );
  t.ok(failed);
  if (failed) t.equal(attribute(failed, "error.type"), "not_found");
  t.notOk(collector.text().includes("987654321"), "no message is recorded");
  t.notOk(collector.text().includes("exception"), "nor a stack");
  const resource = { attributes: collector.resources().flatMap(({ attributes }) => attributes) };
  t.equal(attribute(resource, "service.name"), "orbifold");
  t.equal(attribute(resource, "deployment.environment.name"), "test");
  for (const [what, text] of Object.entries({ secret, EMAIL })) {
    t.notOk(collector.text().includes(text), `${what} is not recorded`);
  }
  const [entry] = service.lines.filter((line) => line.includes(TRACE));
  t.match(JSON.parse(entry ?? "{}"), { trace_id: TRACE, path: `/api/v1${render}` });
});

t.test("what a render node does for a request is in the request's trace", async (t) => {
  const url = await testDatabaseUrl();
  const db = await openDatabase({ url, dataDir: "" });
  t.teardown(() => db.close());
  const { id } = await createAccount(db, { email: EMAIL, plan: "pro" });
  const { secret } = await createApiKey(db, id, "test");
  const [ofCaller, ofNode] = [await startCollector(t), await startCollector(t)];
  const node = await startService(t, {
    DATABASE_URL: url,
    ROLES: "render",
    RENDER_PORT: "0",
    OTEL_EXPORTER_OTLP_ENDPOINT: ofNode.url,
  });
  await node.url();
  const api = await startService(t, {
    DATABASE_URL: url,
    ROLES: "api",
    OTEL_EXPORTER_OTLP_ENDPOINT: ofCaller.url,
  });
  const base = await api.url();
  const send = async (path: string, json: object, traceparent: string) => {
    const response = await fetch(`${base}/api/v1${path}`, {
      method: "POST",
      headers: { "X-API-Key": secret, "Content-Type": "application/json", traceparent },
      body: JSON.stringify(json),
    });
    t.ok(response.ok, path);
    return response;
  };
  const unsampled = `00-${"5".repeat(32)}-${CALLER}-00`;
  const preset = { preset: "floral", seed: 1 };
  const source = await (await send("/sources/presets", preset, unsampled)).json();
  const made = { source_id: source.id, group: "p4" };
  const pattern = await (await send("/patterns", made, unsampled)).json();
  const render = `/patterns/${pattern.id}/render`;
  await (await send(render, { size: 64 }, `00-${TRACE}-${CALLER}-01`)).arrayBuffer();
  for (const service of [api, node]) {
    service.process.kill("SIGTERM");
    t.equal(await service.ended, 0);
  }

  const request = ofCaller.spans().find(({ parentSpanId }) => parentSpanId === CALLER);
  const inNode = ofNode.spans();
  t.same(new Set(inNode.map(({ traceId }) => traceId)), new Set([TRACE]));
  const rendered = inNode.find(
    (span) => span.name === "call render" && attribute(span, "orbifold.result") === "success",
  );
  t.match(rendered, { parentSpanId: request?.spanId ?? "", kind: 2 });
  const steps = inNode.filter(({ parentSpanId }) => parentSpanId === rendered?.spanId);
  t.same(steps.map(({ name }) => name).sort(), ["effects", "encode", "queue", "sample"]);
  const drawn = ofCaller.spans().find(({ name }) => name === "render tile");
  t.equal(drawn?.parentSpanId, request?.spanId);
  t.ok(drawn && Number(attribute(drawn, "orbifold.sample.ms")) > 0);
  const repeated = ofCaller.spans().filter(({ parentSpanId }) => parentSpanId === drawn?.spanId);
  t.same(repeated, [], "the caller does not record the steps again");
  t.notOk(ofNode.text().includes(secret));
});

t.test("a collector that is gone delays neither requests nor the end", async (t) => {
  const collector = await startCollector(t);
  const service = await startService(t, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url.replace(/\d+$/, "1"),
  });
  t.equal((await fetch(`${await service.url()}/healthz`)).status, 200);
  service.process.kill("SIGTERM");
  t.equal(await service.ended, 0);
});

t.test("without a collector the SDK is not loaded", async (t) => {
  const hook = `import { registerHooks } from "node:module";
    registerHooks({ load: (url, context, next) => {
      const name = /@opentelemetry\\/(?!api\\/)[^/]+/.exec(url);
      if (name) console.error("loaded " + name[0]);
      return next(url, context);
    } });`;
  const { execPath } = process;
  const program = ["--import", `data:text/javascript,${encodeURIComponent(hook)}`, "server/cli.ts"];
  const linesWith = async (environment: Readonly<Record<string, string>>) => {
    const service = await startService(t, environment, [execPath, ...program, "serve"]);
    await service.url();
    service.process.kill("SIGTERM");
    t.equal(await service.ended, 0);
    return service.lines.filter((line) => line.startsWith("loaded"));
  };
  t.same(await linesWith({}), []);
  const { url } = await startCollector(t);
  t.ok((await linesWith({ OTEL_EXPORTER_OTLP_ENDPOINT: url })).length > 0, "the hook sees it");
});

/** Log entries of requests, jobs and errors, and what they never contain. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import t from "tap";
import { createLog } from "../../server/log.ts";
import { until } from "../helpers/jobs.ts";
import { testServer } from "../helpers/server.ts";
import { LOOPBACK, receiver, subscribe } from "../helpers/webhooks.ts";

/** A log with the text of its lines. */
function textLog(level: Parameters<typeof createLog>[0] = "info") {
  const lines: string[] = [];
  return { log: createLog(level, { write: (line) => lines.push(line) }), lines };
}

t.test("logs the caller, bytes and outcome of requests", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const { bytes } = await server.request("GET", `/patterns/${id}/render?size=64`);
  await server.request("GET", "/account", {
    as: null,
    headers: { Authorization: `Bearer ${server.token}` },
  });
  const find = (method: string, path: string) =>
    server.log.filter((entry) => entry.method === method && entry.path === `/api/v1${path}`);
  await until(() => find("GET", "/account").length > 0);
  const [upload] = find("POST", "/sources/upload");
  const [render] = find("GET", `/patterns/${id}/render`);
  const { id: account_id } = server.account;
  t.match(upload, { level: "info", status: 201, account_id, address: "127.0.0.1" });
  t.ok(upload?.bytes_in > 500, "a picture came in");
  t.match(render, { route: "/api/v1/patterns/{id}/render", status: 200, account_id });
  t.equal(render?.key_id, upload?.key_id);
  t.ok(render?.key_id > 0);
  t.ok(render?.bytes_out > bytes.length && render?.bytes_out < bytes.length + 2000);
  t.ok(render?.bytes_in < 1000, "the connection's earlier requests are not counted");
  const [own] = find("GET", "/account");
  t.match(own, { account_id });
  t.notOk("key_id" in (own ?? {}), "a person's token is no key");
});

t.test("logs the account and outcome of jobs and deliveries", async (t) => {
  const server = await testServer(t, { takesJobs: true, ...LOOPBACK });
  const target = await receiver(t, (response) => void response.writeHead(500).end());
  const { id: webhook_id } = await subscribe(server, target.url);
  const pattern_id = await server.makePattern();
  const order = { width_mm: 20, height_mm: 20, dpi: 72, format: "png" };
  await server.request("POST", `/patterns/${pattern_id}/export`, { json: order });
  await server.request("POST", `/patterns/${pattern_id}/mockups`, { json: { products: ["mug"] } });
  const jobs = () => server.log.filter(({ job }) => job);
  await until(() => jobs().length === 3);
  const { id: account_id } = server.account;
  const of = (job: string) => jobs().find((entry) => entry.job === job);
  const common = { level: "info", account_id, tries: 1, ms: Number };
  t.match(of("make_export"), { ...common, pattern_id, status: "done", export_id: Number });
  t.match(of("draw_mockups"), { ...common, pattern_id, drawn: 1, failed: 0 });
  t.match(of("deliver_webhook"), {
    ...common,
    webhook_id,
    event: "pattern.created",
    host: new URL(target.url).host,
    status: "retrying",
    response_status: 500,
    reason: / answered 500$/,
  });
});

t.test("redacts secrets anywhere, and nothing else", (t) => {
  const { log, lines } = textLog();
  const key = `pf_${"a1B2".repeat(9)}xy`;
  const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0In0.c2lnbmF0dXJl-_x";
  const secret = "whsec_c2VjcmV0IHNlY3JldA==";
  const url = "postgresql://ada:pass:word@db.example:5433/patterns";
  log.info({ path: `/api/v1/${key}/x`, nested: { token } }, `signs with ${secret}.`);
  log.error({ error: new Error("outer", { cause: new Error(`cannot reach ${url}`) }) });
  log.info("GET /bucket/key?X-Amz-Expires=300&X-Amz-Signature=0badc0de&x-id=GetObject");
  log.info("GET /bucket/key?X-Amz-Security-Token=FwoGZXIv%2FYXdz%3D%3D&x-id=GetObject");
  const text = lines.join("");
  for (const hidden of [key, token, "c2VjcmV0", "pass:word", "0badc0de", "FwoGZXIv", "YXdz"])
    t.notMatch(text, hidden);
  t.match(JSON.parse(lines[0] ?? ""), {
    path: "/api/v1/[redacted]/x",
    nested: { token: "[redacted]" },
    msg: "signs with [redacted].",
  });
  t.match(text, "postgresql://ada:[redacted]@db.example:5433/patterns");
  t.end();
});

t.test("redacts long texts in linear time", (t) => {
  const { log, lines } = textLog();
  // Each would take seconds with an expression that backtracks from every position.
  const parts = ["eyJabcdefgh-", "pf_", "a://b:", "whsec_", "X-Amz-Signature=", "X-Amz-"];
  for (const part of parts) log.info(part.repeat(200_000));
  t.equal(lines.length, parts.length);
  t.end();
});

t.test("logs errors with causes, without the properties of drivers", (t) => {
  const { log, lines } = textLog();
  const cause = Object.assign(new TypeError("no ink"), { values: ["private"] });
  log.error({ error: new Error("cannot print", { cause }) }, "it failed");
  const { level, msg, error } = JSON.parse(lines[0] ?? "");
  t.match({ level, msg }, { level: "error", msg: "it failed" });
  t.match(error, { type: "Error", message: "cannot print" });
  t.match(error.stack, /cannot print\n.*log\.test\.ts:\d+[\s\S]*caused by TypeError: no ink/);
  t.notMatch(lines[0], "private");
  t.end();
});

t.test("logs a message for copies of errors and for other thrown values", (t) => {
  const { log, lines } = textLog();
  const copy = {
    message: "connection lost",
    stack: "Error: connection lost\n    at pool",
    values: [1],
  };
  log.error({ error: copy }, "it failed");
  log.error({ error: "out of paper" }, "it failed");
  log.error({ error: null }, "it failed");
  t.strictSame(
    lines.map((line) => JSON.parse(line).error),
    [
      { type: "Error", message: copy.message, stack: copy.stack },
      { message: "out of paper" },
      { message: "null" },
    ],
  );
  t.end();
});

t.test("an error is written although the process hangs right after", async (t) => {
  const program = `
    import { createLog } from ${JSON.stringify(import.meta.resolve("../../server/log.ts"))};
    createLog("info").error("it broke");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program]);
  t.teardown(() => child.kill("SIGKILL"));
  const [line] = await once(child.stderr, "data", { signal: AbortSignal.timeout(30_000) });
  t.match(JSON.parse(String(line)), { level: "error", msg: "it broke" });
});

t.test("omits entries below the level", (t) => {
  const { log, lines } = textLog("warn");
  log.info("a request");
  log.warn("a queue");
  t.equal(lines.length, 1);
  t.end();
});

/** Batches: ordered as a product, as a list and as NDJSON, rendered in the background, downloaded. */
import { gzipSync } from "node:zlib";
import sharp from "sharp";
import t from "tap";
import { endedBatch, linesOf, manifestOf, NDJSON, orderBatch, sha256 } from "../helpers/batches.ts";
import { TestClock, until } from "../helpers/jobs.ts";
import { testServer } from "../helpers/server.ts";
import { LOOPBACK, receiver, subscribe } from "../helpers/webhooks.ts";

const SMALL = { size: 32 };

/** The codes of the errors of a manifest, and null for pictures. */
const codesOf = (lines: readonly { readonly error: { readonly code: string } | null }[]) =>
  lines.map(({ error }) => error?.code ?? null);

t.test("a product is rendered, and its manifest has the hashes of the pictures", async (t) => {
  const server = await testServer(t, { takesJobs: true });
  const one = await server.makePattern({ name: "Käte's tiles" });
  const other = await server.makePattern({ group: "p6m" });
  const json = {
    name: "Spring",
    product: {
      pattern_ids: [one, other],
      palettes: [null, "lagoon"],
      sizes: [32, 48],
      formats: ["png", "jpeg"],
      render: { dpi: 150 },
    },
  };
  const reply = await server.request("POST", "/batches", { json });
  t.equal(reply.status, 202);
  const { id } = reply.json;
  t.match(reply.json, { name: "Spring", status: "queued", progress: 0, total: 16, done: 0 });
  t.equal(reply.headers.get("Location"), `${server.url}/api/v1/batches/${id}`);
  const ended = await endedBatch(server, id);
  t.match(ended, { status: "finished", progress: 100, total: 16, done: 16, failed: 0 });
  t.equal(Date.parse(ended.expires_at) - Date.parse(ended.finished_at), 7 * 86_400_000);
  const lines = await manifestOf(server, id);
  t.same(
    lines.map(({ index }) => index),
    Array.from({ length: 16 }, (_, n) => n),
  );
  const combinations = lines.map(({ request: { pattern_id, palette, size, format } }) => {
    return [pattern_id, palette, size, format].join();
  });
  t.equal(new Set(combinations).size, 16);
  t.equal(combinations[1], `${one},,32,jpeg`, "the last list changes first");
  for (const { name, request, file, error } of lines) {
    t.equal(error, null);
    t.equal(name, request.pattern_id === one ? "Käte's tiles" : null);
    const picture = await server.request("GET", new URL(file.url).pathname.slice("/api/v1".length));
    t.equal(picture.status, 200);
    t.equal(sha256(picture.bytes), file.sha256);
    t.equal(picture.bytes.length, file.bytes);
    t.equal(picture.headers.get("Content-Type"), file.media_type);
    const { width, height, format, density } = await sharp(picture.bytes).metadata();
    t.match({ width, height, format }, { width: file.width, height: file.height });
    t.equal(format, request.format);
    t.ok(Math.abs((density ?? 0) - 150) < 0.5);
  }
  const path = `/batches/${id}/items/0`;
  const head = await server.request("HEAD", path);
  t.equal(head.headers.get("Content-Length"), String(lines[0].file.bytes));
  const headers = { "If-None-Match": head.headers.get("ETag") ?? "" };
  t.equal((await server.request("GET", path, { headers })).status, 304);
  const part = await server.request("GET", path, { headers: { Range: "bytes=0-9" } });
  t.equal(part.status, 206);
  t.match((await server.request("GET", "/batches")).json, { data: [{ id }], next_cursor: null });
});

t.test("items fail alone, with the words of problems", async (t) => {
  const server = await testServer(t, { takesJobs: true });
  const pattern = await server.makePattern();
  const items = [
    { pattern_id: pattern, size: 32 },
    { pattern_id: pattern + 99, size: 32 },
    { pattern_id: pattern, mode: "frieze", surface_width: 64, surface_height: 32 },
    { pattern_id: pattern, mode: "surface", surface_width: 64 },
    { pattern_id: pattern, mode: "surface", surface_width: 40, surface_height: 24, size: 32 },
    {
      pattern_id: pattern,
      mode: "surface",
      surface_width: 40,
      surface_height: 24,
      surface_effects: [{ id: "\u0000" }],
    },
    { pattern_id: pattern, size: 32, group: "*632", palette: ["#000000", "#ff8800"] },
  ];
  const body = `${linesOf(items)}\n`;
  for (const [encoding, sent] of [
    ["identity", body],
    ["gzip", gzipSync(body)],
  ] as const) {
    const headers = { ...NDJSON, "Content-Encoding": encoding };
    const reply = await server.request("POST", "/batches", { body: sent, headers });
    t.equal(reply.status, 202);
    const { id } = reply.json;
    t.match(await endedBatch(server, id), { status: "finished", total: 7, done: 3, failed: 4 });
    const lines = await manifestOf(server, id);
    t.same(codesOf(lines), [
      null,
      "not_found",
      "validation_failed",
      "validation_failed",
      null,
      "validation_failed",
      null,
    ]);
    t.match(lines[1].error.detail, `there is no pattern ${pattern + 99} in this account`);
    t.match(lines[2].error.errors, [{ path: "/frieze" }]);
    t.match(lines[3].error.errors, [{ path: "/surface_height", message: /needs surface_height/ }]);
    t.match(lines[4].file, { width: 40, height: 24 });
    t.match(lines[5].error.errors, [{ path: "/surface_effects/0/id" }]);
    const failed = await server.request("GET", `/batches/${id}/items?status=failed&limit=3`);
    t.same(
      failed.json.data.map(({ index }: { index: number }) => index),
      [1, 2, 3],
    );
    const rest = `/batches/${id}/items?status=failed&cursor=${failed.json.next_cursor}`;
    t.match((await server.request("GET", rest)).json, { data: [{ index: 5 }], next_cursor: null });
    const refused = await server.request("GET", `/batches/${id}/items/1`);
    t.match(refused.json, { status: 409, detail: /item 1 of batch \d+ has failed: there is no/ });
    t.equal((await server.request("GET", `/batches/${id}/items/7`)).status, 404);
  }
});

t.test("a batch shows patterns as they were when it was created", async (t) => {
  const server = await testServer(t);
  const source_id = await server.makeSource();
  const json = { source_id, group: "p4", name: "before" };
  const { id: pattern } = (await server.request("POST", "/patterns", { json })).json;
  const render = async () =>
    sha256((await server.request("POST", `/patterns/${pattern}/render`, { json: SMALL })).bytes);
  const before = await render();
  const items = [{ pattern_id: pattern, ...SMALL }];
  const id = await orderBatch(server, { items });
  const changes = { group: "p6m", name: "after" };
  await server.request("PATCH", `/patterns/${pattern}`, { json: changes });
  t.not(await render(), before);
  const gone = await orderBatch(server, { items });
  await server.request("DELETE", `/patterns/${pattern}`);
  const early = await server.request("GET", `/batches/${id}/items/0`);
  t.match(early.json, { status: 409, detail: /not rendered yet/ });
  t.equal(early.headers.get("Retry-After"), "2");
  await server.takeJobs();
  await endedBatch(server, id);
  const [line] = await manifestOf(server, id);
  t.match(line, { name: "before", file: { sha256: before } });
  await endedBatch(server, gone);
  await server.request("DELETE", `/sources/${source_id}`);
  const late = await orderBatch(server, { items });
  await endedBatch(server, late);
  t.same(codesOf(await manifestOf(server, late)), ["not_found"]);
  const refused = await server.request("GET", `/batches/${id}/items/0`);
  t.match(refused.json, { status: 410, detail: /was deleted/ });
});

t.test("an item whose source is deleted before it is rendered says so", async (t) => {
  const server = await testServer(t);
  const source_id = await server.makeSource();
  const made = { json: { source_id, group: "p4" } };
  const { id: pattern } = (await server.request("POST", "/patterns", made)).json;
  const id = await orderBatch(server, { items: [{ pattern_id: pattern, ...SMALL }] });
  await server.request("DELETE", `/patterns/${pattern}`);
  await server.request("DELETE", `/sources/${source_id}`);
  await server.takeJobs();
  t.match(await endedBatch(server, id), { done: 0, failed: 1 });
  const [line] = await manifestOf(server, id);
  t.match(line.error, { code: "gone", detail: /was deleted/ });
});

t.test("other accounts find nothing of a batch", async (t) => {
  const server = await testServer(t, { takesJobs: true });
  const pattern = await server.makePattern();
  const id = await orderBatch(server, { items: [{ pattern_id: pattern, ...SMALL }] });
  await endedBatch(server, id);
  const as = await server.makeCaller({});
  for (const path of ["", "/items", "/items/0", "/manifest", "/contact-sheet"]) {
    t.equal((await server.request("GET", `/batches/${id}${path}`, { as })).status, 404, path);
  }
  t.equal((await server.request("DELETE", `/batches/${id}`, { as })).status, 404);
  t.equal((await server.request("POST", `/batches/${id}/cancel`, { as })).status, 404);
  t.same((await server.request("GET", "/batches", { as })).json.data, []);
  const foreign = await orderBatch(server, { items: [{ pattern_id: pattern, ...SMALL }] }, as);
  await until(async () => (await server.db.batches.get(as.account.id, foreign))?.failed === 1);
  t.equal((await server.request("DELETE", `/batches/${id}`)).status, 204);
  for (const path of ["", "/items", "/items/0", "/manifest", "/contact-sheet"]) {
    t.equal((await server.request("GET", `/batches/${id}${path}`)).status, 404, path);
  }
});

t.test("a cancelled batch renders nothing more, and sends no event", async (t) => {
  const server = await testServer(t, LOOPBACK);
  const target = await receiver(t);
  await subscribe(server, target.url, ["batch.ready"]);
  const pattern = await server.makePattern();
  const items = Array.from({ length: 40 }, (_, n) => ({ pattern_id: pattern, size: 600 + n }));
  const id = await orderBatch(server, { items });
  await server.takeJobs();
  await until(async () => ((await server.db.batches.get(server.account.id, id))?.done ?? 0) > 0);
  const cancelled = await server.request("POST", `/batches/${id}/cancel`);
  t.match(cancelled.json, { status: "cancelled", total: 40, failed: 0 });
  const { done } = cancelled.json;
  t.ok(done < 40, `${done} of 40 were rendered`);
  // Another batch is done by the same job worker.
  const next = await orderBatch(server, { items: [{ pattern_id: pattern, ...SMALL }] });
  await endedBatch(server, next);
  const again = await server.request("POST", `/batches/${id}/cancel`);
  t.match(again.json, { status: "cancelled", done, finished_at: cancelled.json.finished_at });
  const lines = await manifestOf(server, id);
  t.equal(lines.filter(({ status }) => status === "done").length, done);
  t.equal(lines.filter(({ status }) => status === "queued").length, 40 - done);
  const never = await server.request("GET", `/batches/${id}/items/39`);
  t.match(never.json, { status: 409, detail: /was cancelled before item 39 was rendered/ });
  t.equal(never.headers.get("Retry-After"), null);
  await until(() => target.received.length === 1);
  t.equal(target.received[0]?.json.data.batch_id, next);
});

t.test("a long batch takes several jobs", async (t) => {
  const server = await testServer(t);
  const pattern = await server.makePattern();
  const items = Array.from({ length: 5 }, (_, n) => ({ pattern_id: pattern, size: 32 + n }));
  const id = await orderBatch(server, { items });
  await server.takeJobs({ batchRunMs: 0 });
  t.match(await endedBatch(server, id), { status: "finished", done: 5, failed: 0 });
  const runs = () => server.log.filter(({ job }) => job === "render_batch");
  await until(() => runs().some(({ status }) => status === "done"));
  t.same(
    runs().map(({ status }) => status),
    ["continued", "continued", "continued", "continued", "done"],
  );
  t.equal(server.renders(), 5);
});

t.test("webhooks receive batch.ready once", async (t) => {
  const server = await testServer(t, { ...LOOPBACK, takesJobs: true });
  const target = await receiver(t);
  await subscribe(server, target.url, ["batch.ready"]);
  const pattern = await server.makePattern();
  const items = [
    { pattern_id: pattern, ...SMALL },
    { pattern_id: pattern + 99 },
    { pattern_id: pattern, ...SMALL },
  ];
  const id = await orderBatch(server, { name: "Twice the same", items });
  await until(() => target.received.length === 1);
  t.match(target.received[0]?.json, {
    event: "batch.ready",
    data: {
      batch_id: id,
      name: "Twice the same",
      total: 3,
      done: 2,
      failed: 1,
      manifest_url: `${server.url}/api/v1/batches/${id}/manifest`,
    },
  });
  t.equal(server.renders(), 1, "an item that is the same is not rendered again");
  const events = await server.request("GET", "/webhooks");
  const path = `/webhooks/${events.json.data[0].id}/deliveries`;
  t.equal((await server.request("GET", path)).json.data.length, 1);
});

t.test(
  "an internal error fails an item after some tries, and the others are rendered",
  async (t) => {
    const server = await testServer(t);
    const pattern = await server.makePattern();
    const items = [{ pattern_id: pattern, ...SMALL }];
    const id = await orderBatch(server, { items });
    server.breakRenders("it broke");
    const clock = new TestClock();
    await server.takeJobs({ clock });
    await until(async () => {
      await clock.tick(5000);
      return (await server.db.batches.get(server.account.id, id))?.status === "finished";
    });
    const ended = await endedBatch(server, id);
    t.match(ended, { status: "finished", failed: 1 });
    const [line] = await manifestOf(server, id);
    t.match(line.error, { code: "internal", detail: /failed 5 times/ });
    t.equal(server.renders(), 5);
  },
);

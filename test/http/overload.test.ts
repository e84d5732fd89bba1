/** More renders than the server can make: which are refused, and which are served. */
import t, { type Test } from "tap";
import { createEngine } from "../../engine/index.ts";
import type { Timings } from "../../server/actions/services.ts";
import { openRenderCache } from "../../server/render-cache/index.ts";
import { temporaryFolder } from "../helpers/database.ts";
import { until } from "../helpers/jobs.ts";
import { type ObjectServer, objectServer } from "../helpers/object-store.ts";
import { type TestServer, testServer } from "../helpers/server.ts";

t.test("rejects renders beyond the queue with Retry-After", async (t) => {
  const engine = await createEngine({ backend: "webasm", threads: 1, queueMax: 1 });
  t.teardown(() => engine.close(0));
  const server = await testServer(t, { engine });
  const id = await server.makePattern();
  const path = `/patterns/${id}/render`;
  const replies = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      server.request("POST", path, { json: { size: 1024 + index } }),
    ),
  );
  const refused = replies.filter(({ status }) => status === 503);
  t.ok(refused.length > 0);
  t.equal(refused[0].json.code, "overloaded");
  t.match(refused[0].headers.get("Retry-After"), /^\d+$/);
  t.ok(replies.some(({ status }) => status === 200));
});

t.test(
  "a full queue serves cached pictures and rejects others without reading their bodies",
  async (t) => {
    const engine = await createEngine({ backend: "webasm", threads: 1, queueMax: 1 });
    t.teardown(() => engine.close(0));
    const server = await testServer(t, { engine });
    const id = await server.makePattern({ group: "p1" });
    const at = (size: number) => server.request("GET", `/patterns/${id}/render?size=${size}`);
    const kept = await at(32);
    const other = await server.makeCaller({});
    const free = await fillQueue(t, server, id);
    const refused = await at(33);
    t.match(refused.json, { status: 503, code: "overloaded" });
    t.match(refused.headers.get("RateLimit"), /r=\d+/, "and counted");
    t.equal(server.renders(), 3, "the engine was not asked");
    const again = await at(32);
    t.equal(again.status, 200);
    t.ok(again.bytes.equals(kept.bytes));
    const { status } = await server.request("GET", `/patterns/${id}/render`, { as: other });
    t.equal(status, 404, "other requests fail as usual");
    await free();
  },
);

/**
 * Has large sheets of a pattern take the one thread and the one place of a server's queue. Returns a function that frees
 * both.
 */
async function fillQueue(t: Test, server: TestServer, pattern: number) {
  const leaving = new AbortController();
  const before = server.renders();
  const sheet = "mode=surface&surface_width=20000&surface_height=20000&rotation=";
  const occupy = (turn: number) =>
    fetch(`${server.url}/api/v1/patterns/${pattern}/render?${sheet}${turn}`, {
      headers: { "X-API-Key": server.key },
      signal: leaving.signal,
    });
  // A response that nothing refers to is cancelled when it is collected.
  const sent = await occupy(1);
  t.equal(sent.status, 200, "the one thread is at work");
  const waiting = occupy(2).catch((error) => error);
  await until(() => server.renders() === before + 2);
  return async () => {
    leaving.abort();
    await t.rejects(sent.arrayBuffer(), { name: "AbortError" });
    t.match(await waiting, { name: "AbortError" });
  };
}

t.test("a full queue serves what another node has stored", async (t) => {
  const store = await objectServer(t);
  const one = await sharingServer(t, store);
  const two = await sharingServer(t, store);
  const size = 1024;
  const at = (server: TestServer, id: number, side: number) =>
    server.request("GET", `/patterns/${id}/render?size=${side}`);
  const rendered = await at(one, await one.makePattern({ group: "p2" }), size);
  await until(async () => (await store.keys()).some((key) => key.startsWith("renders/")));
  const id = await two.makePattern({ group: "p2" });
  const free = await fillQueue(t, two, id);
  const before = two.renders();
  await until(async () => (await at(two, id, size)).status === 200);
  const again = await at(two, id, size);
  t.ok(again.bytes.equals(rendered.bytes));
  t.equal((await at(two, id, size + 1)).status, 503, "a picture that is not stored is refused");
  t.equal(two.renders(), before);
  await free();
});

/** A server with one thread and one place in its queue, which shares its pictures. */
async function sharingServer(t: Test, { store }: ObjectServer): Promise<TestServer> {
  const engine = await createEngine({ backend: "webasm", threads: 1, queueMax: 1 });
  t.teardown(() => engine.close(0));
  const renders = await openRenderCache<Timings>({
    folder: await temporaryFolder(t),
    maximumBytes: 2 ** 28,
    memoryBytes: 2 ** 24,
    onError: (error) => t.error(error),
    shared: {
      store,
      days: 1,
      dailyBytes: 2 ** 28,
      firstMs: 30_000,
      fetchMs: 30_000,
      onResult: () => undefined,
      onError: () => undefined,
    },
  });
  t.teardown(() => renders.close());
  return testServer(t, { engine, services: { renders } });
}

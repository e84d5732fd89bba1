/** More renders than the server can make: which are refused, and which are served. */
import t from "tap";
import { createEngine } from "../../engine/index.ts";
import { until } from "../helpers/jobs.ts";
import { testServer } from "../helpers/server.ts";

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
    const leaving = new AbortController();
    const sheet = "mode=surface&surface_width=20000&surface_height=20000&rotation=";
    const occupy = (turn: number) =>
      fetch(`${server.url}/api/v1/patterns/${id}/render?${sheet}${turn}`, {
        headers: { "X-API-Key": server.key },
        signal: leaving.signal,
      });
    t.equal((await occupy(1)).status, 200, "the one thread is at work");
    const waiting = occupy(2).catch((error) => error);
    await until(() => server.renders() === 3);
    const refused = await at(33);
    t.match(refused.json, { status: 503, code: "overloaded" });
    t.match(refused.headers.get("RateLimit"), /r=\d+/, "and counted");
    t.equal(server.renders(), 3, "the engine was not asked");
    const again = await at(32);
    t.equal(again.status, 200);
    t.ok(again.bytes.equals(kept.bytes));
    const { status } = await server.request("GET", `/patterns/${id}/render`, { as: other });
    t.equal(status, 404, "other requests fail as usual");
    leaving.abort();
    t.match(await waiting, { name: "AbortError" });
  },
);

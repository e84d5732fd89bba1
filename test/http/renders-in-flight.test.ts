import t from "tap";
import { createEngine } from "../../engine/index.ts";
import { InFlight, limitsOf } from "../../server/actions/in-flight.ts";
import { bearer, beginSession, design } from "../helpers/guest-sessions.ts";
import { photograph, pngOf } from "../helpers/pictures.ts";
import { testServer } from "../helpers/server.ts";

t.test("the plan limits an account's renders in flight", async (t) => {
  const rendersInFlight = new InFlight("renders");
  const server = await testServer(t, { services: { rendersInFlight } });
  const id = await server.makePattern({ group: "p1" });
  const render = (fields: object) =>
    server.request("POST", `/patterns/${id}/render`, { json: fields });
  const kept = await render({ size: 32 });
  t.equal(kept.status, 200);
  const link = await server.request("POST", `/patterns/${id}/render-url`, { json: { size: 48 } });
  const other = await server.makeCaller({});

  const leaving = new AbortController();
  const sheet = { mode: "surface", surface_width: 20_000, surface_height: 20_000 };
  const bodyOf = (turn: number) => JSON.stringify({ ...sheet, rotation: turn + 1 });
  const mine = () => rendersInFlight.of(`account ${server.account.id}`);
  const underWay = Array.from({ length: 8 }, (_, turn) =>
    fetch(`${server.url}/api/v1/patterns/${id}/render`, {
      method: "POST",
      headers: { "X-API-Key": server.key, "Content-Type": "application/json" },
      body: bodyOf(turn),
      signal: leaving.signal,
    }).catch((error) => error),
  );
  while (mine() < 8) await server.request("GET", "/groups");

  const { usage } = (await server.request("GET", "/account")).json;
  t.match(usage, { renders_in_flight: 8, body_bytes_in_flight: 8 * bodyOf(0).length });
  const refused = await render({ size: 33 });
  t.match(refused.json, { status: 429, code: "rate_limited" });
  t.match(refused.headers.get("Retry-After"), /^\d+$/);
  t.equal((await render({ size: 32 })).status, 200, "a cached picture does not count");
  t.equal((await fetch(link.json.url)).status, 429, "a signed link's renders are its account's");
  const validated = await server.request("POST", `/patterns/${id}/validate`, { json: {} });
  t.equal(validated.status, 429);
  const tool = { tool: "render_pattern_tile", arguments: { pattern_id: id, size: 40 } };
  const executed = await server.request("POST", "/mcp/execute", { json: tool });
  t.equal(executed.status, 429);
  t.equal(executed.headers.get("Retry-After"), "60", "as on all MCP endpoints");
  const preset = { json: { preset: "stripes", seed: 1 }, as: other };
  t.equal((await server.request("POST", "/sources/presets", preset)).status, 201);

  leaving.abort();
  await Promise.all(underWay);
  while (mine() > 0) await server.request("GET", "/groups");
  t.equal((await render({ size: 33 })).status, 200);
});

t.test("limits a guest's renders to a share of the account's", async (t) => {
  const rendersInFlight = new InFlight("renders");
  const server = await testServer(t, { services: { rendersInFlight } });
  const [{ token }, other] = [await beginSession(server), await beginSession(server)];
  const { pattern } = await design(server, token);
  const { pattern: theirs } = await design(server, other.token);
  const leaving = new AbortController();
  const sheet = { mode: "surface", surface_width: 20_000, surface_height: 20_000 };
  const underWay = Array.from({ length: 2 }, (_, turn) =>
    fetch(`${server.url}/api/v1/patterns/${pattern}/render`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ ...sheet, rotation: turn + 1 }),
      signal: leaving.signal,
    }).catch((error) => error),
  );
  const mine = () => rendersInFlight.of(`account ${server.account.id}`);
  while (mine() < 2) await server.request("GET", "/groups");

  const render = (options: object, id = pattern) =>
    server.request("POST", `/patterns/${id}/render`, { json: { size: 33 }, ...options });
  const refused = await render(bearer(token, { size: 33 }));
  t.match(refused.json, { status: 429, code: "rate_limited", detail: /more than 2 .* handoff/ });
  t.equal((await render(bearer(other.token, { size: 33 }), theirs)).status, 200);
  t.equal((await render({})).status, 200, "the account's own");
  const whole = { owner: `account ${server.account.id}`, limit: 8 };
  const release = rendersInFlight.take([whole], 6);
  const full = await render(bearer(other.token, { size: 34 }), theirs);
  t.match(full.json, { status: 429, detail: /account/ }, "guests are within the account's limit");
  release();

  leaving.abort();
  await Promise.all(underWay);
  while (mine() > 0) await server.request("GET", "/groups");
  t.equal((await render(bearer(token, { size: 34 }))).status, 200);
});

t.test("guests together leave half of an account's renders to the account", async (t) => {
  const rendersInFlight = new InFlight("renders");
  const server = await testServer(t, { services: { rendersInFlight } });
  const { token } = await beginSession(server);
  const { pattern } = await design(server, token);
  const render = (options: object) =>
    server.request("POST", `/patterns/${pattern}/render`, { json: { size: 33 }, ...options });
  const others = [1001, 1002].map((handoffId) =>
    rendersInFlight.take(limitsOf(server.db, "renders_in_flight", server.account, handoffId), 2),
  );
  const refused = await render(bearer(token, { size: 33 }));
  const detail = "more than 4 renders of this account's guest sessions were in flight at once";
  t.match(refused.json, { status: 429, code: "rate_limited", detail });
  const whole = limitsOf(server.db, "renders_in_flight", server.account);
  const own = rendersInFlight.take(whole, 3);
  t.equal((await render({})).status, 200, "the account's own, up to its whole quota");
  own();
  others.pop()?.();
  t.equal((await render(bearer(token, { size: 34 }))).status, 200, "once another guest is done");
});

t.test("a rejected or cancelled render frees its place", async (t) => {
  const engine = await createEngine({ backend: "webasm", threads: 1, queueMax: 1 });
  t.teardown(() => engine.close(0));
  const rendersInFlight = new InFlight("renders");
  const server = await testServer(t, { engine, services: { rendersInFlight } });
  const mine = () => rendersInFlight.of(`account ${server.account.id}`);
  const id = await server.makePattern({ group: "p1" });
  const sheet = "mode=surface&surface_width=20000&surface_height=20000&rotation=";
  const begin = (turn: number) => {
    const leaving = new AbortController();
    const answered = fetch(`${server.url}/api/v1/patterns/${id}/render?${sheet}${turn}`, {
      headers: { "X-API-Key": server.key },
      signal: leaving.signal,
    }).catch((error) => error);
    return { answered, leave: () => leaving.abort() };
  };
  const running = begin(1);
  t.equal((await running.answered).status, 200, "the one thread is at work");
  const waiting = begin(2);
  while (mine() < 2) await server.request("GET", "/groups");
  const isFull = async () =>
    (await server.request("GET", `/patterns/${id}/render?size=33`)).status === 503;
  while (!(await isFull()));
  const picture = Buffer.from(pngOf(photograph(64, 64))).toString("base64");
  for (const [path, json] of [
    [`/patterns/${id}/render`, { size: 34 }],
    [`/patterns/${id}/validate`, {}],
    ["/validate", { data: picture, group: "p1" }],
    ["/sources/presets", { preset: "stripes", seed: 1 }],
    ["/sources/upload", { data: picture }],
  ] as const) {
    for (let turn = 0; turn < 9; turn++) {
      const refused = await server.request("POST", path, { json });
      t.equal(refused.status, 503, path);
    }
    t.equal(mine(), 2, path);
  }
  waiting.leave();
  await waiting.answered;
  while (mine() > 1) await server.request("GET", "/groups");
  running.leave();
  while (mine() > 0) await server.request("GET", "/groups");
  t.equal((await server.request("GET", `/patterns/${id}/render?size=33`)).status, 200);
});

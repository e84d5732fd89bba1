/** What MCP's doors over SSE do not take, and what they answer then. */
import t, { type Test } from "tap";
import { type Caller, type TestServer, testServer } from "../helpers/server.ts";
import { openSse, type SseSession } from "./sse-session.ts";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const MEBIBYTE = 1024 * 1024;

async function opened(t: Test) {
  const server = await testServer(t);
  const session = await openSse(server);
  return { server, session };
}

/** Posts to a session, without a key when no caller is given; gives the reply. */
function poster(server: TestServer, { path }: SseSession) {
  return (json: unknown, as: Caller | null = null) =>
    server.request("POST", path.slice("/api/v1".length), { json, as });
}

t.test("what is no message is refused", async (t) => {
  const { server, session } = await opened(t);
  const post = poster(server, session);
  const none = { ...PING, jsonrpc: "1.0" };
  const lists = [[PING], []];
  for (const json of [none, {}, null, 5, "ping", { ...PING, params: 5 }, ...lists]) {
    const { status, json: problem } = await post(json);
    t.equal(status, 400, JSON.stringify(json));
    t.equal(problem.code, "malformed_request");
  }
  t.match((await post([PING])).json.detail, "one message", "a batch");
  const path = session.path.slice("/api/v1".length);
  const headers = { "Content-Type": "application/json" };
  const garbage = await server.request("POST", path, { body: "{", headers, as: null });
  t.equal(garbage.status, 400);
  t.equal(garbage.json.code, "malformed_json");
  const text = { "Content-Type": "text/plain" };
  const plain = await server.request("POST", path, {
    body: JSON.stringify(PING),
    headers: text,
    as: null,
  });
  t.equal(plain.status, 415);
  t.same((await session.call("ping")).result, {}, "the session goes on");
  t.equal(session.messages.length, 1, "and has heard of none of it");
});

t.test("a message of more than 16 MiB is refused, one of 16 MiB is not", async (t) => {
  const { server, session } = await opened(t);
  const post = poster(server, session);
  const rest = JSON.stringify({ ...PING, params: { pad: "" } }).length;
  const sized = (bytes: number) => ({ ...PING, params: { pad: "A".repeat(bytes - rest) } });
  t.equal((await post(sized(16 * MEBIBYTE + 1))).status, 413);
  t.equal((await post(sized(16 * MEBIBYTE))).status, 202);
  t.same((await session.answer(1)).result, {});
});

t.test("there is no session but by its id, while its stream is open", async (t) => {
  const { server, session } = await opened(t);
  const path = "/mcp/messages";
  const as = null;
  t.equal((await server.request("POST", path, { json: PING, as })).status, 400, "no id");
  const ids = ["00000000-0000-4000-8000-000000000000", "elsewhere", "'; drop table mcp_sessions"];
  for (const id of ids) {
    const asked = `${path}?session_id=${encodeURIComponent(id)}`;
    t.equal((await server.request("POST", asked, { json: PING, as })).status, 404, id);
  }
  session.drop();
  const post = poster(server, session);
  let status = 202;
  while (status === 202) ({ status } = await post(PING));
  t.equal(status, 404, "a closed one");
});

t.test("a newer client's first POST learns that this is not its transport", async (t) => {
  const server = await testServer(t);
  const reply = await server.request("POST", "/mcp/sse", { json: PING });
  t.equal(reply.status, 405);
  t.equal(reply.headers.get("Allow"), "GET, HEAD");
  t.notOk("jsonrpc" in reply.json);
});

t.test("a key beside the session's id must be of the session's account", async (t) => {
  const { server, session } = await opened(t);
  const post = poster(server, session);
  t.equal((await post(PING, server)).status, 202);
  const stranger = await server.makeCaller({});
  t.equal((await post(PING, stranger)).status, 404);
  t.equal((await post(PING, { ...server, key: `${server.key.slice(0, -1)}_` })).status, 401);
});

t.test("a revoked key ends its sessions' calls", async (t) => {
  const { server, session } = await opened(t);
  const [key] = await server.db.apiKeys.list(server.account.id);
  await server.db.apiKeys.revoke(server.account.id, key.id);
  const reply = await poster(server, session)(PING);
  t.equal(reply.status, 401);
  t.equal(reply.json.code, "unauthorized");
  t.equal((await server.request("GET", "/mcp/sse")).status, 401);
});

t.test(
  "an account that may not call is told so on every door, also within a session",
  async (t) => {
    const { server, session } = await opened(t);
    const post = poster(server, session);
    const { accounts } = server.db;
    const doors = () => [
      post(PING),
      server.request("GET", "/mcp/sse"),
      server.request("GET", "/mcp/info"),
      server.request("POST", "/mcp/execute", { json: { tool: "list_groups" } }),
      server.request("POST", "/mcp", { json: PING }),
    ];
    await accounts.update(server.account.id, { frozen: true });
    for (const { status, json } of await Promise.all(doors())) {
      t.equal(status, 402);
      t.equal(json.code, "account_frozen");
    }
    await accounts.update(server.account.id, { frozen: false, plan: "starter" });
    for (const { status, json } of await Promise.all(doors())) {
      t.equal(status, 403);
      t.equal(json.code, "plan_required");
    }
  },
);

t.test("without credits making fails in words, and reading goes on", async (t) => {
  const server = await testServer(t);
  const pattern_id = await server.makePattern();
  await server.db.accounts.update(server.account.id, { credits: 0 });
  const session = await openSse(server);
  const call = async (name: string, given: object) =>
    (await session.call("tools/call", { name, arguments: given })).result;
  const preset = await call("generate_preset", { preset: "floral", seed: 1 });
  t.equal(preset.isError, true);
  t.match(preset.content[0].text, /^credits_exhausted: 1 credit needed/);
  t.ok(preset.content[0].text.length < 1000);
  t.equal((await call("get_pattern", { pattern_id })).structuredContent.id, pattern_id);
  const tile = await call("render_pattern_tile", { pattern_id, size: 64 });
  t.equal(tile.content[0].type, "image");
});

t.test("a fault of ours is told without its words, and logged", async (t) => {
  const server = await testServer(t);
  const pattern_id = await server.makePattern();
  server.breakRenders("secret: the moon is full");
  const session = await openSse(server);
  const given = { name: "render_pattern_tile", arguments: { pattern_id } };
  const { result } = await session.call("tools/call", given);
  t.equal(result.isError, true);
  t.match(result.content[0].text, /^internal: /);
  t.notMatch(JSON.stringify(session.messages), "moon");
  const uri = `orbifold://patterns/${pattern_id}`;
  const { error } = await session.call("resources/read", { uri });
  t.equal(error.code, -32603);
  t.notMatch(error.message, "moon");
  t.equal(server.log.filter((entry) => /moon/.test(String(entry.error))).length, 2);
});

t.test("the 121st request of a minute is refused for a minute", async (t) => {
  const { server, session } = await opened(t);
  const post = poster(server, session);
  const replies = await Promise.all(Array.from({ length: 119 }, () => post(PING)));
  t.ok(replies.every(({ status }) => status === 202));
  for (const reply of [
    await post(PING),
    await server.request("GET", "/mcp/sse"),
    await server.request("GET", "/mcp/info"),
    await server.request("POST", "/mcp", { json: PING }),
    await server.request("POST", "/mcp/execute", { json: { tool: "list_groups" } }),
  ]) {
    t.equal(reply.status, 429);
    t.equal(reply.headers.get("Retry-After"), "60");
  }
});

t.test("a key holds 20 sessions at once, however they are asked for", async (t) => {
  const server = await testServer(t);
  const tries = await Promise.allSettled(Array.from({ length: 40 }, () => openSse(server)));
  const held = tries.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  t.equal(held.length, 20);
  const refused = await server.request("GET", "/mcp/sse");
  t.equal(refused.status, 429);
  t.equal(refused.headers.get("Retry-After"), "60");
  t.match(refused.json.detail, "20 open sessions");
  await openSse(await server.makeCaller({}).then((other) => ({ ...other, url: server.url })));

  held[0]?.drop();
  let status = 429;
  while (status === 429) {
    const { url, key } = server;
    const again = await fetch(`${url}/api/v1/mcp/sse`, { headers: { "X-API-Key": key } });
    status = again.status;
    await again.body?.cancel();
  }
  t.equal(status, 200, "one that ends makes room");
});

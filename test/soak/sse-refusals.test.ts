/** Refusals of MCP over SSE. */
import t, { type Test } from "tap";
import { AccountFrozen, PlanRequired } from "../../server/actions/accounts.ts";
import {
  Conflict,
  CreditsExhausted,
  InvalidInput,
  KeyRevoked,
  NotFound,
  Overloaded,
  PayloadTooLarge,
  SessionBusy,
  SourceUnreachable,
  SourceUnreadable,
} from "../../server/actions/errors.ts";
import { RenderTimeout } from "../../server/actions/renders.ts";
import { problemOf } from "../../server/http/problem.ts";
import { describeFailure } from "../../server/mcp/failures.ts";
import { refusalCode } from "../../server/mcp/rpc-error.ts";
import { type Caller, type Reply, type TestServer, testServer } from "../helpers/server.ts";
import { openSse, type SseSession, until } from "../mcp/sse-session.ts";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const MEBIBYTE = 1024 * 1024;

async function opened(t: Test) {
  const server = await testServer(t);
  const session = await openSse(server);
  return { server, session };
}

/** Posts to a session, without a key if no caller is given; returns the reply. */
function poster(server: TestServer, { path }: SseSession) {
  return (json: unknown, as: Caller | null = null) =>
    server.request("POST", path.slice("/api/v1".length), { json, as });
}

t.test("rejects malformed messages", async (t) => {
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
  // Refusals with a known id also appear on the stream.
  const told = session.messages.filter(({ error }) => error);
  t.match(told, [
    {
      id: 1,
      error: { code: -32600, message: /^malformed_request: expected a JSON-RPC 2.0 message/ },
    },
    { id: 1, error: { code: -32600 } },
  ]);
  t.equal(session.messages.length, told.length + 1);
});

t.test("rejects messages of more than 16 MiB", async (t) => {
  const { server, session } = await opened(t);
  const post = poster(server, session);
  const rest = JSON.stringify({ ...PING, params: { arguments: { data: "" } } }).length;
  const sized = (bytes: number) => ({
    ...PING,
    params: { arguments: { data: "A".repeat(bytes - rest) } },
  });
  t.equal((await post(sized(16 * MEBIBYTE + 1))).status, 413);
  t.equal((await post(sized(16 * MEBIBYTE))).status, 202);
  t.same((await session.answer(1)).result, {});
});

t.test("a session exists only by its id, while its stream is open", async (t) => {
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

t.test("a newer client's first POST gets the error for another transport", async (t) => {
  const server = await testServer(t);
  const reply = await server.request("POST", "/mcp/sse", { json: PING });
  t.equal(reply.status, 405);
  t.equal(reply.headers.get("Allow"), "GET, HEAD");
  t.notOk("jsonrpc" in reply.json);
});

t.test("a key sent with a session id must belong to the session's account", async (t) => {
  const { server, session } = await opened(t);
  const post = poster(server, session);
  t.equal((await post(PING, server)).status, 202);
  const stranger = await server.makeCaller({});
  t.equal((await post(PING, stranger)).status, 404);
  t.equal((await post(PING, { ...server, key: `${server.key.slice(0, -1)}_` })).status, 401);
});

t.test("revoking a key ends its sessions only", async (t) => {
  const { server, session } = await opened(t);
  const { url } = server;
  const stranger = await openSse({ ...(await server.makeCaller({})), url });
  const [key] = await server.db.apiKeys.list(server.account.id);
  await server.db.apiKeys.revoke(server.account.id, key.id);
  await session.ended;
  t.ok(session.response.complete, "the stream ends in order");
  t.equal((await poster(server, session)(PING)).status, 404);
  t.same((await stranger.call("ping")).result, {});
  t.equal((await server.request("GET", "/mcp/sse")).status, 401);
});

t.test(
  "rejects calls of disabled accounts on every transport, also within a session",
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
    const codeOf = ({ json }: Reply) => json.code ?? json.error.data.code;
    await accounts.update(server.account.id, { frozen: true });
    for (const reply of await Promise.all(doors())) {
      t.equal(reply.status, 402);
      t.equal(codeOf(reply), "account_frozen");
    }
    await accounts.update(server.account.id, { frozen: false, plan: "starter" });
    for (const reply of await Promise.all(doors())) {
      t.equal(reply.status, 403);
      t.equal(codeOf(reply), "plan_required");
    }
    await until(() => session.messages.length === 2);
    t.match(session.messages, [
      { id: 1, error: { code: -31402, data: { code: "account_frozen", status: 402 } } },
      { id: 1, error: { code: -31403, data: { code: "plan_required", status: 403 } } },
    ]);
  },
);

t.test("without credits creations fail with a message, and reading works", async (t) => {
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

t.test("internal errors hide their message, which is logged", async (t) => {
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
  t.equal(server.log.filter((entry) => /moon/.test(entry.error?.message)).length, 2);
});

t.test("rejects the 121st request of a minute", async (t) => {
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

t.test("deleting an account ends its sessions", async (t) => {
  const { server, session } = await opened(t);
  await server.db.accounts.delete(server.account.id);
  await session.ended;
  t.ok(session.response.complete, "the stream ends in order");
});

t.test("sends rate limit errors on the stream with the call's id", async (t) => {
  const { server, session } = await opened(t);
  const post = poster(server, session);
  await Promise.all(Array.from({ length: 119 }, () => post(PING)));
  const large = { ...PING, id: "large", params: { arguments: { data: "A".repeat(64_000) } } };
  for (const message of [{ ...PING, id: "small" }, large]) {
    const reply = await post(message);
    t.equal(reply.status, 429);
    t.equal(reply.headers.get("Retry-After"), "60");
    const { error } = await session.answer(message.id);
    t.match(error, {
      code: -31429,
      message: /^rate_limited: more than 120 requests came within 60 seconds/,
      data: { code: "rate_limited", status: 429, retry_after: 60 },
    });
  }
  const stranger = await server.makeCaller({});
  const before = session.messages.length;
  const larger = { ...large, id: "larger", params: { arguments: { data: "A".repeat(MEBIBYTE) } } };
  t.equal((await post(larger)).status, 429, "of what is refused not everything is read");
  t.equal((await post({ ...PING, id: "foreign" }, stranger)).status, 404);
  await post({ ...PING, id: "last" });
  await session.answer("last");
  t.equal(session.messages.length, before + 1, "nothing comes of either on the stream");
});

t.test("errors have the same code and status as over REST", (t) => {
  const failures = [
    new KeyRevoked(),
    new AccountFrozen(1),
    new PlanRequired("starter"),
    new CreditsExhausted(1),
    new NotFound("pattern 1"),
    new Conflict("a pattern uses source 1"),
    new PayloadTooLarge("the body", 1),
    new SourceUnreadable("it is none"),
    new SourceUnreachable("it is not there", {}),
    new InvalidInput([]),
    new SessionBusy(1),
    new Overloaded(1),
    new RenderTimeout(1),
  ];
  for (const failure of failures) {
    const { status, code } = problemOf(failure, { requestId: "an id" }).body;
    t.match(describeFailure(failure), { status, code }, failure.name);
    t.ok(refusalCode(status) > -32000, "outside of what JSON-RPC reserves");
  }
  t.end();
});

t.test("a key has at most 20 concurrent sessions", async (t) => {
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

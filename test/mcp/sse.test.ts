/** MCP over SSE, byte by byte: the stream, the responses, and what ends with it. */
import { mock } from "node:test";
import t, { type Test } from "tap";
import { createEventStream } from "../../server/mcp/transports/event-stream.ts";
import { testServer } from "../helpers/server.ts";
import { blockRenders } from "./blocked-renders.ts";
import { openSse, until } from "./sse-session.ts";

const render = (id: string | number, pattern_id: number) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "render_pattern_tile", arguments: { pattern_id, size: 64 } },
});

/** A server with a pattern, whose renders wait for a release. */
async function held(t: Test) {
  const renders = await blockRenders();
  const server = await testServer(t, { engine: renders.engine });
  const pattern_id = await server.makePattern();
  return { renders, server, pattern_id };
}

t.test("the first event is a relative path with a UUID", async (t) => {
  const session = await openSse(await testServer(t));
  t.match(
    session.path,
    /^\/api\/v1\/mcp\/messages\?session_id=[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
  );
  t.match(session.response.headers, {
    "content-type": "text/event-stream",
    "cache-control": /no-transform/,
    "x-accel-buffering": "no",
    "content-encoding": undefined,
  });
});

t.test("a POST is accepted at once, and the response comes on the stream", async (t) => {
  const server = await testServer(t);
  const session = await openSse(server);
  const other = await openSse(server);
  const json = { jsonrpc: "2.0", id: 7, method: "tools/list" };
  const reply = await server.request("POST", session.path.slice(7), { json, as: null });
  t.equal(reply.status, 202);
  t.equal(reply.bytes.length, 0);
  t.equal((await session.answer(7)).result.tools.length, 20, "even before initialize");

  await other.call("ping");
  t.equal(session.messages.length, 1);
  t.equal(other.messages.length, 1, "sessions of one key do not hear each other's answers");
});

t.test("unsupported messages get protocol errors", async (t) => {
  const session = await openSse(await testServer(t));
  const code = async (method: string, params?: object) =>
    (await session.call(method, params)).error?.code;
  t.equal(await code("tools/sing"), -32601);
  t.equal(await code("tools/call", { name: "sing" }), -32602, "a tool that there is not");
  t.equal(await code("tools/call", { name: 5 }), -32602);
  t.equal(await code("prompts/get", { name: 5 }), -32602);
  t.equal(await code("prompts/get", { name: "sing" }), -32602);
  t.equal(await code("resources/read", {}), -32602);
  t.equal(await code("resources/list", { cursor: 5 }), -32602);
  t.equal(await code("resources/read", { uri: "orbifold://patterns/99" }), -32002);
  const { error } = await session.call("resources/read", {});
  t.equal(error.message, "validation_failed: uri is missing: expected a string, got nothing");
  const long = await session.call("tools/call", { name: "x".repeat(100_000) });
  t.ok(JSON.stringify(long).length < 1000, "an error does not send back what came");

  const { result } = await session.call("tools/call", {
    name: "render_pattern_tile",
    arguments: { pattern_id: "twelve" },
  });
  t.equal(result.isError, true);
  t.match(result.content[0].text, /^validation_failed: pattern_id /);
  t.same((await session.call("ping")).result, {}, "and the session goes on");
});

t.test("accepts a message of 5 MB", async (t) => {
  const session = await openSse(await testServer(t));
  const { result } = await session.call("tools/call", {
    name: "upload_source_from_base64",
    arguments: { data: "A".repeat(5_000_000) },
  });
  t.match(result.content[0].text, /^source_unreadable/);
});

t.test("comments keep an idle stream open", (t) => {
  mock.timers.enable({ apis: ["setInterval"] });
  t.teardown(() => mock.timers.reset());
  const stream = createEventStream(() => undefined);
  mock.timers.tick(15_000);
  t.equal(String(stream.bytes.read()), ": still here\n\n");
  stream.close();
  mock.timers.tick(60_000);
  t.equal(stream.bytes.read(), null);
  t.end();
});

t.test("closing the stream cancels its calls", async (t) => {
  const { renders, server, pattern_id } = await held(t);
  const session = await openSse(server);
  const other = await openSse(server);
  await session.post(render(1, pattern_id));
  await until(() => renders.begun() === 1);
  session.drop();
  await until(async () => (await session.post({ jsonrpc: "2.0", method: "ping", id: 2 })) === 404);
  renders.release();
  await until(() => renders.outcomes.length === 1);
  t.same(renders.outcomes, ["AbortError"]);
  await other.post(render(3, pattern_id));
  t.equal((await other.answer(3)).result.content[0].type, "image", "others go on");
});

t.test("a cancelled call gets no response", async (t) => {
  const { renders, server, pattern_id } = await held(t);
  const session = await openSse(server);
  await session.post(render("slow", pattern_id));
  await until(() => renders.begun() === 1);
  const params = { requestId: "slow", reason: "I have seen enough" };
  await session.post({ jsonrpc: "2.0", method: "notifications/cancelled", params });
  await session.call("ping");
  renders.release();
  await until(() => renders.outcomes.length === 1);
  t.same(renders.outcomes, ["AbortError"]);
  await session.call("ping");
  t.notOk(session.messages.some(({ id }) => id === "slow"));
  t.notOk(
    server.log.some(({ error }) => error),
    "nor is it a fault",
  );
});

t.test(
  "a call with id 0 cannot be cancelled: the protocol's library treats 0 as missing",
  async (t) => {
    const { renders, server, pattern_id } = await held(t);
    const session = await openSse(server);
    await session.post(render(0, pattern_id));
    await until(() => renders.begun() === 1);
    const params = { requestId: 0 };
    await session.post({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    await session.call("ping");
    renders.release();
    t.equal((await session.answer(0)).result.content[0].type, "image");
  },
);

t.test("sends requested progress until the response", async (t) => {
  const { renders, server, pattern_id } = await held(t);
  const session = await openSse(server);
  const { params, ...message } = render(1, pattern_id);
  await session.post({ ...message, params: { ...params, _meta: { progressToken: "a" } } });
  await until(() => session.messages.length > 0);
  const heard = session.messages.find(({ method }) => method === "notifications/progress");
  t.match(heard.params, { progressToken: "a", progress: 0 });
  renders.release();
  t.ok((await session.answer(1)).result);
});

t.test("HEAD and clients that disconnect early leave no session", async (t) => {
  const server = await testServer(t);
  for (let at = 0; at < 25; at++) {
    const { status } = await fetch(`${server.url}/api/v1/mcp/sse`, {
      method: "HEAD",
      headers: { "X-API-Key": server.key },
    });
    t.equal(status, 200, "the key has no session left over");
  }
  await openSse(server);
});

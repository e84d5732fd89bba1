/** MCP over Streamable HTTP, byte by byte: sessions, their ends, and what is refused. */
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { mock } from "node:test";
import t, { type Test } from "tap";
import { createStreamableSessions } from "../../server/mcp/transports/streamable.ts";
import { type Caller, type TestServer, testServer } from "../helpers/server.ts";
import { processEngine, testServices } from "../helpers/services.ts";
import { holdRenders } from "./held-renders.ts";
import { type Message, until } from "./sse-session.ts";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "a test", version: "1" },
  },
};
const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const ACCEPT = "application/json, text/event-stream";

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The messages in the body, whether it is JSON or events. */
  readonly messages: readonly Message[];
}

/** Makes a request to the endpoint; `body` is sent as JSON. */
async function send(
  { url, key }: Pick<TestServer, "url"> & Pick<Caller, "key">,
  { method = "POST", body, session, headers = {} }: Sent,
): Promise<Reply> {
  const response = await fetch(`${url}/api/v1/mcp`, {
    method,
    headers: {
      "X-API-Key": key,
      Accept: ACCEPT,
      ...(session !== undefined && { "Mcp-Session-Id": session }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  const isStream = response.headers.get("Content-Type") === "text/event-stream";
  const parts = isStream ? [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => data) : [text];
  const messages = parts.flatMap((part) => (part ? [JSON.parse(part)] : []));
  return { status: response.status, headers: response.headers, text, messages };
}

interface Sent {
  readonly method?: string;
  readonly body?: unknown;
  readonly session?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server with a session; gives what makes requests of it. */
async function opened(t: Test, server?: TestServer) {
  const at = server ?? (await testServer(t));
  const begun = await send(at, { body: INITIALIZE });
  const session = begun.headers.get("Mcp-Session-Id") ?? "";
  return { server: at, begun, session, post: (body: unknown) => send(at, { body, session }) };
}

t.test(
  "initialize opens a session, and its requests are answered where they are made",
  async (t) => {
    const { begun, session, post } = await opened(t);
    t.equal(begun.status, 200);
    t.match(session, /^[\da-f-]{36}$/);
    const [answer] = begun.messages;
    t.match(answer.result, { protocolVersion: "2025-06-18", serverInfo: { name: "orbifold" } });
    t.match(begun.headers.get("Cache-Control"), "no-transform");
    t.equal(begun.headers.get("X-Accel-Buffering"), "no");

    const noted = await post({ jsonrpc: "2.0", method: "notifications/initialized" });
    t.equal(noted.status, 202);
    t.equal(noted.text, "", "with nothing in it");
    const listed = await post({ jsonrpc: "2.0", id: 2, method: "tools/list" });
    t.equal(listed.messages[0].result.tools.length, 18);
    const wrong = await post({ jsonrpc: "2.0", id: 3, method: "prompts/get", params: {} });
    t.equal(wrong.messages[0].error.code, -32602);
    t.equal((await post({ ...PING, method: "sing" })).messages[0].error.code, -32601);
  },
);

t.test(
  "no session, an unknown one and another account's are told apart from one's own",
  async (t) => {
    const { server, session } = await opened(t);
    const stranger = { url: server.url, key: (await server.makeCaller({})).key };
    for (const [method, body] of [["POST", PING], ["GET"], ["DELETE"]] as const) {
      const sent = { method, ...(body && { body }) };
      t.equal((await send(server, sent)).status, 400, `${method} without a session`);
      const unknown = { ...sent, session: "00000000-0000-4000-8000-000000000000" };
      t.equal((await send(server, unknown)).status, 404, `${method} to an unknown one`);
      t.equal((await send(stranger, { ...sent, session })).status, 404, `${method} to another's`);
    }
    t.same((await send(server, { body: PING, session })).messages[0].result, {}, "it goes on");
  },
);

t.test("what is no single message, or no proper request, is refused", async (t) => {
  const { server, session, post } = await opened(t);
  for (const body of [[PING, PING], [], {}, null, { ...PING, jsonrpc: "1.0" }]) {
    t.equal((await post(body)).status, 400, JSON.stringify(body));
  }
  const asked = { body: PING, session };
  const accept = { Accept: "application/json" };
  t.equal((await send(server, { ...asked, headers: accept })).status, 406);
  const version = { "Mcp-Protocol-Version": "1999-01-01" };
  t.equal((await send(server, { ...asked, headers: version })).status, 400);
  const text = { "Content-Type": "text/plain" };
  t.equal((await send(server, { ...asked, headers: text })).status, 415);
  const large = { ...PING, params: { pad: "A".repeat(16 * 1024 * 1024) } };
  t.equal((await post(large)).status, 413);
  t.same((await post(PING)).messages[0].result, {}, "the session goes on");
});

t.test(
  "another host's name and another origin's page are refused before the body is read",
  async (t) => {
    const { server, session } = await opened(t);
    const ask = async (headers: Record<string, string>) => {
      const request = httpRequest(`${server.url}/api/v1/mcp`, {
        method: "POST",
        headers: {
          "X-API-Key": server.key,
          "Content-Type": "application/json",
          "Content-Length": "1000",
          ...headers,
        },
      });
      request.on("error", () => undefined);
      request.flushHeaders();
      // Not a byte of the body is sent.
      const [response] = (await once(request, "response")) as [IncomingMessage];
      const problem = JSON.parse(Buffer.concat(await response.toArray()).toString());
      request.destroy();
      return { status: response.statusCode, code: problem.code };
    };
    const refused = { status: 403, code: "origin_refused" };
    t.match(await ask({ Host: "evil.example" }), refused);
    t.match(await ask({ Host: "evil.example:80", Origin: server.url }), refused);
    t.match(await ask({ Origin: "https://evil.example" }), refused);
    t.match(await ask({ Origin: "null" }), refused);
    t.match(await ask({ Origin: "http://127.0.0.1.evil.example" }), refused);
    const own = await send(server, { body: PING, session, headers: { Origin: server.url } });
    t.equal(own.status, 200);
  },
);

t.test("a session is listened to by one stream at a time, until it is deleted", async (t) => {
  const { server, session } = await opened(t);
  const headers = {
    "X-API-Key": server.key,
    Accept: "text/event-stream",
    "Mcp-Session-Id": session,
  };
  const url = `${server.url}/api/v1/mcp`;
  for (let at = 0; at < 2; at++) {
    t.equal((await fetch(url, { method: "HEAD", headers })).status, 200);
  }
  const listening = await fetch(url, { headers });
  t.equal(listening.status, 200, "a HEAD holds nothing");
  t.equal((await send(server, { method: "GET", session })).status, 409);
  await listening.body?.cancel();
  const again = async () => {
    const next = await fetch(url, { headers });
    if (next.status !== 200) await next.body?.cancel();
    return next.status === 200 ? next : null;
  };
  let next = await again();
  while (!next) next = await again();
  const deleted = await send(server, { method: "DELETE", session });
  t.equal(deleted.status, 200);
  t.equal(deleted.text, "");
  await next.text();
  t.pass("the stream ends with the session");
  t.equal((await send(server, { body: PING, session })).status, 404);
});

t.test("deleting a session cancels its renders", async (t) => {
  const renders = await holdRenders();
  const { server, session, post } = await opened(
    t,
    await testServer(t, { engine: renders.engine }),
  );
  const pattern_id = await server.makePattern();
  const params = { name: "render_pattern_tile", arguments: { pattern_id, size: 64 } };
  const answer = post({ jsonrpc: "2.0", id: 5, method: "tools/call", params });
  await until(() => renders.begun() === 1);
  await send(server, { method: "DELETE", session });
  t.same((await answer).messages, []);
  renders.release();
  await until(() => renders.outcomes.length === 1);
  t.same(renders.outcomes, ["AbortError"]);
});

t.test("a key holds 20 sessions that are in use", async (t) => {
  const server = await testServer(t);
  const tries = await Promise.all(
    Array.from({ length: 40 }, () => send(server, { body: INITIALIZE })),
  );
  t.equal(tries.filter(({ status }) => status === 200).length, 20);
  const refused = tries.find(({ status }) => status !== 200);
  t.equal(refused?.status, 429);
  t.equal(refused?.headers.get("Retry-After"), "60");
});

t.test("sessions that nobody uses make room, and end after half an hour", async (t) => {
  mock.timers.enable({ apis: ["setInterval", "Date"], now: Date.now() });
  t.teardown(() => mock.timers.reset());
  const services = {
    ...(await testServices(t, await processEngine())),
    publicUrl: "http://a",
    editorUrl: "http://a",
  };
  const sessions = createStreamableSessions(services, () => undefined);
  t.teardown(() => sessions.close());
  const account = { id: 1 } as never;
  const open = async () => {
    const reply = await ask(INITIALIZE);
    return reply.headers.get("Mcp-Session-Id") ?? "";
  };
  const ask = async (body: unknown, session?: string) => {
    const headers = {
      Accept: ACCEPT,
      "Content-Type": "application/json",
      ...(session && { "Mcp-Session-Id": session }),
    };
    const request = new Request("http://a/api/v1/mcp", { method: "POST", headers });
    const reply = await sessions.handle(request, body, { keyId: 1, account });
    await reply.text();
    return reply;
  };
  const ids: string[] = [];
  for (let at = 0; at < 20; at++) {
    ids.push(await open());
    mock.timers.tick(1);
  }
  await t.rejects(open(), { name: "TooManySessions" });
  mock.timers.tick(59_990);
  await ask(PING, ids[0]);
  mock.timers.tick(20);
  const next = await open();
  await t.rejects(ask(PING, ids[1]), { name: "NoSuchSession" }, "the stalest has made room");
  t.equal((await ask(PING, ids[0])).status, 200);
  mock.timers.tick(29 * 60_000);
  t.equal((await ask(PING, next)).status, 200);
  mock.timers.tick(2 * 60_000);
  await t.rejects(ask(PING, ids[0]), { name: "NoSuchSession" });
  t.equal((await ask(PING, next)).status, 200, "one that was used goes on");
});

/** MCP over Streamable HTTP, byte by byte: responses without sessions, cancellation and refusals. */
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import t from "tap";
import { testServer } from "../helpers/server.ts";
import { held, PING, render, send } from "./streamable-client.ts";

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
t.test("responds to every request without a session", async (t) => {
  const server = await testServer(t);
  const post = (body: unknown) => send(server, { body });
  const begun = await post(INITIALIZE);
  t.equal(begun.status, 200);
  t.equal(begun.headers.get("Mcp-Session-Id"), null);
  const [answer] = begun.messages;
  t.match(answer.result, {
    protocolVersion: "2025-06-18",
    serverInfo: { name: "orbifold" },
    capabilities: { tools: {} },
    instructions: /create_pattern/,
  });
  t.match(begun.headers.get("Cache-Control"), "no-transform");
  t.equal(begun.headers.get("X-Accel-Buffering"), "no");
  const unknown = { ...INITIALIZE.params, protocolVersion: "1999-01-01" };
  const newest = await post({ ...INITIALIZE, params: unknown });
  t.equal(newest.messages[0].result.protocolVersion, "2025-11-25");

  const noted = await post({ jsonrpc: "2.0", method: "notifications/initialized" });
  t.equal(noted.status, 202);
  t.equal(noted.text, "", "with nothing in it");
  const listed = await post({ jsonrpc: "2.0", id: 2, method: "tools/list" });
  t.equal(listed.messages[0].result.tools.length, 20);
  t.equal((await post({ ...PING, method: "sing" })).messages[0].error.code, -32601);
  t.equal((await post({ ...PING, method: "constructor" })).messages[0].error.code, -32601);
  const of = { "Mcp-Session-Id": "00000000-0000-4000-8000-000000000000" };
  const old = await send(server, { body: PING, headers: of });
  t.same(old.messages[0].result, {}, "a session of an earlier version means nothing");
  for (let at = 0; at < 50; at++) t.equal((await post(INITIALIZE)).status, 200);
});

t.test("GET and DELETE are not supported", async (t) => {
  const server = await testServer(t);
  for (const method of ["GET", "DELETE", "PUT"]) {
    const { status, headers, messages } = await send(server, { method });
    t.equal(status, 405);
    t.equal(headers.get("Allow"), "POST");
    t.match(messages, [{ jsonrpc: "2.0", id: null, error: { code: -31405 } }]);
  }
});

t.test("rejects batches and malformed requests", async (t) => {
  const server = await testServer(t);
  const post = (body: unknown) => send(server, { body });
  for (const body of [[PING, PING], [], {}, null, 5]) {
    const { status, messages } = await post(body);
    t.equal(status, 400, JSON.stringify(body));
    t.match(messages, [{ id: null, error: { code: -32600 } }]);
  }
  for (const body of [
    { ...PING, jsonrpc: "1.0" },
    { ...PING, params: [] },
    { ...PING, params: { _meta: { progressToken: {} } } },
  ]) {
    t.match((await post(body)).messages, [{ id: 1, error: { code: -32600 } }], "its id is known");
  }
  const url = `${server.url}/api/v1/mcp`;
  const headers = { "X-API-Key": server.key, "Content-Type": "application/json" };
  const garbage = await fetch(url, { method: "POST", headers, body: "{" });
  t.equal(garbage.status, 400);
  t.match(await garbage.json(), { id: null, error: { code: -32700 } });

  const asked = { body: PING };
  const accept = { Accept: "application/json" };
  t.equal((await send(server, { ...asked, headers: accept })).status, 406);
  const version = { "Mcp-Protocol-Version": "1999-01-01" };
  t.equal((await send(server, { ...asked, headers: version })).status, 400);
  const text = await send(server, { ...asked, headers: { "Content-Type": "text/plain" } });
  t.equal(text.status, 415);
  t.match(text.messages, [{ error: { code: -31415, data: { code: "unsupported_media_type" } } }]);
  const large = await post({ ...PING, params: { pad: "A".repeat(16 * 1024 * 1024) } });
  t.equal(large.status, 413);
  t.match(large.messages, [{ id: null, error: { code: -31413 } }]);
  t.same((await post(PING)).messages[0].result, {}, "and others go on");
});

t.test("a rejected call gets an error with its id", async (t) => {
  const server = await testServer(t);
  const body = { ...PING, id: "a call" };
  const nobody = await send({ ...server, key: "" }, { body });
  t.equal(nobody.status, 401);
  t.match(nobody.headers.get("WWW-Authenticate"), "Bearer");
  t.match(nobody.messages, [{ id: null, error: { code: -31401 } }], "of strangers nothing is read");
  await server.db.accounts.update(server.account.id, { frozen: true });
  const frozen = await send(server, { body });
  t.equal(frozen.status, 402);
  t.equal(frozen.headers.get("Content-Type"), "application/json; charset=utf-8");
  const error = {
    code: -31402,
    message: /^account_frozen: the account is frozen\. Only the operator/,
    data: { code: "account_frozen", status: 402 },
  };
  t.match(frozen.messages, [{ jsonrpc: "2.0", id: "a call", error }]);
  await server.db.accounts.update(server.account.id, { frozen: false });
  const replies = await Promise.all(Array.from({ length: 121 }, () => send(server, { body })));
  const refused = replies.filter(({ status }) => status === 429);
  t.ok(refused.length > 0);
  for (const { headers, messages } of refused) {
    t.equal(headers.get("Retry-After"), "60");
    const data = { code: "rate_limited", status: 429, retry_after: 60 };
    t.match(messages, [{ id: "a call", error: { code: -31429, data } }]);
  }
});

t.test("rejects other hosts and origins before reading the body", async (t) => {
  const server = await testServer(t);
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
    // The body is never sent.
    const [response] = await once(request, "response");
    const { error } = JSON.parse(Buffer.concat(await response.toArray()).toString());
    request.destroy();
    return { status: response.statusCode, error };
  };
  const refused = { status: 403, error: { code: -31403, data: { code: "origin_refused" } } };
  t.match(await ask({ Host: "evil.example" }), refused);
  t.match(await ask({ Host: "evil.example:80", Origin: server.url }), refused);
  t.match(await ask({ Origin: "https://evil.example" }), refused);
  t.match(await ask({ Origin: "null" }), refused);
  t.match(await ask({ Origin: "http://127.0.0.1.evil.example" }), refused);
  const own = await send(server, { body: PING, headers: { Origin: server.url } });
  t.equal(own.status, 200);
});

t.test("sends progress before the response", async (t) => {
  const { renders, server, pattern_id } = await held(t);
  const { params, ...message } = render(1, pattern_id);
  const asked = { ...message, params: { ...params, _meta: { progressToken: "a" } } };
  renders.release();
  const { messages } = await send(server, { body: asked });
  t.match(messages[0], { method: "notifications/progress", params: { progressToken: "a" } });
  t.equal(messages.at(-1).result.content[0].type, "image");
});

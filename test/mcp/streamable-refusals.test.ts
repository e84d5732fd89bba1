/** The cost and the response of refused calls over Streamable HTTP. */
import { connect } from "node:net";
import t from "tap";
import { InFlight } from "../../server/actions/in-flight.ts";
import { createIntake } from "../../server/intake/index.ts";
import { testServer } from "../helpers/server.ts";

t.test("reads at most 64 KiB of a rejected call", async (t) => {
  const server = await testServer(t);
  await server.db.accounts.update(server.account.id, { frozen: true });
  const head = [
    "POST /api/v1/mcp HTTP/1.1",
    `Host: 127.0.0.1:${server.listening.port}`,
    `X-API-Key: ${server.key}`,
    "Content-Type: application/json",
  ].join("\r\n");
  const chunk = `10001\r\n${" ".repeat(0x10001)}\r\n`;
  // The rest is never sent.
  for (const unfinished of [
    `Content-Length: ${16 * 1024 * 1024}\r\n\r\n{"id":1`,
    `Transfer-Encoding: chunked\r\n\r\n${chunk}`,
  ]) {
    const socket = connect(server.listening.port, "127.0.0.1");
    t.teardown(() => socket.destroy());
    socket.write(`${head}\r\n${unfinished}`);
    let text = "";
    for await (const part of socket) {
      text += part;
      if (text.includes('"jsonrpc"')) break;
    }
    t.match(text, /^HTTP\/1\.1 402 .*"id":null/s);
  }
});

t.test("Retry-After and the error's data agree", async (t) => {
  const intake = createIntake();
  t.teardown(() => intake.close());
  const inFlight = new InFlight("bytes of request bodies");
  const server = await testServer(t, {
    services: { bodies: { intake, inFlight, idleMs: 60_000 } },
  });
  const limit = server.db.quotas.trial.body_bytes_in_flight;
  const release = inFlight.take([{ owner: `account ${server.account.id}`, limit }], limit);
  const json = { jsonrpc: "2.0", id: 1, method: "ping" };
  const refused = await server.request("POST", "/mcp", { json });
  release();
  t.equal(refused.status, 429);
  t.equal(refused.headers.get("Retry-After"), "60");
  t.match(refused.json, { error: { data: { code: "rate_limited", retry_after: 60 } } });
});

/** Which calls over Streamable HTTP end without a response, and how. */
import { getEventListeners } from "node:events";
import t from "tap";
import { createAccount } from "../../server/actions/accounts.ts";
import { createStreamableCalls } from "../../server/mcp/transports/streamable.ts";
import { processEngine } from "../helpers/engine.ts";
import { testLog } from "../helpers/log.ts";
import { testServices } from "../helpers/services.ts";
import { until } from "./sse-session.ts";
import { held, PING, render, send } from "./streamable-client.ts";

const cancelled = (requestId: unknown) => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId, reason: "enough" },
});

t.test("a call is cancelled by its id and the same key", async (t) => {
  const { renders, server, pattern_id } = await held(t);
  for (const [at, id] of ["slow", 0, 7].entries()) {
    const answer = send(server, { body: render(id, pattern_id) });
    await until(() => renders.begun() === at + 1);
    const other = await server.makeCaller({});
    const theirs = await send({ url: server.url, key: other.key }, { body: cancelled(id) });
    t.equal(theirs.status, 202, "another key's means another call");
    t.equal((await send(server, { body: cancelled(`${id}`.repeat(2)) })).status, 202);
    const { status, text } = await send(server, { body: cancelled(id) });
    t.same([status, text], [202, ""]);
    t.same((await answer).messages, [], "it ends without an answer");
  }
  renders.release();
  await until(() => renders.outcomes.length === 3);
  t.same(renders.outcomes, ["AbortError", "AbortError", "AbortError"]);
  t.notOk(
    server.log.some(({ error }) => error),
    "nor is it a fault",
  );
});

t.test("clients of one key with the same ids do not cancel each other's calls", async (t) => {
  const { renders, server, pattern_id } = await held(t);
  // Renders of the same picture would be shared.
  const answers = [32, 64].map((size) => send(server, { body: render(1, pattern_id, size) }));
  await until(() => renders.begun() === 2);
  t.equal((await send(server, { body: cancelled(1) })).status, 202);
  for (const wrong of [undefined, null, {}, [1], true]) {
    t.equal((await send(server, { body: cancelled(wrong) })).status, 202, "it says nothing");
  }
  // A node receives cancellations in order.
  const third = send(server, { body: render("third", pattern_id, 128) });
  await until(() => renders.begun() === 3);
  await send(server, { body: cancelled("third") });
  t.same((await third).messages, []);
  renders.release();
  for (const { messages } of await Promise.all(answers)) {
    t.equal(messages[0].result.content[0].type, "image");
  }
});

t.test("another client of the key does not cancel a call with the same id", async (t) => {
  const { renders, server, pattern_id } = await held(t);
  const answer = send(server, { body: render(1, pattern_id) });
  await until(() => renders.begun() === 1);
  const headers = { "User-Agent": "another/1.0" };
  t.equal((await send(server, { body: cancelled(1), headers })).status, 202);
  // A node receives cancellations in order.
  const other = send(server, { body: render(2, pattern_id, 32) });
  await until(() => renders.begun() === 2);
  await send(server, { body: cancelled(2) });
  t.same((await other).messages, []);
  renders.release();
  t.equal((await answer).messages[0].result.content[0].type, "image");
});

t.test("a malformed request leaves nothing behind", async (t) => {
  const local = await testServices(t, await processEngine());
  const services = { ...local, publicUrl: "http://localhost", editorUrl: "http://localhost" };
  const calls = createStreamableCalls(services, testLog().log);
  const account = await createAccount(local.db, { email: "a@example.org", plan: "trial" });
  const { signal } = new AbortController();
  const request = new Proxy(new Request("http://localhost", { method: "POST" }), {
    get() {
      throw new Error("the connection is broken");
    },
  });
  await t.rejects(calls.handle({ request, body: PING, account, keyId: 1, client: "", signal }));
  t.same(getEventListeners(signal, "abort"), []);
});

t.test("disconnecting cancels a call", async (t) => {
  const { renders, server, pattern_id } = await held(t);
  const leaving = new AbortController();
  const { signal } = leaving;
  const answer = send(server, { body: render(1, pattern_id), signal });
  await until(() => renders.begun() === 1);
  leaving.abort();
  await t.rejects(answer);
  await until(() => server.log.some(({ aborted }) => aborted));
  renders.release();
  await until(() => renders.outcomes.length === 1);
  t.same(renders.outcomes, ["AbortError"]);
});

t.test("revoking a key cancels its calls", async (t) => {
  const { renders, server, pattern_id } = await held(t);
  const answer = send(server, { body: render(1, pattern_id) });
  await until(() => renders.begun() === 1);
  const [key] = await server.db.apiKeys.list(server.account.id);
  await server.db.apiKeys.revoke(server.account.id, key.id);
  t.same((await answer).messages, []);
  renders.release();
  await until(() => renders.outcomes.length === 1);
  t.same(renders.outcomes, ["AbortError"]);
  t.equal((await send(server, { body: PING })).status, 401);
});

/** MCP sessions over several nodes: the stream on one, messages to another, and failing nodes. */
import { setTimeout as delay } from "node:timers/promises";
import t, { type Test } from "tap";
import type { PendingLimits } from "../../../db/queries/mcp-sessions.ts";
import { createApiKey } from "../../../server/actions/api-keys.ts";
import { startService } from "../../helpers/service.ts";
import { keyedDatabase } from "../../mcp/keyed-database.ts";
import { openSse, until } from "../../mcp/sse-session.ts";

const STREAMABLE = {
  "Content-Type": "application/json",
  Accept: "application/json, text/event-stream",
};

/** Creates a pattern; returns a call that renders a slow sheet of it. */
async function slowPattern(url: string, key: string) {
  const post = async (path: string, json: object) => {
    const headers = { "Content-Type": "application/json", "X-API-Key": key };
    const request = { method: "POST", headers, body: JSON.stringify(json) };
    return (await (await fetch(`${url}/api/v1${path}`, request)).json()).id;
  };
  const source_id = await post("/sources/presets", { preset: "floral", seed: 1 });
  const effects = Array.from({ length: 8 }, () => ({ id: "blur", params: { radius: 0.04 } }));
  const pattern_id = await post("/patterns", { source_id, group: "p6m", effects });
  const side = 1000;
  const sheet = { pattern_id, surface_width: side, surface_height: side, size: side };
  return (id: string) => ({
    id,
    method: "tools/call",
    params: {
      name: "render_pattern_surface",
      arguments: sheet,
      _meta: { progressToken: "a token" },
    },
  });
}

const LISTENING = `
  select pid from pg_stat_activity
  where datname = current_database() and query ilike 'listen mcp_frames'`;

const ignore = () => undefined;

/** A node that ignores messages. */
const DEAF = { message: ignore, reply: ignore, keyRevoked: ignore, callCancelled: ignore };

const database = await keyedDatabase(t, "agency");
const { DATABASE_URL, db, account, query } = database;
const startNode = () => startService(t, { DATABASE_URL });
let a = await startNode();
await a.url();
const [{ pid: listenerOfA }] = await query(LISTENING);
const other = await (await startNode()).url();

/** A session of a new key on node A, which runs; messages may go to the other node. */
async function twoNodes(t: Test) {
  if (a.process.exitCode !== null || a.process.signalCode !== null) a = await startNode();
  const url = await a.url();
  await query("delete from mcp_sessions where alive_until < now()");
  await until(async () => (await query("select from mcp_sessions")).length === 0);
  const { key, secret } = await createApiKey(db, account.id, t.name);
  const session = await openSse({ url, key: secret });
  t.teardown(() => session.drop());
  const ping = (id: number, at = other) => session.post({ jsonrpc: "2.0", id, method: "ping" }, at);
  return { keyId: key.id, key: secret, url, session, ping };
}

t.test("messages to another node get responses on the stream, in order", async (t) => {
  const { session, ping } = await twoNodes(t);
  for (let id = 1; id <= 100; id++) t.equal(await ping(id), 202);
  await session.answer(100);
  const answered = session.messages.map(({ id }) => id);
  t.same(
    answered,
    Array.from({ length: 100 }, (_, at) => at + 1),
  );
  t.same(await query("select from mcp_frames"), [], "nothing is stored");
});

t.test(
  "errors on one node reach the stream on another, and revoking a key ends all sessions",
  async (t) => {
    const { session, ping, keyId, key } = await twoNodes(t);
    await db.accounts.update(account.id, { frozen: true });
    t.equal(await ping(5), 402);
    const { error } = await session.answer(5);
    t.match(error, { code: -31402, data: { code: "account_frozen", status: 402 } });
    await db.accounts.update(account.id, { frozen: false });

    const near = await openSse({ url: other, key });
    await db.apiKeys.revoke(account.id, keyId);
    await Promise.all([session.ended, near.ended]);
    t.ok(session.response.complete && near.response.complete, "they end in order");
    t.equal(await ping(1), 404);
    t.same(await query("select from mcp_sessions"), []);
  },
);

t.test("a call over Streamable HTTP is cancelled from another node", async (t) => {
  const { url, key } = await twoNodes(t);
  const calls = [url, other];
  const slow = await slowPattern(other, key);
  const at = (url: string, message: object) =>
    fetch(`${url}/api/v1/mcp`, {
      method: "POST",
      headers: { ...STREAMABLE, "X-API-Key": key },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
  for (const [here, there] of [calls, calls.toReversed()]) {
    // A new id each time: the other node may hear of a cancellation later.
    const requestId = `a call to ${here}`;
    const response = await at(here, slow(requestId));
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    t.match((await reader?.read())?.value, "notifications/progress", "it is under way");
    const params = { requestId, reason: "enough" };
    const { status } = await at(there, { method: "notifications/cancelled", params });
    t.equal(status, 202);
    let rest = "";
    for (;;) {
      const { done, value = "" } = (await reader?.read()) ?? { done: true };
      if (done) break;
      rest += value;
    }
    t.notMatch(rest, "result", "it ends without an answer");
  }
});

t.test("a node whose LISTEN connection breaks processes what it missed", async (t) => {
  const { session, ping } = await twoNodes(t);
  await ping(1);
  await session.answer(1);
  await query(`select pg_terminate_backend(${listenerOfA})`);
  for (let id = 2; id <= 10; id++) t.equal(await ping(id), 202);
  await session.answer(10);
  t.same(
    session.messages.map(({ id }) => id),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  );
  await until(async () => (await query(LISTENING)).length === 2);
  await ping(11);
  await session.answer(11);
  t.equal((await query(LISTENING)).length, 2, "it listens once");
});

t.test("nodes survive a database outage", async (t) => {
  const { session, ping } = await twoNodes(t);
  await query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  let id = 0;
  // Broken connections of the pools may fail one call each.
  while (!session.messages.some((message) => message.result)) {
    id += 1;
    await ping(id);
    await delay(50);
  }
  t.equal(a.process.exitCode, null);
});

t.test("the sessions of a dead node end with their lease", async (t) => {
  const { session, ping, key } = await twoNodes(t);
  a.process.kill("SIGKILL");
  await session.ended;
  t.equal(await ping(1), 202, "until then it may be there yet");
  await query("update mcp_sessions set alive_until = now() - interval '1 second'");
  t.equal(await ping(2), 404);
  for (let at = 0; at < 20; at++) {
    const near = await openSse({ url: other, key });
    t.teardown(() => near.drop());
  }
  t.equal((await query("select from mcp_sessions")).length, 21, "the dead one does not count");
});

t.test("a stopping node ends its streams and deletes its sessions", async (t) => {
  const { session, ping } = await twoNodes(t);
  a.process.kill("SIGTERM");
  await session.ended;
  t.ok(session.response.complete, "they are not cut off");
  t.equal(await a.ended, 0);
  t.equal(await ping(1), 404);
  t.same(await query("select from mcp_sessions"), []);
});

t.test("a session that was declared dead is not renewed, and its node ends it", async (t) => {
  const { db, account, query } = await keyedDatabase(t);
  const node = await db.mcpSessions.join(DEAF);
  t.teardown(() => node.leave());
  const [{ id: keyId }] = await db.apiKeys.list(account.id);
  const opened = { keyId, accountId: account.id, atMost: 20 };
  const lost = (await node.open(opened)) ?? "";
  const kept = (await node.open(opened)) ?? "";
  t.same(await node.renew(), []);

  await query(`update mcp_sessions set alive_until = now() + interval '5 seconds'`);
  await node.renew();
  const [{ all }] = await query(
    "select bool_and(alive_until > now() + interval '50 seconds') as all from mcp_sessions",
  );
  t.equal(all, true, "those that live are renewed");
  await query(`update mcp_sessions set alive_until = now() - interval '1 s' where id = '${lost}'`);
  t.equal(await db.mcpSessions.find(lost), null);
  t.equal(await db.mcpSessions.post(lost, "{}", null, { messages: 9, bytes: 2 ** 20 }), "gone");
  // Another node removes it.
  const other = await db.mcpSessions.join(DEAF);
  await other.renew();
  await other.leave();
  t.same(await node.renew(), [lost]);
  t.equal((await db.mcpSessions.find(kept))?.id, kept);
  await query(`delete from mcp_sessions where id = '${kept}'`);
  await node.close(kept);
  t.same(await node.renew(), [lost], "one that was closed is not missed");
});

t.test("deletes messages that are never fetched", async (t) => {
  const { db, query } = await keyedDatabase(t);
  await query(`
    insert into mcp_frames (session_id, frame, created_at)
    values (gen_random_uuid(), '{}', now() - interval '1 hour'), (gen_random_uuid(), '{}', now())`);
  const node = await db.mcpSessions.join(DEAF);
  await node.renew();
  await node.leave();
  t.equal((await query("select from mcp_frames")).length, 1);
});

t.test("concurrent posts never exceed a session's queue", async (t) => {
  const { db, query, account } = await keyedDatabase(t);
  const sessionId = async () => {
    // Of a node that reads nothing.
    const [{ id }] = await query(`
      insert into mcp_sessions (id, account_id, key_id, node, alive_until)
      select gen_random_uuid(), account_id, id, gen_random_uuid(), now() + interval '1 minute'
      from api_keys where account_id = ${account.id} limit 1 returning id`);
    return id;
  };
  const postAll = async (size: number, attachment: number, atMost: PendingLimits) => {
    const id = await sessionId();
    const bytes = new Uint8Array(attachment);
    const post = () => db.mcpSessions.post(id, "x".repeat(size), bytes, atMost);
    const outcomes = await Promise.all(Array.from({ length: 20 }, post));
    return outcomes.filter((outcome) => outcome === "posted").length;
  };
  t.equal(await postAll(100, 0, { messages: 5, bytes: 2 ** 20 }), 5);
  t.equal(await postAll(100, 300, { messages: 99, bytes: 1200 }), 3);
  t.equal(await postAll(100, 301, { messages: 99, bytes: 1200 }), 2);
});

t.test("a stopping node responds to posted messages before it ends its streams", async (t) => {
  const { session, key } = await twoNodes(t);
  const slow = await slowPattern(other, key);
  t.equal(await session.post({ jsonrpc: "2.0", ...slow("slow") }), 202);
  // A cancelled call has no response, so nothing waits for it.
  t.equal(await session.post({ jsonrpc: "2.0", ...slow("unwanted") }, other), 202);
  const params = { requestId: "unwanted" };
  t.equal(await session.post({ jsonrpc: "2.0", method: "notifications/cancelled", params }), 202);
  t.equal(await session.post({ jsonrpc: "2.0", id: 7, method: "ping" }, other), 202);
  a.process.kill("SIGTERM");
  const { result } = await session.answer("slow");
  t.match(result.content, [{ type: "image" }, { type: "text" }]);
  t.match(await session.answer(7), { result: {} });
  await session.ended;
  t.equal(await a.ended, 0);
  t.equal(await session.post({ jsonrpc: "2.0", id: 8, method: "ping" }, other), 404);
});

/** Many sessions, and clients that misbehave: sessions release their resources. */
import { once } from "node:events";
import { connect } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import t, { type Test } from "tap";
import { createAccount } from "../../server/actions/accounts.ts";
import { createApiKey } from "../../server/actions/api-keys.ts";
import { createApp } from "../../server/http/app.ts";
import { listen } from "../../server/http/listen.ts";
import { createMcpOverHttp } from "../../server/mcp/index.ts";
import { processEngine } from "../helpers/engine.ts";
import { testLog } from "../helpers/log.ts";
import { testServer } from "../helpers/server.ts";
import { testServices } from "../helpers/services.ts";
import { keyedDatabase } from "./keyed-database.ts";
import { openSse, until } from "./sse-session.ts";

const MEBIBYTE = 1024 * 1024;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** A server in this process whose tables can be queried. */
async function openServer(t: Test) {
  const { db, query } = await keyedDatabase(t);
  const services = {
    ...(await testServices(t, await processEngine())),
    db,
    publicUrl: "http://a",
    editorUrl: "http://a",
  };
  const { log } = testLog();
  const mcp = await createMcpOverHttp(services, log);
  t.teardown(() => mcp.close(0));
  const app = createApp({ services, mcp, log, trustedProxies: 0 });
  const { port, drain } = await listen(() => app, "127.0.0.1", 0, {
    maxConnections: 1000,
    requestTimeoutMs: 60_000,
  });
  t.teardown(() => drain(0));
  const makeKey = async (at: number) => {
    const account = await createAccount(db, { email: `${at}@example.com`, plan: "agency" });
    return (await createApiKey(db, account.id, "test")).secret;
  };
  const rows = async (table: string) => (await query(`select from ${table}`)).length;
  return { url: `http://127.0.0.1:${port}`, makeKey, rows };
}

/** Counts the intervals that are set and not cleared, from now on. */
function countIntervals(t: Test): () => number {
  const { setInterval, clearInterval } = globalThis;
  const live = new Set<unknown>();
  globalThis.setInterval = ((...given: Parameters<typeof setInterval>) => {
    const timer = setInterval(...given);
    live.add(timer);
    return timer;
  }) as typeof setInterval;
  globalThis.clearInterval = (timer) => {
    live.delete(timer);
    clearInterval(timer);
  };
  t.teardown(() => Object.assign(globalThis, { setInterval, clearInterval }));
  return () => live.size;
}

t.test("a thousand sessions leak nothing", async (t) => {
  const { url, makeKey, rows } = await openServer(t);
  const keys = await Promise.all(Array.from({ length: 10 }, (_, at) => makeKey(at)));
  const intervals = countIntervals(t);

  /** Ten sessions of each caller: some with responses, some with calls in progress, some silent. */
  const round = async () => {
    const openings = keys.flatMap((key) => Array.from({ length: 10 }, () => openSse({ url, key })));
    const sessions = await Promise.all(openings);
    await sessions[0]?.call("tools/list");
    await sessions[1]?.post({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    for (const session of sessions) session.drop();
    await until(async () => (await rows("mcp_sessions")) === 0);
  };
  await round();
  const before = { intervals: intervals(), heap: heap(), listeners: listeners() };
  for (let at = 1; at < 10; at++) await round();
  t.equal(intervals(), before.intervals);
  t.equal(listeners(), before.listeners);
  const grown = heap() - before.heap;
  t.ok(grown < 16 * MEBIBYTE, `sessions that stay would hold 40 MB: ${grown} bytes`);
  t.equal(await rows("mcp_frames"), 0);
  const last = await openSse({ url, key: keys[0] ?? "" });
  t.equal((await last.call("tools/list")).result.tools.length, 20);
});

const listeners = () =>
  process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);

function heap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

t.test("disconnects a client that does not read", async (t) => {
  const server = await testServer(t);
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  t.teardown(() => socket.destroy());
  socket.write(`GET /api/v1/mcp/sse HTTP/1.1\r\nHost: a\r\nX-API-Key: ${server.key}\r\n\r\n`);
  let head = "";
  while (!head.includes("session_id=")) head += (await once(socket, "data"))[0];
  socket.pause();
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const path = /\/mcp\/messages\?session_id=\S+/.exec(head)?.[0] ?? "";

  // A response has the id of its request, so long ids make large responses.
  const json = { jsonrpc: "2.0", id: "A".repeat(900_000), method: "ping" };
  let taken = 0;
  while ((await server.request("POST", path, { json, as: null })).status === 202) taken += 1;
  t.ok(taken > 12, "a dozen answers may wait");
  t.ok(taken < 60, "and no more than what the system's own buffers hold beside them");
  socket.resume();
  await closed;
  t.notOk(
    server.log.some(({ error }) => error),
    "which is nobody's fault",
  );
  const next = await openSse(server);
  t.same((await next.call("ping")).result, {});
});

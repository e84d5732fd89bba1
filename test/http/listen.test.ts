import { once } from "node:events";
import { Agent, get } from "node:http";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import Koa from "koa";
import t from "tap";
import { listen } from "../../server/http/listen.ts";
import { testServer } from "../helpers/server.ts";

t.test("/healthz reports versions, /readyz the state of each check", async (t) => {
  const server = await testServer(t);
  const health = await (await fetch(`${server.url}/healthz`)).json();
  t.same(health, {
    status: "ok",
    backend: server.engine.backend,
    threads: 1,
  });
  const ready = await fetch(`${server.url}/readyz`);
  t.equal(ready.status, 200);
  const ok = { status: "ok" };
  t.same(await ready.json(), {
    status: "ready",
    checks: { database: ok, disk: ok, pool: ok, event_loop: ok, jobs: ok, stopping: ok },
  });
});

t.test("each request has an id, the client's if it is valid", async (t) => {
  const server = await testServer(t);
  const idOf = async (given?: string) =>
    (
      await server.request("GET", "/account", given ? { headers: { "X-Request-Id": given } } : {})
    ).headers.get("X-Request-Id");
  t.equal(await idOf("trace-1/a:b"), "trace-1/a:b");
  t.match(await idOf("two words"), /^[0-9a-f-]{36}$/);
  t.match(await idOf("x".repeat(200)), /^[0-9a-f-]{36}$/);
  t.not(await idOf(), await idOf());
  t.match(server.log[0], {
    method: "GET",
    path: "/api/v1/account",
    status: 200,
    request_id: "trace-1/a:b",
    account_id: server.account.id,
    ms: Number,
  });
});

t.test("secrets in a query are not logged", async (t) => {
  const server = await testServer(t);
  await server.request("GET", "/account?key=pf_secret");
  t.notMatch(JSON.stringify(server.log), "pf_secret");
});

t.test("malformed HTTP gets a problem", async (t) => {
  const server = await testServer(t);
  for (const garbage of ["garbage\r\n\r\n", `GET / HTTP/1.1\r\nX: ${"x".repeat(20_000)}\r\n\r\n`]) {
    const socket = connect(server.listening.port, "127.0.0.1");
    socket.write(garbage);
    const answer = Buffer.concat(await socket.toArray()).toString();
    t.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/);
    t.match(JSON.parse(answer.split("\r\n\r\n")[1]), { code: "malformed_request", status: 400 });
  }
});

t.test("garbage after a request gets a problem after the response", async (t) => {
  const server = await testServer(t);
  const head = `GET /api/v1/groups HTTP/1.1\r\nHost: x\r\nX-API-Key: ${server.key}\r\n\r\n`;
  const socket = connect(server.listening.port, "127.0.0.1");
  socket.write(`${head}garbage\r\n\r\n`);
  const answer = Buffer.concat(await socket.toArray()).toString();
  t.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
  const [groups = "", problem = ""] = answer.split(/(?=HTTP\/1\.1 400 Bad Request\r\n)/);
  t.equal(JSON.parse(groups.split("\r\n\r\n")[1]).data.length, 17, "the response is whole");
  t.match(JSON.parse(problem.split("\r\n\r\n")[1]), { code: "malformed_request", status: 400 });
});

t.test("a stopping server finishes requests in progress and accepts no more", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  const ask = (path: string) =>
    get(`${server.url}${path}`, { agent, headers: { "X-API-Key": server.key } });
  const sheet = "mode=surface&surface_width=2500&surface_height=2000&cell=100&rotation=7";
  const running = ask(`/api/v1/patterns/${id}/render?${sheet}`);
  const [large] = await once(running, "response");
  server.stop();
  const drained = server.listening.drain(60_000);
  // Waits for the same connection, which is still open.
  const later = ask("/api/v1/account");
  const outcome = new Promise<number | string | undefined>((resolve) => {
    later.once("response", ({ statusCode }) => resolve(statusCode));
    later.once("error", () => resolve("closed"));
  });
  const bytes = Buffer.concat(await large.toArray());
  t.equal(bytes.subarray(-8, -4).toString("latin1"), "IEND", "the picture is whole");
  const ofLater = await outcome;
  t.ok(ofLater === 200 || ofLater === "closed", `a later one is answered or not begun: ${ofLater}`);
  await drained;
  await t.rejects(fetch(`${server.url}/healthz`), "the port is closed");
});

t.test(
  "an application that cannot be created frees the port, and closes the connections that wait for it",
  async (t) => {
    const limits = { maxConnections: 100, requestTimeoutMs: 60_000 };
    const failure = new Error("no sessions");
    const request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let taken = 0;
    let closed: Promise<unknown>[] = [];
    const listening = listen(
      async (port) => {
        taken = port;
        const sockets = ["", "GET / ", request].map((sent) => {
          const socket = connect(port, "127.0.0.1");
          socket.write(sent);
          // A reset is as good as an end.
          socket.on("error", () => undefined);
          return socket;
        });
        closed = sockets.map((socket) => new Promise((resolve) => socket.on("close", resolve)));
        await Promise.all(sockets.map((socket) => once(socket, "connect")));
        // The server accepts them meanwhile.
        await delay(100);
        throw failure;
      },
      "127.0.0.1",
      0,
      limits,
    );
    await t.rejects(listening, failure);
    await Promise.all(closed);
    const { port, drain } = await listen(() => new Koa(), "127.0.0.1", taken, limits);
    t.equal(port, taken);
    await drain(0);
  },
);

t.test("a buffered response still arrives complete", async (t) => {
  const app = new Koa();
  const body = Buffer.alloc(32 * 1024 * 1024, "x");
  app.use((ctx) => {
    ctx.body = body;
  });
  const { port, drain } = await listen(() => app, "127.0.0.1", 0, {
    maxConnections: 100,
    requestTimeoutMs: 60_000,
  });
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  const asked = get(`http://127.0.0.1:${port}/`, { agent });
  const [answer] = await once(asked, "response");
  const drained = drain(30_000);
  await new Promise((resolve) => setTimeout(resolve, 300));
  t.equal(Buffer.concat(await answer.toArray()).length, body.length);
  await drained;
});

t.test("closes connections that exceed the grace period", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const sheet = "mode=surface&surface_width=20000&surface_height=20000&rotation=7";
  const headers = { "X-API-Key": server.key };
  const large = await fetch(`${server.url}/api/v1/patterns/${id}/render?${sheet}`, { headers });
  t.equal(large.status, 200);
  await server.listening.drain(50);
  await t.rejects(large.arrayBuffer());
});

t.test(
  "a stopping server is not ready, and closes connections after their responses",
  async (t) => {
    const server = await testServer(t);
    server.stop();
    const ready = await fetch(`${server.url}/readyz`);
    t.equal(ready.status, 503);
    t.equal(ready.headers.get("Content-Type"), "application/problem+json");
    t.match(await ready.json(), {
      code: "unavailable",
      detail: "failing: stopping",
      checks: { database: { status: "ok" }, stopping: { status: "failing" } },
    });
    const answered = await server.request("GET", "/account");
    t.equal(answered.status, 200);
    t.equal(answered.headers.get("Connection"), "close");
    t.equal((await server.request("GET", "/mcp/sse")).status, 503, "no stream begins any more");
  },
);

t.test("a request in progress at the stop closes its connection", async (t) => {
  const app = new Koa();
  const [arrived, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  app.use(async (ctx) => {
    arrived.resolve();
    await go.promise;
    ctx.body = "done";
  });
  const { port, closeAfterResponses, drain } = await listen(() => app, "127.0.0.1", 0, {
    maxConnections: 100,
    requestTimeoutMs: 60_000,
  });
  const answer = fetch(`http://127.0.0.1:${port}/`);
  await arrived.promise;
  closeAfterResponses();
  go.resolve();
  t.equal((await answer).headers.get("Connection"), "close");
  await drain(30_000);
});

t.test("a connection that was opened before the stop gets its first response", async (t) => {
  const app = new Koa();
  app.use((ctx) => {
    ctx.body = "done";
  });
  const { port, drain } = await listen(() => app, "127.0.0.1", 0, {
    maxConnections: 100,
    requestTimeoutMs: 60_000,
  });
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  // A connection is known to the server before its request is complete.
  await fetch(`http://127.0.0.1:${port}/`);
  const drained = drain(30_000);
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  t.match(Buffer.concat(await socket.toArray()).toString(), /^HTTP\/1.1 200 OK\r\n/);
  await drained;
});

/** Limits of a connection before authentication: real sockets, short limits. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import Koa from "koa";
import t, { type Test } from "tap";
import { type ConnectionLimits, listen } from "../../server/http/listen.ts";

/** A server that responds `done` to complete requests; returns a function that opens connections. */
async function start(t: Test, limits: Partial<ConnectionLimits>) {
  const app = new Koa();
  app.silent = true;
  app.use(async (ctx) => {
    ctx.req.resume();
    await once(ctx.req, "end");
    ctx.body = "done";
  });
  const { port, drain } = await listen(() => app, "127.0.0.1", 0, {
    maxConnections: 100,
    requestTimeoutMs: 60_000,
    ...limits,
  });
  t.teardown(() => drain(0));
  return (text = ""): Socket => {
    const socket = connect(port, "127.0.0.1");
    t.teardown(() => socket.destroy());
    socket.write(text);
    return socket;
  };
}

const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const all = async (socket: Socket) => Buffer.concat(await socket.toArray()).toString();

t.test("closes connections beyond MAX_CONNECTIONS, and keeps open ones", async (t) => {
  const open = await start(t, { maxConnections: 2 });
  const held = [open(GET), open(GET)];
  for (const socket of held) t.match(String((await once(socket, "data"))[0]), /^HTTP\/1\.1 200 /);
  const beyond = open();
  beyond.on("error", () => undefined);
  await once(beyond, "close");
  t.equal(beyond.bytesRead, 0, "without an answer");
  held[0]?.write(GET);
  if (held[0]) t.match(String((await once(held[0], "data"))[0]), /^HTTP\/1\.1 200 /);
  held[1]?.destroy();
  // The server may notice the end a little later.
  for (let text = ""; !text.startsWith("HTTP/1.1 200 "); ) {
    const next = open(GET);
    const answered = once(next, "data").then(([chunk]) => String(chunk));
    text = await Promise.race([answered, once(next, "close").then(() => "")]).catch(() => "");
  }
});

t.test("rejects a request that does not arrive within REQUEST_TIMEOUT_MS", async (t) => {
  const open = await start(t, { requestTimeoutMs: 200 });
  for (const [what, text] of [
    ["half a head", "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "],
    ["half a body", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf"],
  ] as const) {
    const answer = await all(open(text));
    t.match(answer, /^HTTP\/1\.1 408 Request Timeout\r\n/, what);
    t.match(answer, /"code":"request_timeout"/);
    t.equal(answer.match(/HTTP\/1\.1/g)?.length, 1, "and the connection ends");
  }
});

t.test("limits the time of a request's headers", async (t) => {
  const open = await start(t, { headersTimeoutMs: 200 });
  const socket = open("GET / HTTP/1.1\r\nHost: x\r\n");
  const trickle = setInterval(() => socket.write("X-Slow: 1\r\n"), 20);
  t.teardown(() => clearInterval(trickle));
  socket.on("error", () => undefined);
  const [chunk] = await once(socket, "data");
  t.match(String(chunk), /^HTTP\/1\.1 408 /);
  await once(socket, "close");
});

t.test("the time limit of requests does not close an idle connection", async (t) => {
  const open = await start(t, { requestTimeoutMs: 200 });
  const socket = open(GET);
  await once(socket, "data");
  // Another one outlasts the limit at which the first would have been closed.
  await all(open("GET / HTTP/1.1\r\n"));
  socket.write(GET);
  t.match(String((await once(socket, "data"))[0]), /^HTTP\/1\.1 200 /);
});

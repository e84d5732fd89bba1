/** A stopping server and a connection that arrives while its event loop is busy. */
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import Koa from "koa";
import t from "tap";
import { listen } from "../../server/http/listen.ts";

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/**
 * A client in another thread. It opens a connection and says "open"; then, on any message, it requests
 * /busy there and, while the server is busy, / on a new connection. It says what came back.
 */
const CLIENT = `
  const { connect } = require("node:net");
  const { parentPort, workerData: port } = require("node:worker_threads");
  const request = (path) => "GET " + path + " HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n";
  const first = connect(port, "127.0.0.1");
  first.once("data", () => parentPort.postMessage("open"));
  first.write(request("/"));
  parentPort.once("message", () => {
    first.write(request("/busy"));
    setTimeout(() => {
      const late = connect(port, "127.0.0.1");
      late.once("data", (answer) => parentPort.postMessage(String(answer)));
      late.once("error", (error) => parentPort.postMessage(error.code));
      late.write(request("/"));
    }, 200);
  });
`;

/** Starts to drain in a turn of the event loop that reads a request before it ends, or that follows. */
const turns = {
  "in which a request comes": (drain: () => void) => {
    sleep(100);
    drain();
  },
  "before that in which a request comes": async (drain: () => void) => {
    await setImmediate();
    sleep(100);
    drain();
  },
};

for (const [turn, start] of Object.entries(turns)) {
  t.test(`a late connection is served if the stop begins in a turn ${turn}`, async (t) => {
    const app = new Koa();
    app.use((ctx) => {
      if (ctx.path === "/busy") sleep(400);
      ctx.body = "done";
    });
    const limits = { maxConnections: 100, requestTimeoutMs: 60_000 };
    const { port, drain } = await listen(() => app, "127.0.0.1", 0, limits);
    const client = new Worker(CLIENT, { eval: true, workerData: port });
    t.teardown(() => client.terminate());
    await once(client, "message");
    client.postMessage("go");
    let drained: Promise<void> | undefined;
    await start(() => {
      drained = drain(5000);
    });
    const [answer] = await once(client, "message");
    t.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
    t.match(answer, /\r\nConnection: close\r\n/);
    await drained;
  });
}

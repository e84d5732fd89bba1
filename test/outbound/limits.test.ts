/** Limits on size, time and concurrency. */
import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import t from "tap";
import { createFetcher, parseHttpUrl } from "../../server/outbound/index.ts";
import { fetchText, httpServer, rawServer, unreachable } from "./test-servers.ts";

const late = unreachable("no complete response came within 0.2 seconds");

t.test("leaves no timer or connection behind", async (t) => {
  const open = () =>
    process.getActiveResourcesInfo().filter((one) => /Timeout|TCPSocket/.test(one));
  const settled = async () => {
    for (let turn = 0; turn < 1000 && open().length > 0; turn++) await new Promise(setImmediate);
    return open();
  };
  const seen = new Set<string>();
  const { url } = await httpServer(t, ({ url }, response) => {
    for (const one of open()) seen.add(one);
    if (url === "/found") response.end("found");
    else response.writeHead(404).write("never ends");
  });
  t.same(await settled(), [], "nothing of other tests is open");
  await fetchText(`${url}/found`);
  await t.rejects(fetchText(`${url}/missing`));
  await t.rejects(fetchText(url, { allow: [] }));
  t.same(seen, new Set(["TCPSocketWrap", "Timeout"]), "both are there during a fetch");
  t.same(await settled(), []);
});

t.test("accepts a body of exactly the limit, in one chunk or in many", async (t) => {
  const body = Buffer.alloc(300_000, "0123456789");
  const { url } = await httpServer(t, async ({ url }, response) => {
    if (url === "/whole") return void response.end(body);
    for (let at = 0; at < body.length; at += 7919) response.write(body.subarray(at, at + 7919));
    return void response.end();
  });
  for (const path of ["/whole", "/chunks"]) {
    for (const maximumBytes of [300_000, 300_001, 32 * 1024 * 1024]) {
      const text = await fetchText(`${url}${path}`, { maximumBytes });
      t.ok(text === body.toString(), `${path} ${maximumBytes}`);
    }
    await t.rejects(fetchText(`${url}${path}`, { maximumBytes: 299_999 }), {
      name: "BodyTooLarge",
    });
  }
});

t.test("accepts an empty body", async (t) => {
  const { url } = await httpServer(t, (_, response) => void response.end());
  t.equal(await fetchText(url), "");
});

t.test("aborts an endless body at the limit", async (t) => {
  let sent = 0;
  const piece = Buffer.alloc(64 * 1024);
  const { url } = await httpServer(t, (_, response) => {
    const endless = function* () {
      for (;;) {
        sent += piece.length;
        yield piece;
      }
    };
    pipeline(endless, response, () => undefined);
  });
  const maximumBytes = 1024 * 1024;
  await t.rejects(fetchText(url, { maximumBytes }), { name: "BodyTooLarge" });
  t.ok(sent < 64 * maximumBytes, `${sent} bytes were sent`);
});

t.test("rejects a Content-Length above the limit before reading", async (t) => {
  const { url } = await httpServer(t, (_, response) => {
    response.writeHead(200, { "Content-Length": 1001 }).flushHeaders();
  });
  await t.rejects(fetchText(url, { maximumBytes: 1000 }), { name: "BodyTooLarge" });
});

t.test("rejects a body shorter than its Content-Length", async (t) => {
  const { url } = await rawServer(t, (socket) => {
    socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort");
  });
  await t.rejects(fetchText(url), unreachable(/ closed the connection$/));
});

t.test("reads no more than Content-Length", async (t) => {
  const { url } = await rawServer(t, (socket) => {
    socket.end("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nshort and more");
  });
  t.equal(await fetchText(url), "short");
});

t.test("aborts a slow body at the time limit", async (t) => {
  const { url } = await httpServer(t, (_, response) => {
    const timer = setInterval(() => response.write("."), 10);
    response.on("close", () => clearInterval(timer));
  });
  await t.rejects(fetchText(url, { totalMs: 200 }), late);
});

t.test("the time limit includes all redirects", async (t) => {
  const { url, connections } = await httpServer(t, (_, response) => {
    setTimeout(() => response.writeHead(302, { Location: "/" }).end(), 90);
  });
  await t.rejects(fetchText(url, { totalMs: 200 }), late);
  t.ok(connections() < 6, `${connections()} hops`);
});

t.test("times out on a server that sends nothing, or only headers", async (t) => {
  const silent = await rawServer(t, () => undefined);
  await t.rejects(fetchText(silent.url, { totalMs: 200 }), late);
  const headersOnly = await httpServer(t, (_, response) => response.flushHeaders());
  await t.rejects(fetchText(headersOnly.url, { totalMs: 200 }), late);
});

t.test("an abort ends the fetch at any stage", async (t) => {
  const steps: ((response: ServerResponse) => void)[] = [
    () => undefined,
    (response) => response.flushHeaders(),
    (response) => void response.write("some"),
  ];
  for (const step of steps) {
    const caller = new AbortController();
    const { url } = await httpServer(t, (_, response) => {
      step(response);
      setTimeout(() => caller.abort(), 20);
    });
    await t.rejects(fetchText(url, { signal: caller.signal }), { name: "AbortError" });
  }
  const { url, connections } = await httpServer(t, () => undefined);
  await t.rejects(fetchText(url, { signal: AbortSignal.abort() }), { name: "AbortError" });
  t.equal(connections(), 0, "one who has left already is not served");
});

t.test("runs eight fetches at once, queues others in order, and rejects too many", async (t) => {
  const open: ServerResponse[] = [];
  const order: string[] = [];
  const server = await httpServer(t, ({ url = "" }, response) => {
    order.push(url);
    open.push(response);
  });
  const fetcher = createFetcher({ allow: ["127.0.0.1/32"], allowedHosts: [] });
  const start = (place: number, signal = new AbortController().signal) =>
    fetcher.fetch(parseHttpUrl(`${server.url}/${place}`), { maximumBytes: 10, signal });
  const leaving = new AbortController();
  const fetches = Array.from({ length: 39 }, (_, place) => start(place));
  const left = start(39, leaving.signal);
  await t.rejects(start(40), { name: "FetcherBusy", waiting: 32 });
  leaving.abort();
  await t.rejects(left, { name: "AbortError" });
  const last = start(41);
  await t.rejects(start(42), { name: "FetcherBusy" }, "one place was free again, not two");

  let most = 0;
  for (let answered = 0; answered < 40; answered++) {
    while (open.length === 0 || (open.length < 8 && order.length < 40)) {
      await new Promise(setImmediate);
    }
    most = Math.max(most, open.length);
    open.shift()?.end();
  }
  await Promise.all([...fetches, last]);
  t.equal(most, 8);
  const places = order.map((path) => Number(path.slice(1)));
  t.same(places.slice(8), [...Array.from({ length: 31 }, (_, place) => place + 8), 41]);
});

/** Servers that fail, send false data, or speak another protocol. */
import { once } from "node:events";
import { createServer } from "node:net";
import { gzipSync } from "node:zlib";
import t from "tap";
import { portOf } from "../helpers/port-of.ts";
import { fetchText, httpServer, rawServer, unreachable } from "./test-servers.ts";

t.test("reports any status but 200", async (t) => {
  for (const status of [201, 204, 206, 300, 400, 404, 500, 503]) {
    const { url } = await httpServer(t, (_, response) => void response.writeHead(status).end());
    const message = `${new URL(url).host} answered ${status}`;
    await t.rejects(fetchText(url), unreachable(message));
  }
});

t.test("rejects a compressed body", async (t) => {
  const packed = gzipSync("text");
  for (const encoding of ["gzip", "br", "deflate, gzip", "x-odd"]) {
    const { url } = await httpServer(t, (_, response) => {
      response.writeHead(200, { "Content-Encoding": encoding }).end(packed);
    });
    await t.rejects(fetchText(url), unreachable(/sent a compressed body/), encoding);
  }
  const { url } = await httpServer(t, (_, response) => {
    response.writeHead(200, { "Content-Encoding": "Identity" }).end("plain");
  });
  t.equal(await fetchText(url), "plain");
});

t.test("reports a refused connection", async (t) => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = portOf(server);
  server.close();
  await once(server, "close");
  const message = `127.0.0.1:${port} refused the connection`;
  await t.rejects(fetchText(`http://127.0.0.1:${port}/`), unreachable(message));
});

const OK = "HTTP/1.1 200 OK\r\n";

const FAULTS: readonly [title: string, sent: string, words: RegExp][] = [
  ["closes at once", "", /closed the connection$/],
  ["closes within the headers", `${OK}Content-`, /closed the connection$/],
  ["closes within a chunk", `${OK}Transfer-Encoding: chunked\r\n\r\nff\r\nab`, /closed/],
  ["closes between chunks", `${OK}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n`, /closed/],
  ["speaks something else", "220 mail.example ESMTP\r\n", /sent malformed HTTP$/],
  ["sends a wrong chunk", `${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, /closed/],
  ["sends two lengths", `${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, /malformed HTTP$/],
  ["sends huge headers", `${OK}X-Huge: ${"x".repeat(100_000)}\r\n\r\n`, /too large headers$/],
  [
    "switches to another protocol",
    "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: odd\r\n\r\n",
    /closed the connection$/,
  ],
];

for (const [title, sent, words] of FAULTS) {
  t.test(`reports a server that ${title}`, async (t) => {
    const { url } = await rawServer(t, (socket) => socket.end(sent));
    await t.rejects(fetchText(url), unreachable(words));
  });
}

t.test("reports a connection reset, before and within the response", async (t) => {
  const before = await rawServer(t, (socket) => void socket.resetAndDestroy());
  await t.rejects(fetchText(before.url), unreachable(/closed the connection$/));
  const within = await rawServer(t, (socket) => {
    socket.write(`${OK}Content-Length: 100\r\n\r\npart`, () => socket.resetAndDestroy());
  });
  await t.rejects(fetchText(within.url), unreachable(/closed the connection$/));
});

t.test("ignores informational responses", async (t) => {
  const hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
  const { url } = await rawServer(t, (socket) => {
    socket.end(`${hints.repeat(50)}${OK}Content-Length: 2\r\n\r\nok`);
  });
  t.equal(await fetchText(url), "ok");
});

t.test("a response without a length ends with the connection", async (t) => {
  const { url } = await rawServer(t, (socket) => socket.end(`${OK}\r\nall of it`));
  t.equal(await fetchText(url), "all of it");
});

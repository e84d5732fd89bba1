/** Sheets that are streamed while they are rendered, to readers of all kinds. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import t from "tap";
import { testEngine } from "../helpers/engine.ts";
import { until } from "../helpers/jobs.ts";
import { type TestServer, testServer } from "../helpers/server.ts";

/**
 * Requests a sheet of 20 megapixels over a raw socket; returns the socket, and its data once read.
 */
function askByHand(server: TestServer, id: number, version: "1.0" | "1.1") {
  const socket = connect(server.listening.port, "127.0.0.1");
  // With grain it is larger than socket buffers.
  const effects = encodeURIComponent('[{"id":"grain","params":{"strength":1}}]');
  const query = `mode=surface&surface_width=5000&surface_height=4000&surface_effects=${effects}`;
  const head = [
    `GET /api/v1/patterns/${id}/render?${query} HTTP/${version}`,
    "Host: localhost",
    `X-API-Key: ${server.key}`,
    "Connection: close",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  return { socket, all: () => buffer(socket) };
}

t.test("sends a large picture to HTTP/1.0 clients, too", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const answer = await askByHand(server, id, "1.0").all();
  const end = answer.indexOf("\r\n\r\n");
  t.match(answer.subarray(0, end).toString(), /^HTTP\/1\.1 200 /);
  t.notMatch(answer.subarray(0, end).toString(), /trailer/i);
  const { width, height } = await sharp(answer.subarray(end + 4)).metadata();
  t.same([width, height], [5000, 4000]);
});

t.test("disconnects a reader that stalls and frees its thread", async (t) => {
  const engine = await testEngine(t);
  const server = await testServer(t, { engine, services: { renderTimeoutMs: 1500 } });
  const id = await server.makePattern();
  const { socket } = askByHand(server, id, "1.1");
  t.teardown(() => socket.destroy());
  // It has started; from here on nothing is read from it.
  await once(socket, "readable");
  let status = 0;
  for (let tries = 0; status !== 200 && tries < 60; tries++) {
    const small = { json: { size: 16 } };
    status = (await server.request("POST", `/patterns/${id}/render`, small)).status;
  }
  t.equal(status, 200);
  socket.resume();
  await once(socket, "close");
});

t.test("a cached large picture has a length and ranges", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const path = `/patterns/${id}/render?mode=surface&surface_width=5000&surface_height=4000`;
  const before = await server.request("HEAD", path);
  t.equal(before.headers.get("Content-Length"), null);
  const whole = await server.request("GET", path);
  t.equal(whole.headers.get("Transfer-Encoding"), "chunked");

  server.breakRenders("broken");
  const { length } = whole.bytes;
  // It is stored a moment after its last byte was sent.
  await until(async () => (await server.request("HEAD", path)).headers.has("Content-Length"));
  const head = await server.request("HEAD", path);
  t.equal(head.headers.get("Content-Length"), String(length));
  const digest = createHash("sha256").update(whole.bytes).digest("base64");
  t.equal(head.headers.get("Repr-Digest"), `sha-256=:${digest}:`);
  t.equal(head.headers.get("ETag"), whole.headers.get("ETag"));
  const headers = { Range: `bytes=${length - 5000}-` };
  const part = await server.request("GET", path, { headers });
  t.equal(part.status, 206);
  t.ok(part.bytes.equals(whole.bytes.subarray(-5000)));
  t.ok((await server.request("GET", path)).bytes.equals(whole.bytes));
});

t.test("concurrent requests for the same picture share one render", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  for (const query of ["size=400", "mode=surface&surface_width=5000&surface_height=4000"]) {
    const ask = () => server.request("GET", `/patterns/${id}/render?${query}`);
    const before = server.renders();
    const [first, ...others] = await Promise.all(Array.from({ length: 6 }, ask));
    for (const other of others) t.ok(other.bytes.equals(first?.bytes ?? Buffer.of()));
    t.equal(server.renders(), before + 1);
  }
});

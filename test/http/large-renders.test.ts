/** Sheets that are sent as they come into being, to readers of all kinds. */
import { once } from "node:events";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import t from "tap";
import { testEngine } from "../helpers/engine.ts";
import { type TestServer, testServer } from "../helpers/server.ts";

/** Asks for a sheet of 20 megapixels by hand; gives the socket, and what came once it is read. */
function askByHand(server: TestServer, id: number, version: "1.0" | "1.1") {
  const socket = connect(server.listening.port, "127.0.0.1");
  // With grain it is larger than what sockets hold.
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

t.test("a large picture is sent to those who know no chunks, too", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const answer = await askByHand(server, id, "1.0").all();
  const end = answer.indexOf("\r\n\r\n");
  t.match(answer.subarray(0, end).toString(), /^HTTP\/1\.1 200 /);
  t.notMatch(answer.subarray(0, end).toString(), /trailer/i);
  const { width, height } = await sharp(answer.subarray(end + 4)).metadata();
  t.same([width, height], [5000, 4000]);
});

t.test("a reader who stops reading is let go, and its thread is free again", async (t) => {
  const engine = await testEngine(t);
  const server = await testServer(t, { engine, services: { renderTimeoutMs: 1500 } });
  const id = await server.makePattern();
  const { socket } = askByHand(server, id, "1.1");
  t.teardown(() => socket.destroy());
  // It has begun; from here on nothing is taken from it.
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

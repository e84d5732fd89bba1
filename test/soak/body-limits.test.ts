import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import t from "tap";
import { photograph, pngOf } from "../helpers/pictures.ts";
import { type TestServer, testServer } from "../helpers/server.ts";

const MEBIBYTE = 1024 * 1024;
const JSON_HEADERS = { "Content-Type": "application/json" };

/** Sends a body in chunks, without a length; returns the status and the problem's code. */
async function sendChunked(
  server: TestServer,
  path: string,
  headers: Record<string, string>,
  chunks: Iterable<string | Buffer>,
) {
  const sent = httpRequest(`${server.url}/api/v1${path}`, {
    method: "POST",
    headers: { "X-API-Key": server.key, ...headers },
  });
  const [, [response]] = await Promise.all([
    Readable.from(chunks).pipe(sent),
    once(sent, "response"),
  ]);
  // The response has arrived, so the server may close the connection before the rest is sent.
  sent.on("error", () => undefined);
  const problem = JSON.parse(Buffer.concat(await response.toArray()).toString());
  return { status: response.statusCode, code: problem.code };
}

function* mebibytes(count: number, head: string | Buffer, tail: string | Buffer) {
  yield head;
  const chunk = Buffer.alloc(MEBIBYTE, "A");
  for (let sent = 0; sent < count; sent++) yield chunk;
  yield tail;
}

t.test("accepts 40 MiB of base64, which decode to less than 32 MiB", async (t) => {
  const server = await testServer(t);
  const json = { data: "A".repeat(40 * MEBIBYTE) };
  const reply = await server.request("POST", "/sources/upload", { json });
  t.equal(reply.status, 422);
  t.equal(reply.json.code, "source_unreadable");
});

t.test("rejects base64 of more than 32 MiB, before and after decoding", async (t) => {
  const server = await testServer(t);
  const inside = { data: "A".repeat(44 * MEBIBYTE) };
  const decoded = await server.request("POST", "/sources/upload", { json: inside });
  t.equal(decoded.status, 413);
  t.equal(decoded.json.code, "payload_too_large");
  const outside = { data: "A".repeat(49 * MEBIBYTE) };
  const declared = await server.request("POST", "/sources/upload", { json: outside });
  t.equal(declared.status, 413, "by Content-Length");
  const chunks = mebibytes(60, '{"data":"', '"}');
  t.match(await sendChunked(server, "/sources/upload", JSON_HEADERS, chunks), {
    status: 413,
    code: "payload_too_large",
  });
});

t.test("rejects JSON of too many members before parsing it", async (t) => {
  const server = await testServer(t);
  const body = `{"data":[${"[],".repeat(12 * MEBIBYTE)}[]]}`;
  const refused = await server.request("POST", "/sources/upload", { body, headers: JSON_HEADERS });
  t.equal(refused.status, 400);
  t.match(refused.json, { code: "malformed_request", detail: /5000 members/ });
});

t.test("limits other bodies to 1 MiB, after decompression, too", async (t) => {
  const server = await testServer(t);
  const body = `{"name":"${"A".repeat(MEBIBYTE)}"}`;
  const plain = await server.request("POST", "/patterns", { body, headers: JSON_HEADERS });
  t.equal(plain.status, 413);
  const chunked = await sendChunked(server, "/patterns", JSON_HEADERS, mebibytes(3, "[", "]"));
  t.equal(chunked.status, 413);
  const bomb = gzipSync(`{"name":"${"A".repeat(100 * MEBIBYTE)}"}`);
  t.ok(bomb.length < MEBIBYTE);
  const headers = { ...JSON_HEADERS, "Content-Encoding": "gzip" };
  const unpacked = await server.request("POST", "/patterns", { body: bomb, headers });
  t.equal(unpacked.status, 413);

  const packed = gzipSync('{"source_id":1,"group":"p4"}');
  t.equal((await server.request("POST", "/patterns", { body: packed, headers })).status, 404);
  const broken = await server.request("POST", "/patterns", { body: "not gzip", headers });
  t.equal(broken.json.code, "malformed_request");
  const strange = { ...JSON_HEADERS, "Content-Encoding": "rot13" };
  t.equal(
    (await server.request("POST", "/patterns", { body: "{}", headers: strange })).status,
    415,
  );
});

t.test("limits a form's file to 32 MiB", async (t) => {
  const server = await testServer(t);
  const form = new FormData();
  form.append("file", new Blob([Buffer.alloc(32 * MEBIBYTE + 1)]), "large.png");
  const large = await server.request("POST", "/sources/upload", { body: form });
  t.equal(large.status, 413);
  t.equal(large.json.code, "payload_too_large");

  const headers = { "Content-Type": "multipart/form-data; boundary=B" };
  const part = '--B\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n';
  const endless = mebibytes(40, `${part}Content-Type: image/png\r\n\r\n`, "\r\n--B--\r\n");
  const file = await sendChunked(server, "/sources/upload", headers, endless);
  t.equal(file.status, 413, "in a file without end");
  const header = mebibytes(40, `${part}X-Header: `, "\r\n\r\n\r\n--B--\r\n");
  const inHeader = await sendChunked(server, "/sources/upload", headers, header);
  t.equal(inHeader.status, 413, "in a header without end");
});

t.test("rejects an unreadable form", async (t) => {
  const server = await testServer(t);
  const part = 'Content-Disposition: form-data; name="file"; filename="x"\r\nContent-Type: a/b\r\n';
  for (const [type, body] of [
    ["multipart/form-data", "no boundary"],
    ["multipart/form-data; boundary=B", "no form"],
    ["multipart/form-data; boundary=B", `--B\r\n${part}\r\nno end`],
    [
      "multipart/form-data; boundary=B",
      `--B\r\n${part}Content-Transfer-Encoding: x\r\n\r\n\r\n--B--`,
    ],
  ]) {
    const headers = { "Content-Type": type };
    const refused = await server.request("POST", "/sources/upload", { body, headers });
    t.equal(refused.status, 400, body);
    t.equal(refused.json.code, "malformed_request", body);
  }
});

t.test("an aborted upload leaves nothing behind", async (t) => {
  const server = await testServer(t);
  const png = Buffer.from(pngOf(photograph(64, 64)));
  for (const [type, start] of [
    [
      "multipart/form-data; boundary=B",
      '--B\r\nContent-Disposition: form-data; name="file"; filename="x"\r\nContent-Type: image/png\r\n\r\n',
    ],
    ["application/json", '{"data":"'],
  ]) {
    const socket = connect(server.listening.port, "127.0.0.1");
    socket.write(
      `POST /api/v1/sources/upload HTTP/1.1\r\nHost: x\r\nX-API-Key: ${server.key}\r\nContent-Type: ${type}\r\nContent-Length: 100000\r\n\r\n${start}`,
    );
    socket.write(png);
    // The server has started to read once a later request is answered.
    await server.request("GET", "/account");
    socket.destroy();
    const aborted = () => server.log.filter((entry) => entry.aborted);
    const before = aborted().length;
    while (aborted().length === before) await server.request("GET", "/account");
    t.equal(aborted().at(-1)?.error, undefined, "and is no fault of the server");
  }
  t.same((await server.request("GET", "/sources")).json.data, []);
});

t.test("the connection is usable after a body that was too large", async (t) => {
  const server = await testServer(t);
  const socket = connect(server.listening.port, "127.0.0.1");
  t.teardown(() => socket.destroy());
  const size = 3 * MEBIBYTE;
  socket.write(
    `POST /api/v1/patterns HTTP/1.1\r\nHost: x\r\nX-API-Key: ${server.key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${size.toString(16)}\r\n`,
  );
  socket.write(Buffer.alloc(size, " "));
  socket.write("\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const answers = Buffer.concat(await socket.toArray()).toString();
  t.match(answers, /^HTTP\/1\.1 413 [\s\S]*HTTP\/1\.1 200 OK/);
});

import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect, type Socket } from "node:net";
import type { Test } from "tap";
import t from "tap";
import { InFlight } from "../../server/actions/in-flight.ts";
import { createIntake } from "../../server/intake/index.ts";
import { beginSession } from "../helpers/guest-sessions.ts";
import { type Caller, type TestServer, testServer } from "../helpers/server.ts";

const MEBIBYTE = 1024 * 1024;
const BODY = { upload: "/sources/upload", login: "/auth/login" } as const;

interface Beginning {
  readonly path?: string;
  readonly bytes?: number;
  readonly as?: Caller | null;
  readonly token?: string;
  readonly head?: string;
  readonly first?: string;
}

/** A request whose head has been sent, with the start of its body. */
function begin(
  t: Test,
  server: TestServer,
  {
    path = BODY.upload,
    bytes = 47 * MEBIBYTE,
    as = server,
    token = "",
    head = "",
    first = "{",
  }: Beginning,
): Socket {
  const socket = connect(server.listening.port, "127.0.0.1");
  t.teardown(() => socket.destroy());
  const caller = token ? `Authorization: Bearer ${token}\r\n` : `X-API-Key: ${as?.key}\r\n`;
  const key = as || token ? caller : "";
  const length = head || `Content-Length: ${bytes}\r\n`;
  socket.write(
    `POST /api/v1${path} HTTP/1.1\r\nHost: x\r\n${key}Content-Type: application/json\r\n${length}\r\n${first}`,
  );
  return socket;
}

/** The status of the response on a socket, and all of its text. */
async function answerOn(socket: Socket) {
  const [chunk] = await once(socket, "data");
  const text = String(chunk);
  return { status: Number(text.split(" ")[1]), text };
}

/** A server with limits on the bytes of all bodies and on silence between their parts. */
async function bounded(t: Test, total: number, idleMs = 60_000) {
  const intake = createIntake();
  t.teardown(() => intake.close());
  const inFlight = new InFlight("bytes of request bodies", total);
  const server = await testServer(t, { services: { bodies: { intake, inFlight, idleMs } } });
  /** Resolves once that many accounts or addresses have a body in flight. */
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await server.request("GET", "/account", { as: null });
  };
  return { server, inFlight, until, mine: () => inFlight.of(`account ${server.account.id}`) };
}

t.test("limits an account's bodies in flight before allocating memory", async (t) => {
  const { server, until, mine } = await bounded(t, 1024 * MEBIBYTE);
  const first = begin(t, server, {});
  await until(() => mine() > 0);
  t.equal(mine(), 47 * MEBIBYTE, "by what Content-Length promises");
  const { status, text } = await answerOn(begin(t, server, {}));
  t.equal(status, 429);
  t.match(text, /"code":"rate_limited"/);
  t.match(text, /\r\nRetry-After: \d+\r\n/i);
  const agency = await server.makeCaller({ plan: "agency" });
  begin(t, server, { as: agency });
  const small = await server.request("POST", "/patterns", { json: { source_id: 1, group: "p4" } });
  t.equal(small.status, 404, "a small one has room beside it");
  first.destroy();
  await until(() => mine() === 0);
  const third = begin(t, server, {});
  await until(() => mine() > 0);
  third.destroy();
});

t.test("limits a guest's bodies to a share of the account's", async (t) => {
  const { server, until, inFlight } = await bounded(t, 1024 * MEBIBYTE);
  const { id } = server.account;
  const account = () => inFlight.of(`account ${id}`);
  const { token } = await beginSession(server);
  await server.db.accounts.update(id, { plan: "agency" });
  begin(t, server, { token });
  await until(() => account() > 0);
  const { status, text } = await answerOn(begin(t, server, { token, bytes: 18 * MEBIBYTE }));
  t.equal(status, 429, "64 of the account's 256 MiB are for one guest");
  t.match(text, /handoff/);
  const own = begin(t, server, {});
  await until(() => account() === 2 * 47 * MEBIBYTE);
  own.destroy();
  await until(() => account() === 47 * MEBIBYTE);
  await server.db.accounts.update(id, { plan: "trial" });
  const small = await server.request("POST", "/patterns", { json: { source_id: 1, group: "p4" } });
  t.equal(small.status, 404, "a guest's largest upload leaves room beside it on any plan");
});

t.test("guests together leave a part of an account's bytes to the account", async (t) => {
  const { server, until, mine } = await bounded(t, 1024 * MEBIBYTE);
  await server.db.accounts.update(server.account.id, { plan: "agency" });
  const tokens: string[] = [];
  for (let count = 0; count < 3; count++) tokens.push((await beginSession(server)).token);
  const [last = "", ...others] = tokens;
  for (const token of others) begin(t, server, { token });
  await until(() => mine() === 94 * MEBIBYTE);
  const { status, text } = await answerOn(begin(t, server, { token: last }));
  t.equal(status, 429, "128 of the account's 256 MiB are for all guests");
  t.match(text, /guest sessions/);
  for (let count = 0; count < 3; count++) begin(t, server, {});
  await until(() => mine() >= 5 * 47 * MEBIBYTE);
});

t.test("counts a body without a length as it arrives", async (t) => {
  const { server, until, mine } = await bounded(t, 1024 * MEBIBYTE);
  begin(t, server, { bytes: 48 * MEBIBYTE });
  await until(() => mine() > 0);
  const socket = begin(t, server, { head: "Transfer-Encoding: chunked\r\n", first: "" });
  const answered = answerOn(socket);
  for (let sent = 0; sent < 20; sent++) {
    socket.write(`${MEBIBYTE.toString(16)}\r\n`);
    socket.write(Buffer.alloc(MEBIBYTE, " "));
    socket.write("\r\n");
  }
  t.equal((await answered).status, 429);
});

t.test("limits the total of all bodies", async (t) => {
  const { server, until, inFlight } = await bounded(t, 64 * MEBIBYTE);
  const other = await server.makeCaller({});
  begin(t, server, { as: other });
  await until(() => inFlight.of(`account ${other.account.id}`) > 0);
  const { status, text } = await answerOn(begin(t, server, {}));
  t.equal(status, 503);
  t.match(text, /"code":"overloaded"/);
});

t.test("limits unauthenticated callers to small bodies", async (t) => {
  const { server, until, inFlight } = await bounded(t, 1024 * MEBIBYTE);
  const large = { email: "a@example.com", password: "x".repeat(20_000) };
  const refused = await server.request("POST", "/auth/login", { as: null, json: large });
  t.equal(refused.status, 413);
  for (let begun = 0; begun < 16; begun++) {
    begin(t, server, { as: null, path: BODY.login, bytes: 16 * 1024 });
  }
  await until(() => inFlight.of("address 127.0.0.1") === 256 * 1024);
  const { status } = await answerOn(begin(t, server, { as: null, path: BODY.login, bytes: 100 }));
  t.equal(status, 429);
  t.equal(
    (await server.request("POST", "/sources/presets", { json: { preset: "floral" } })).status,
    201,
  );
});

t.test("rejects a body that stalls", async (t) => {
  const { server, until, mine } = await bounded(t, 1024 * MEBIBYTE, 100);
  const { status, text } = await answerOn(begin(t, server, {}));
  t.equal(status, 408);
  t.match(text, /"code":"request_timeout"/);
  await until(() => mine() === 0);
});

t.test(
  "a client that closes its connection after one request gets the error response",
  async (t) => {
    const server = await testServer(t);
    for (const [path, size, key, expected] of [
      [BODY.upload, 49, server.key, 413],
      ["/patterns", 20, server.key, 413],
      [BODY.upload, 40, "pf_unknown", 401],
      ["/nowhere", 20, server.key, 404],
    ] as const) {
      const sent = httpRequest(`${server.url}/api/v1${path}`, {
        method: "POST",
        agent: false,
        headers: {
          "X-API-Key": key,
          "Content-Type": "application/json",
          "Content-Length": size * MEBIBYTE,
          Connection: "close",
        },
      });
      const answered = once(sent, "response");
      // Like Python's urllib: it sends the whole body first, and fails at any error.
      const chunk = Buffer.alloc(MEBIBYTE, " ");
      for (let count = 0; count < size; count++) {
        await new Promise<void>((resolve, reject) => {
          sent.write(chunk, (error) => (error ? reject(error) : resolve()));
        });
      }
      sent.end();
      const [response] = await answered;
      t.equal(response.statusCode, expected, path);
      t.equal(JSON.parse(Buffer.concat(await response.toArray()).toString()).status, expected);
    }
  },
);

import { randomBytes } from "node:crypto";
import t, { type Test } from "tap";
import type { Engine } from "../../engine/index.ts";
import { InFlight } from "../../server/actions/in-flight.ts";
import { createIntake } from "../../server/intake/index.ts";
import { processEngine } from "../helpers/engine.ts";
import { photograph, pngOf } from "../helpers/pictures.ts";
import { testServer } from "../helpers/server.ts";
import { openSse, type SseSession, until } from "./sse-session.ts";

const upload = (session: SseSession, data: unknown) =>
  session.call("tools/call", { name: "upload_source_from_base64", arguments: { data } });

async function open(t: Test, engine?: Engine) {
  const intake = createIntake();
  t.teardown(() => intake.close());
  const inFlight = new InFlight("bytes of request bodies");
  const server = await testServer(t, {
    services: { bodies: { intake, inFlight, idleMs: 60_000 } },
    ...(engine && { engine }),
  });
  const owner = `account ${server.account.id}`;
  return { server, inFlight, owner, session: await openSse(server) };
}

t.test("a picture of many chunks reaches its session unchanged", async (t) => {
  const { server, inFlight, owner, session } = await open(t);
  const png = Buffer.from(pngOf(photograph(900, 700)));
  t.ok(png.length > 600_000);
  const { result } = await upload(session, png.toString("base64"));
  const image = await server.request("GET", `/sources/${result.structuredContent.id}/image`);
  t.ok(image.bytes.equals(png));
  while (inFlight.of(owner) > 0) await server.request("GET", "/groups");
});

t.test("reports the position of invalid base64, long or short", async (t) => {
  const { session } = await open(t);
  for (const length of [100, 200_000]) {
    const { result } = await upload(session, `${"A".repeat(length)}*`);
    t.match(result, { isError: true, content: [{ text: RegExp(`character ${length + 1}`) }] });
  }
});

t.test("rejects the call of a picture that exceeds the account's limit", async (t) => {
  const { server, inFlight, owner, session } = await open(t);
  const limit = server.db.quotas.trial.body_bytes_in_flight;
  const id = new URL(session.path, server.url).searchParams.get("session_id") ?? "";
  const params = { name: "upload_source_from_base64", arguments: { data: null } };
  // As another node sends it after receiving it.
  const send = (call: number) =>
    server.db.mcpSessions.post(
      id,
      JSON.stringify({
        message: { jsonrpc: "2.0", id: call, method: "tools/call", params },
        picture: { outcome: "decoded", sha256: "" },
      }),
      randomBytes(300_000),
      { messages: 9, bytes: 2 ** 24 },
    );
  const release = inFlight.take([{ owner, limit }], limit - 100_000);
  await send(7);
  t.match(await session.answer(7), { error: { code: -31429, data: { code: "rate_limited" } } });
  release();
  await send(8);
  t.match(await session.answer(8), { result: { content: [{ text: /source_unreadable/ }] } });
});

/** A session whose uploads wait for `release`. */
async function openHeld(t: Test) {
  const engine = await processEngine();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const inspect: Engine["inspect"] = async (...request) => {
    await released;
    return engine.inspect(...request);
  };
  const opened = await open(t, { ...engine, inspect });
  const png = Buffer.from(pngOf(photograph(900, 700)));
  const data = png.toString("base64");
  const params = { name: "upload_source_from_base64", arguments: { data } };
  const post = (id: number) =>
    opened.session.post({ jsonrpc: "2.0", id, method: "tools/call", params });
  /** Waits until exactly that many pictures are counted. */
  const untilHeld = (pictures: number) =>
    until(() => opened.inFlight.of(opened.owner) === pictures * png.length);
  return { ...opened, post, untilHeld, release };
}

t.test("rejects a request id that is in use", async (t) => {
  const { session, post, untilHeld, release } = await openHeld(t);
  await post(1);
  await untilHeld(1);
  await post(1);
  t.match(await session.answer(1), { error: { code: -32600, message: /^malformed_request: / } });
  await untilHeld(1);
  await post(2);
  await untilHeld(2);
  release();
  const stored = (id: number) =>
    session.messages.filter((message) => message.id === id && message.result?.structuredContent);
  await until(() => stored(1).length === 1 && stored(2).length === 1);
  await post(1);
  await until(() => stored(1).length === 2);
  await untilHeld(0);
});

t.test("closing a stream frees the pictures of its calls", async (t) => {
  const { session, post, untilHeld, release } = await openHeld(t);
  await Promise.all([post(1), post(2)]);
  await untilHeld(2);
  session.drop();
  await untilHeld(0);
  t.equal(session.messages.length, 0, "although they are not answered");
  release();
});

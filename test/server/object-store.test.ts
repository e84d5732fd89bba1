/** The client of the object store, against an S3 server. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import t, { type Test } from "tap";
import { ObjectStoreUnavailable } from "../../db/index.ts";
import { readConfig } from "../../server/config.ts";
import { openObjectStore } from "../../server/object-store/index.ts";
import { objectStoreUrl } from "../../server/object-store/location.ts";
import { objectServer } from "../helpers/object-store.ts";
import { portOf } from "../helpers/port-of.ts";

const MIB = 2 ** 20;

t.test("objects are stored, read whole and in ranges, listed and deleted", async (t) => {
  const { store, keys } = await objectServer(t);
  const bytes = randomBytes(1000);
  await store.put("a/one", bytes);
  await store.put("b/two", new Uint8Array(0));
  t.same(await keys(), ["a/one", "b/two"]);
  const whole = await store.get("a/one");
  t.same(whole && Buffer.from(whole), bytes);
  t.ok(whole?.buffer instanceof SharedArrayBuffer);
  const part = await store.get("a/one", { start: 10, end: 19 });
  t.same(part && Buffer.from(part), bytes.subarray(10, 20));
  t.equal((await store.get("b/two"))?.byteLength, 0);
  t.equal(await store.get("a/three"), null);
  const [listed] = (await Array.fromAsync(store.list("a/"))).flat();
  t.equal(listed?.key, "a/one");
  t.ok(Math.abs(Date.now() - (listed?.modifiedAt.getTime() ?? 0)) < 60_000);
  await store.delete("a/one");
  await store.delete("a/one");
  t.equal(await store.get("a/one"), null);
  t.same(await keys(), ["b/two"]);
});

t.test("a list has all pages", async (t) => {
  const { store } = await objectServer(t);
  const names = Array.from({ length: 1010 }, (_, index) => `many/${index}`);
  for (let from = 0; from < names.length; from += 50) {
    const some = names.slice(from, from + 50);
    await Promise.all(some.map((name) => store.put(name, Buffer.from(name))));
  }
  const pages = await Array.fromAsync(store.list("many/"));
  t.ok(pages.length > 1);
  t.same(new Set(pages.flat().map(({ key }) => key)), new Set(names));
});

t.test("a long body is sent in parts, and one that breaks off leaves nothing", async (t) => {
  const { store, keys } = await objectServer(t);
  const bytes = randomBytes(20 * MIB + 7);
  async function* body(failsAt: number) {
    for (let at = 0; at < bytes.length; at += MIB) {
      if (at >= failsAt) throw new Error("broken off");
      yield bytes.subarray(at, at + MIB);
    }
  }
  await store.put("long", body(Infinity));
  t.ok(bytes.equals((await store.get("long")) ?? new Uint8Array(0)));
  await t.rejects(store.put("broken", body(12 * MIB)), { message: "broken off" });
  const stop = new AbortController();
  async function* endless() {
    for (let sent = 0; ; sent += MIB) {
      if (sent > 10 * MIB) stop.abort(new Error("no longer wanted"));
      yield bytes.subarray(0, MIB);
    }
  }
  await t.rejects(store.put("endless", endless(), stop.signal), { message: "no longer wanted" });
  t.same(await keys(), ["long"]);
});

t.test("a presigned URL works for anyone, with the download's headers", async (t) => {
  const { store } = await objectServer(t);
  await store.put("a/file", Buffer.from("content"));
  const url = await store.presign("a/file", {
    contentType: "application/pdf",
    contentDisposition: 'inline; filename="a.pdf"',
  });
  const response = await fetch(url);
  t.equal(response.status, 200);
  t.equal(response.headers.get("Content-Type"), "application/pdf");
  t.equal(response.headers.get("Content-Disposition"), 'inline; filename="a.pdf"');
  t.equal(await response.text(), "content");
  t.equal(new URL(url).searchParams.get("X-Amz-Expires"), "300");
});

t.test("clients get URLs of the public host", async (t) => {
  const server = await objectServer(t, "&public=https://files.example");
  await server.store.put("a", Buffer.from("a"));
  const headers = { contentType: "image/png", contentDisposition: "inline" };
  t.match(
    await server.store.presign("a", headers),
    /^https:\/\/files\.example\/orbifold\/test\/a\?/,
  );
});

t.test("a store that is away, and back", async (t) => {
  const { store, stop, start } = await objectServer(t);
  await store.ping();
  await store.put("kept", Buffer.from("kept"));
  await stop();
  const calls: readonly (() => Promise<unknown>)[] = [
    () => store.ping(),
    () => store.get("kept"),
    () => store.put("new", Buffer.from("new")),
    () => store.delete("kept"),
    () => Array.fromAsync(store.list("")),
  ];
  for (const call of calls) {
    await t.rejects(call, { name: "ObjectStoreUnavailable", code: "unavailable" });
  }
  await start();
  await store.ping();
  t.equal(Buffer.from((await store.get("kept")) ?? []).toString(), "kept");
});

/** A store whose server answers everything in one way. */
async function answering(
  t: Test,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
) {
  const server = createServer((request, response) => {
    request.resume().once("end", () => response.writeHead(status, headers).end(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `s3://key:secret@127.0.0.1:${portOf(server)}/bucket?tls=false`;
  const store = openObjectStore(objectStoreUrl(url));
  t.teardown(() => {
    store[Symbol.dispose]();
    server.close();
    server.closeAllConnections();
  });
  return store;
}

const errorBody = (code: string) => `<Error><Code>${code}</Code><Message>no</Message></Error>`;

t.test("a server that ignores ranges, or sends too much", async (t) => {
  const range = { start: 0, end: 9 };
  const whole = await answering(t, 200, "a".repeat(10));
  await t.rejects(whole.get("a", range), { cause: { message: /not that range/ } });
  const long = await answering(t, 206, "a".repeat(11), { "Content-Length": "11" });
  await t.rejects(long.get("a", range), { cause: { message: /not that range/ } });
  const part = await answering(t, 206, "a".repeat(10), { "Content-Length": "10" });
  t.equal((await part.get("a", range))?.byteLength, 10);
});

t.test("an object that ends before the range is empty there", async (t) => {
  const { store } = await objectServer(t);
  await store.put("short", Buffer.from("short"));
  t.equal((await store.get("short", { start: 5, end: 9 }))?.byteLength, 0);
});

t.test("a refusal, a missing response and a programming error are different errors", async (t) => {
  const headers = { "Content-Type": "application/xml" };
  const refusing = await answering(t, 403, errorBody("AccessDenied"), headers);
  const refused = {
    name: "ObjectStoreUnavailable",
    message: "the object store refuses the request",
  };
  await t.rejects(refusing.put("a", Buffer.from("a")), {
    ...refused,
    cause: { name: "AccessDenied" },
  });
  await t.rejects(refusing.get("a"), refused);
  await t.rejects(refusing.ping(), refused);
  const failing = await answering(t, 500, errorBody("InternalError"), headers);
  await t.rejects(failing.get("a"), { message: "the object store does not answer" });
  await t.rejects(failing.delete(Symbol("a") as never), TypeError);
});

t.test("nothing is stored once the signal has aborted", async (t) => {
  const { store, keys } = await objectServer(t);
  const gone = AbortSignal.abort(new Error("no longer wanted"));
  await t.rejects(store.put("a", Buffer.from("a"), gone), { message: "no longer wanted" });
  t.same(await keys(), []);
});

t.test("a store that hangs", async (t) => {
  const { store, freeze } = await objectServer(t);
  freeze(true);
  await t.rejects(store.ping(), ObjectStoreUnavailable);
  freeze(false);
  await store.ping();
});

t.test("an unknown key or bucket is refused", async (t) => {
  const { url } = await objectServer(t);
  for (const wrong of [
    url.replace("//S3RVER:", "//other:"),
    url.replace("/orbifold/", "/other/"),
  ]) {
    const store = openObjectStore(objectStoreUrl(wrong));
    await t.rejects(store.get("a"), ObjectStoreUnavailable);
    await t.rejects(store.ping(), ObjectStoreUnavailable);
    store[Symbol.dispose]();
  }
});

t.test("the URL names server, bucket, prefix and options", (t) => {
  t.same(objectStoreUrl("s3://key:se%2Fcr%2Bet@s3.example:3900/files/a/b/?region=garage"), {
    endpoint: "https://s3.example:3900",
    publicEndpoint: "https://s3.example:3900",
    region: "garage",
    bucket: "files",
    prefix: "a/b/",
    credentials: { accessKeyId: "key", secretAccessKey: "se/cr+et" },
    isReadOnly: false,
  });
  t.match(objectStoreUrl("s3://host/files?tls=false&readonly=true&public=https://f.example/"), {
    endpoint: "http://host",
    publicEndpoint: "https://f.example",
    prefix: "",
    credentials: null,
    isReadOnly: true,
  });
  const secret = "sEcReT";
  for (const wrong of [
    `https://key:${secret}@host/bucket`,
    `s3://key:${secret}@host`,
    `s3://key:a/${secret}@host/bucket`,
    `s3://key:${secret}@host/b`,
    `s3://key@host/bucket`,
    `s3://key:${secret}@host/bucket/a%20b`,
    `s3://key:${secret}@host/bucket?tls=no`,
    `s3://key:${secret}@host/bucket?colour=red`,
    `s3://key:${secret}@host/bucket?public=files.example`,
    `s3://host/bucket?public=https://user:${secret}@files.example`,
    `s3://host/bucket?public=https://files.example/%23a`,
  ]) {
    const refused = () => readConfig({ OBJECT_STORE_URL: wrong });
    t.throws(refused, { name: "ConfigError", message: /^OBJECT_STORE_URL: expected/ }, wrong);
    try {
      refused();
    } catch (error) {
      t.notMatch(String((error as Error).message), secret);
    }
  }
  t.end();
});

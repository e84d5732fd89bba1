/** Sources, exports and mockups in an object store. */
import { hash } from "node:crypto";
import t, { type Test } from "tap";
import type { Engine } from "../../engine/index.ts";
import { processEngine } from "../helpers/engine.ts";
import { finishedExport, orderExport } from "../helpers/exports.ts";
import { TestClock, until } from "../helpers/jobs.ts";
import { type ObjectServer, objectServer } from "../helpers/object-store.ts";
import { photograph, pngOf } from "../helpers/pictures.ts";
import { type TestServer, testServer } from "../helpers/server.ts";

/** A file of several parts and many chunks: noise does not compress. */
const LARGE = {
  width_mm: 540,
  height_mm: 360,
  dpi: 120,
  format: "tiff",
  surface_effects: [{ id: "grain", params: { strength: 0.5 } }],
};
const SMALL = { width_mm: 30, height_mm: 20, dpi: 100, format: "png" };

const MIB = 2 ** 20;

async function withStore(t: Test) {
  const store = await objectServer(t);
  const server = await testServer(t, { takesJobs: true, objects: store.objects });
  return { store, server };
}

/** The kinds of all objects, without the part of their keys that names the database. */
const kindsOf = async (store: ObjectServer) => (await store.keys()).map((key) => key.split("/")[1]);

const keyOf = async (store: ObjectServer, kind: string) =>
  (await store.keys()).find((key) => key.split("/")[1] === kind) ?? "";

t.test("an export is stored in parts, and downloaded whole and in ranges", async (t) => {
  const { store, server } = await withStore(t);
  const pattern = await server.makePattern();
  const id = await orderExport(server, pattern, LARGE);
  const { file } = await finishedExport(server, id);
  t.ok(file.bytes > 8 * MIB, `${file.bytes} bytes are several parts`);
  t.same(await kindsOf(store), ["exports", "sources"]);
  t.match(await keyOf(store, "exports"), new RegExp(`/exports/${file.sha256}/`));
  const path = `/exports/${id}/file`;
  const whole = await server.request("GET", path);
  t.equal(whole.status, 200);
  t.equal(hash("sha256", whole.bytes), file.sha256);
  const last = file.bytes - 1;
  for (const [start, end] of [
    [0, 0],
    [MIB - 5, 5 * MIB + 5],
    [4 * MIB, 4 * MIB],
    [last - 2, last],
  ] as const) {
    const headers = { Range: `bytes=${start}-${end}` };
    const part = await server.request("GET", path, { headers });
    t.equal(part.status, 206);
    t.ok(part.bytes.equals(whole.bytes.subarray(start, end + 1)), `${start} to ${end}`);
  }
  await store.store.put(await keyOf(store, "exports"), Buffer.from("cut off"));
  const headers = { Range: `bytes=${last - 2}-${last}` };
  const lost = await server.request("GET", path, { headers });
  t.match(lost.json, { status: 500, code: "content_corrupted" });
});

t.test("a whole file is downloaded from the store by who asks for it", async (t) => {
  const { server } = await withStore(t);
  const pattern = await server.makePattern({ name: 'Käte\'s "tiles"' });
  const id = await orderExport(server, pattern, SMALL);
  const { file } = await finishedExport(server, id);
  const url = `${server.url}/api/v1/exports/${id}/file?redirect=true`;
  const options = { headers: { "X-API-Key": server.key }, redirect: "manual" } as const;
  const answer = await fetch(url, options);
  t.equal(answer.status, 307);
  const digest = Buffer.from(file.sha256, "hex").toString("base64");
  t.equal(answer.headers.get("Repr-Digest"), `sha-256=:${digest}:`);
  t.equal(answer.headers.get("Cache-Control"), "no-store");
  const download = await fetch(answer.headers.get("Location") ?? "");
  t.equal(download.headers.get("Content-Type"), "image/png");
  t.match(
    download.headers.get("Content-Disposition"),
    /^inline; filename="Kate's {2}tiles-30x20mm.png"; filename\*=UTF-8''K%C3%A4te%27s%20/,
  );
  t.equal(hash("sha256", Buffer.from(await download.arrayBuffer())), file.sha256);
  const path = `/exports/${id}/file?redirect=true`;
  const followed = await server.request("GET", path, { headers: { Range: "bytes=0-3" } });
  t.equal(followed.status, 206, "ranges are not redirected");
  const known = { "If-None-Match": `"${file.sha256}"` };
  t.equal((await server.request("GET", path, { headers: known })).status, 304);
  t.equal((await server.request("HEAD", path)).status, 200);
  const plain = await fetch(url.replace("?redirect=true", ""), options);
  t.equal(plain.status, 200);
  await plain.body?.cancel();
});

t.test("a picture and a mockup are read from the store", async (t) => {
  const { store, server } = await withStore(t);
  const pattern = await server.makePattern();
  const ordered = await server.request("POST", `/patterns/${pattern}/mockups`, {
    json: { products: ["mug"] },
  });
  const [{ id }] = ordered.json.data;
  // Polling over HTTP would exceed a key's rate limit.
  await until(async () => (await server.db.mockups.get(server.account.id, id))?.status === "done");
  const { bytes: image } = await server.request("GET", `/mockups/${id}/image`);
  t.same(await kindsOf(store), ["mockups", "sources"]);
  t.match(await keyOf(store, "mockups"), new RegExp(`/mockups/${hash("sha256", image)}/`));
  const [source] = (await server.request("GET", "/sources")).json.data;
  t.match(await keyOf(store, "sources"), new RegExp(`/sources/${source.sha256}/`));
  const stored = await server.db.sources.bytes(source.sha256);
  t.equal(hash("sha256", Buffer.from(stored ?? [])), source.sha256);
});

t.test("a changed or missing object is refused", async (t) => {
  const { store, server } = await withStore(t);
  const pattern = await server.makePattern();
  const id = await orderExport(server, pattern, SMALL);
  await finishedExport(server, id);
  const download = () => server.request("GET", `/exports/${id}/file`);
  t.equal((await download()).status, 200);
  const key = await keyOf(store, "exports");
  await store.corrupt(key);
  t.match((await download()).json, { status: 500, code: "content_corrupted" });
  await store.store.delete(key);
  t.match((await download()).json, { status: 500, code: "content_corrupted" });
  const [{ sha256 }] = (await server.request("GET", "/sources")).json.data;
  const read = () => server.db.sources.bytes(sha256);
  await store.corrupt(await keyOf(store, "sources"));
  await t.rejects(read(), { code: "content_corrupted", message: /upload it again/ });
  await store.store.delete(await keyOf(store, "sources"));
  await t.rejects(read(), { code: "content_corrupted" });
  await server.makeSource();
  t.ok(await read(), "an upload of the same picture repairs it");
});

t.test("a store that is away: 503, jobs wait, and all goes on when it is back", async (t) => {
  const { store, server } = await withStore(t);
  const pattern = await server.makePattern();
  const made = await orderExport(server, pattern, SMALL);
  await finishedExport(server, made);
  await store.stop();
  const path = `/exports/${made}/file`;
  const away = { status: 503, code: "unavailable", detail: "the object store does not answer" };
  const refused = await server.request("GET", path);
  t.match(refused.json, away);
  t.equal(refused.headers.get("Retry-After"), "2");
  await until(() => server.log.some(({ problem }) => problem === "unavailable"));
  const logged = server.log.find(({ problem }) => problem === "unavailable");
  t.match(logged, { level: "warn", status: 503, error: { stack: /caused by .*ECONNREFUSED/ } });
  const form = new FormData();
  const picture = new Blob([Buffer.from(pngOf(photograph(40, 30)))], { type: "image/png" });
  form.append("file", picture, "small.png");
  t.match((await server.request("POST", "/sources/upload", { body: form })).json, away);
  t.equal((await server.request("GET", "/sources")).json.data.length, 1, "nothing was created");
  t.equal((await server.request("GET", `/patterns/${pattern}/render?size=64`)).status, 200);
  const waiting = await orderExport(server, pattern, SMALL);
  const isNow = (status: string) => async () =>
    (await server.db.exports.get(server.account.id, waiting))?.status === status;
  await until(isNow("running"));
  await until(isNow("queued"));
  await store.start();
  t.equal((await finishedExport(server, waiting)).status, "done");
  t.equal((await server.request("GET", path)).status, 200);
});

/** Has jobs done whose clock runs fast. Resolves with a function that waits until something is so. */
async function takeJobsQuickly(server: TestServer) {
  const clock = new TestClock();
  await server.takeJobs({ clock });
  return (isSo: () => Promise<boolean>) =>
    until(async () => {
      await clock.tick(5000);
      return isSo();
    });
}

t.test("a mockup outlasts an outage of any length", async (t) => {
  const store = await objectServer(t);
  const server = await testServer(t, { objects: store.objects });
  const pattern = await server.makePattern();
  const order = async (product: string) => {
    const json = { products: [product] };
    return (await server.request("POST", `/patterns/${pattern}/mockups`, { json })).json.data[0].id;
  };
  const isDone = async (id: number) => {
    const found = await server.db.mockups.get(server.account.id, id);
    if (found?.status === "failed") throw new Error(found.error ?? "");
    return found?.status === "done";
  };
  const comesAbout = await takeJobsQuickly(server);
  // The source is in the process's cache from here on: only storing the picture fails.
  const before = await order("cushion");
  await comesAbout(() => isDone(before));
  await store.stop();
  const waiting = await order("mug");
  await comesAbout(async () => ((await server.db.listJobs({ limit: 1 }))[0]?.tries ?? 0) > 22);
  await store.start();
  await comesAbout(() => isDone(waiting));
});

t.test("nothing is rendered while it could not be stored", async (t) => {
  const store = await objectServer(t);
  const engine = await processEngine();
  const rendered: string[] = [];
  const counting: Engine = {
    ...engine,
    print: (...given) => {
      rendered.push("export");
      return engine.print(...given);
    },
    drawMockup: (...given) => {
      rendered.push("mockup");
      return engine.drawMockup(...given);
    },
  };
  const server = await testServer(t, { objects: store.objects, engine: counting });
  const pattern = await server.makePattern();
  // The source is in the process's cache from here on.
  t.equal((await server.request("GET", `/patterns/${pattern}/render?size=64`)).status, 200);
  await store.stop();
  const id = await orderExport(server, pattern, SMALL);
  const json = { products: ["cushion"] };
  await server.request("POST", `/patterns/${pattern}/mockups`, { json });
  const comesAbout = await takeJobsQuickly(server);
  await comesAbout(async () => {
    const jobs = await server.db.listJobs({ limit: 2 });
    return jobs.length === 2 && jobs.every(({ tries }) => tries > 2);
  });
  t.same(rendered, []);
  await store.start();
  await comesAbout(async () => {
    const made = await server.db.exports.get(server.account.id, id);
    return made?.status === "done" && rendered.length === 2;
  });
  t.same(rendered.sort(), ["export", "mockup"]);
});

t.test("a deleted account leaves no objects", async (t) => {
  const { store, server } = await withStore(t);
  const pattern = await server.makePattern();
  await finishedExport(server, await orderExport(server, pattern, SMALL));
  t.equal((await store.keys()).length, 2);
  await server.db.accounts.delete(server.account.id, false);
  await server.db.deleteRemoved({ graceMs: 0 });
  t.same(await store.keys(), []);
});

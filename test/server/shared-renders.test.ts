/** Nodes share their pictures through an object store, and render where it does not help. */
import { randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import t, { type Test } from "tap";
import type { RenderCacheOptions, SharedResult } from "../../server/render-cache/index.ts";
import {
  createSharedRenders,
  type SharedOptions,
  type SharedStore,
} from "../../server/render-cache/shared-renders.ts";
import { until } from "../helpers/jobs.ts";
import { type ObjectServer, objectServer } from "../helpers/object-store.ts";
import {
  bytesOf,
  fakeRenderer,
  filesIn,
  MIB,
  nameOf,
  neverAborted,
  openCache,
  reading,
} from "../helpers/render-cache.ts";

const HOUR_MS = 60 * 60_000;

const keyOf = (number: number) => `renders/${nameOf(number)}`;

/** A cache in a folder of its own, as on a node of its own; without time limits that decide. */
async function node(
  t: Test,
  { store }: ObjectServer,
  { maximumBytes = 256 * MIB, ...options }: Partial<SharedOptions & RenderCacheOptions> = {},
) {
  const results: SharedResult[] = [];
  const errors: unknown[] = [];
  const shared = {
    store,
    days: 1,
    dailyBytes: 256 * MIB,
    firstMs: HOUR_MS,
    fetchMs: HOUR_MS,
    onResult: (result: SharedResult) => void results.push(result),
    onError: (error: unknown) => void errors.push(error),
    ...options,
  };
  const opened = await openCache(t, { maximumBytes, shared });
  const render = (number: number, pieces: readonly Uint8Array[], isCostly = true) => {
    const { makeWhole } = fakeRenderer(pieces);
    return opened.cache.getOrRender(nameOf(number), makeWhole, neverAborted(), isCostly);
  };
  return { ...opened, results, errors, render };
}

/** Waits until a node has stored a picture. */
const isStored = ({ results }: { readonly results: readonly SharedResult[] }) =>
  until(() => results.includes("stored"));

t.test("a picture that one node has rendered is not rendered by another", async (t) => {
  const server = await objectServer(t);
  const [a, b] = [await node(t, server), await node(t, server)];
  const bytes = randomBytes(3 * MIB + 5);
  const first = await a.render(1, [bytes]);
  await isStored(a);
  const elsewhere = fakeRenderer([bytes]);
  const wait = neverAborted();
  const found = await b.cache.getOrRender(nameOf(1), elsewhere.makeWhole, wait, true);
  t.equal(elsewhere.seen.made, 0);
  t.ok(bytes.equals(found.bytes ?? new Uint8Array(0)));
  t.match(found, { strain: 0.01, backend: "webasm", digest: first.digest ?? {}, timings: null });
  t.same([a.results, b.results], [["miss", "stored"], ["hit"]]);
  await server.stop();
  t.ok(await b.cache.find(nameOf(1)), "it is in the other node's folder from then on");
  t.same([a.errors, b.errors, a.failures, b.failures], [[], [], [], []]);
});

t.test("a large picture is shared once it is whole", async (t) => {
  const server = await objectServer(t);
  const [a, b] = [await node(t, server), await node(t, server)];
  const pieces = Array.from({ length: 21 }, () => randomBytes(MIB));
  const picture = Buffer.concat(pieces);
  const one = fakeRenderer(pieces);
  t.ok((await bytesOf(await a.cache.getOrStream(nameOf(1), one.make, reading()))).equals(picture));
  await isStored(a);
  const other = fakeRenderer(pieces);
  const found = await b.cache.getOrStream(nameOf(1), other.make, reading());
  t.equal(found.digest?.length, picture.length, "its length is known at once");
  t.ok((await bytesOf(found)).equals(picture));
  t.ok((await bytesOf(found, 5 * MIB - 2, 5 * MIB + 2)).length === 5);
  t.equal(other.seen.made, 0);
});

t.test("what is rendered quickly is not shared, nor looked for", async (t) => {
  const server = await objectServer(t);
  const a = await node(t, server);
  await a.render(1, [randomBytes(1000)], false);
  await a.cache.close();
  t.same([a.results, await server.keys()], [[], []]);
});

t.test("a damaged picture is rendered and stored again", async (t) => {
  const server = await objectServer(t);
  const [a, b, c] = [await node(t, server), await node(t, server), await node(t, server)];
  const pieces = [randomBytes(2 * MIB)];
  await a.render(1, pieces);
  await isStored(a);
  await server.corrupt(keyOf(1));
  t.ok((await b.render(1, pieces)).timings, "it was rendered");
  await isStored(b);
  t.same(b.results, ["failure", "stored"]);
  t.match(b.errors, [{ cause: { message: /is damaged: its SHA-256 differs/ } }]);
  t.equal((await c.render(1, pieces)).timings, null);
  await server.store.put(keyOf(2), Buffer.from("cut off"));
  t.ok((await c.render(2, pieces)).timings);
  t.match(c.errors, [{ cause: { message: "the file is incomplete: it has no footer" } }]);
  const named = await server.store.get(keyOf(1));
  await server.store.put(keyOf(3), named ?? new Uint8Array(0));
  t.ok((await c.render(3, pieces)).timings, "a picture under another's name is damaged, too");
});

t.test("a store that is away is soon not asked, and nobody fails", async (t) => {
  const server = await objectServer(t);
  const a = await node(t, server);
  await server.stop();
  for (let number = 1; number <= 6; number++)
    t.ok((await a.render(number, [randomBytes(9)])).bytes);
  const counted = (wanted: SharedResult) => a.results.filter((result) => result === wanted).length;
  t.equal(counted("failure"), 3);
  t.equal(counted("skipped"), 3);
  await until(() => counted("dropped") === 6);
  t.match(a.errors, [{ name: "ObjectStoreUnavailable" }, { name: "ObjectStoreUnavailable" }]);
  t.equal(a.errors.length, 2, "once for looks, once for storing");
});

t.test("a store that breaks off large pictures is still asked", async (t) => {
  const server = await objectServer(t);
  const store: SharedStore = {
    ...server.store,
    get: async (key, range, signal) => {
      if (range.start > 0) throw new Error("broken off");
      return server.store.get(key, range, signal);
    },
  };
  const [a, b] = [await node(t, server), await node(t, server, { store })];
  const pieces = [randomBytes(2 * MIB)];
  for (let number = 1; number <= 4; number++) {
    await a.render(number, pieces);
    await until(() => a.results.filter((result) => result === "stored").length === number);
    t.ok((await b.render(number, pieces)).timings, "it was rendered");
  }
  t.equal(b.results.filter((result) => result === "failure").length, 4);
  t.same(new Set(b.errors.map((error) => (error as Error).message)), new Set(["broken off"]));
  await b.render(5, [randomBytes(9)]);
  t.ok(b.results.includes("miss"));
});

t.test("what waits to be stored is not sent to a store that fails", async (t) => {
  const server = await objectServer(t);
  let sent = 0;
  const store: SharedStore = {
    ...server.store,
    put: async () => {
      sent++;
      throw new Error("denied");
    },
  };
  const a = await node(t, server, { store });
  for (let number = 1; number <= 9; number++) await a.render(number, [randomBytes(9)]);
  await until(() => a.results.filter((result) => result === "dropped").length === 9);
  t.ok(sent <= 4, `${sent} are sent: three, and one beside the third`);
  t.same(a.errors, [new Error("denied")]);
});

t.test("a store that hangs delays renders by a moment only, and not the end", async (t) => {
  const server = await objectServer(t);
  const a = await node(t, server, { firstMs: 50 });
  server.freeze(true);
  const all = Array.from({ length: 50 }, (_, number) => a.render(number, [randomBytes(9)]));
  t.equal((await Promise.all(all)).length, 50);
  t.ok(a.results.includes("skipped"), "a few ask at a time");
  t.match(a.errors, [{ message: "the object store did not answer in 50 ms" }]);
  await until(() => a.results.includes("dropped"));
  await a.cache.close();
  server.freeze(false);
});

t.test(
  "who leaves while the store is asked gets the own reason, and nothing is rendered",
  async (t) => {
    const server = await objectServer(t);
    const asked = Promise.withResolvers<AbortSignal>();
    const ended = Promise.withResolvers<void>();
    const store: SharedStore = {
      ...server.store,
      get: async (key, range, signal) => {
        asked.resolve(signal);
        return server.store.get(key, range, signal).finally(ended.resolve);
      },
    };
    const a = await node(t, server, { store });
    server.freeze(true);
    const stop = new AbortController();
    const { makeWhole, seen } = fakeRenderer([randomBytes(9)]);
    const asking = a.cache.getOrRender(nameOf(1), makeWhole, stop.signal, true);
    const signal = await asked.promise;
    stop.abort(new Error("left"));
    await t.rejects(asking, { message: "left" });
    await ended.promise;
    await setImmediate();
    t.ok(signal.aborted);
    t.equal(seen.made, 0);
    t.same(a.results, [], "that is no failure of the store");
    server.freeze(false);
  },
);

t.test("for requests that would be refused the store is asked a few times a second", async (t) => {
  const server = await objectServer(t);
  const [a, b] = [await node(t, server), await node(t, server)];
  await a.render(1, [randomBytes(9)]);
  await isStored(a);
  const find = (number: number) => b.cache.findShared(nameOf(number), neverAborted());
  t.equal((await find(1))?.timings, null);
  const tries = 1000;
  for (let number = 2; number < tries; number++) await find(number);
  const asked = b.results.filter((result) => result === "miss").length;
  t.ok(asked > 0 && asked < tries / 2, `${asked} requests for ${tries} pictures`);
  t.ok((await b.render(tries, [randomBytes(9)])).timings);
  t.equal(b.results.at(-1), "miss", "others look as before");
  server.freeze(true);
  const c = await node(t, server, { firstMs: 100 });
  const looks = [1, 2, 3, 4, 5].map((number) => c.cache.findShared(nameOf(number), neverAborted()));
  await Promise.all([...looks, c.render(6, [randomBytes(9)])]);
  t.same(c.results.slice(0, 6), ["skipped", ...Array(5).fill("failure")], "others have places");
});

t.test("a picture that is too large for a node's folder is rendered there", async (t) => {
  const server = await objectServer(t);
  const [a, b] = [await node(t, server), await node(t, server, { maximumBytes: 9 * MIB })];
  const bytes = randomBytes(6 * MIB);
  await a.render(1, [bytes]);
  await isStored(a);
  t.ok((await b.render(1, [bytes])).timings, "it was rendered");
  await b.cache.close();
  t.same([b.results, b.errors], [["miss"], []]);
  t.same(await filesIn(b.folder), [], "no draft is left");
});

t.test("a process stores so many bytes a day", async (t) => {
  const server = await objectServer(t);
  const a = await node(t, server, { dailyBytes: 2 * MIB });
  await a.render(1, [randomBytes(MIB)]);
  await isStored(a);
  await a.render(2, [randomBytes(MIB)]);
  await until(() => a.results.includes("dropped"));
  await a.render(3, [randomBytes(1000)]);
  await until(() => a.results.length === 6);
  t.same(a.results, ["miss", "stored", "miss", "dropped", "miss", "stored"]);
  t.same(await server.keys(), [keyOf(1), keyOf(3)]);
});

t.test("pictures are deleted after some days, and nothing else", async (t) => {
  const server = await objectServer(t);
  const a = await node(t, server);
  await a.render(1, [randomBytes(9)]);
  await isStored(a);
  await server.store.put("installation/sources/a/b", Buffer.from("a"));
  const options = {
    store: server.store,
    dailyBytes: 0,
    onResult: () => undefined,
    onError: (error: unknown) => t.error(error),
  };
  const expiring = async (days: number) => {
    const shared = createSharedRenders({ ...options, days });
    await shared.deleteExpired();
    await shared.close();
    return server.keys();
  };
  t.same(await expiring(1), ["installation/sources/a/b", keyOf(1)]);
  t.same(await expiring(0), ["installation/sources/a/b"]);
});

t.test("an object that cannot be deleted keeps no others", async (t) => {
  const server = await objectServer(t);
  for (const number of [1, 2, 3]) await server.store.put(keyOf(number), Buffer.from("a"));
  const store: SharedStore = {
    ...server.store,
    delete: async (key, signal) => {
      if (key === keyOf(1)) throw new Error("denied");
      await server.store.delete(key, signal);
    },
  };
  const ignore = () => undefined;
  const options = { store, days: 0, dailyBytes: 0, onResult: ignore, onError: ignore };
  const shared = createSharedRenders(options);
  await t.rejects(shared.deleteExpired(), { message: "denied" });
  await shared.close();
  t.same(await server.keys(), [keyOf(1)]);
});

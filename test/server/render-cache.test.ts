/** The render cache: renders are made once, and shared while they are made. */
import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import t from "tap";
import type { RenderCacheOptions, StreamedPicture } from "../../server/render-cache/index.ts";
import { until } from "../helpers/jobs.ts";
import {
  bytesOf,
  collectPicture,
  fakeRenderer,
  filesIn,
  MIB,
  nameOf,
  neverAborted,
  openCache,
  reading,
  untilKept,
} from "../helpers/render-cache.ts";

t.test("renders a picture once for concurrent and later callers", async (t) => {
  const { cache, folder, failures } = await openCache(t);
  const bytes = randomBytes(5000);
  const go = Promise.withResolvers<void>();
  const { seen, makeWhole } = fakeRenderer(
    [bytes.subarray(0, 100), bytes.subarray(100)],
    go.promise,
  );
  const all = Array.from({ length: 20 }, () =>
    cache.getOrRender(nameOf(1), makeWhole, neverAborted()),
  );
  go.resolve();
  for (const picture of await Promise.all(all)) {
    t.same(picture.bytes, bytes);
    t.match(picture, { strain: 0.01, backend: "webasm", digest: { length: 5000 } });
  }
  const later = await cache.getOrRender(nameOf(1), makeWhole, neverAborted());
  t.same([later.bytes, later.timings], [bytes, null]);
  t.equal(seen.made, 1);
  const other = fakeRenderer([bytes]);
  await cache.getOrRender(nameOf(2), other.makeWhole, neverAborted());
  t.equal(other.seen.made, 1, "another name is another picture");

  await untilKept(folder, 2);
  const elsewhere = await openCache(t, { folder });
  const cached = await elsewhere.cache.getOrRender(nameOf(1), makeWhole, neverAborted());
  t.same(cached.bytes, bytes, "another process finds it, too");
  t.equal(cached.digest?.sha256, later.digest?.sha256);
  t.equal(seen.made, 1);
  t.equal(await elsewhere.cache.find(nameOf(3)), null);
  t.same(failures, []);
});

t.test("a picture is in memory from its second request on", async (t) => {
  const { cache } = await openCache(t);
  const { seen, makeWhole } = fakeRenderer([Buffer.alloc(1000, 1)]);
  const ask = () => cache.getOrRender(nameOf(1), makeWhole, neverAborted());
  await ask();
  await until(() => cache.bytes().disk > 0 && cache.inMemory(nameOf(1)) === null);
  t.equal(cache.bytes().memory, 0);
  t.equal((await bytesOf(await ask())).length, 1000);
  t.ok(cache.bytes().memory > 0);
  t.equal(seen.made, 1);
});

t.test("a picture that the folder does not take is in memory at once", async (t) => {
  const nothing = async () => undefined;
  const cases: Record<string, [Partial<RenderCacheOptions>, (folder: string) => Promise<unknown>]> =
    {
      "it is too large": [{ maximumBytes: 1500 }, nothing],
      "it cannot be written": [
        {},
        async (folder) => {
          await rm(join(folder, "drafts"), { recursive: true });
          await writeFile(join(folder, "drafts"), "");
        },
      ],
      "there is no folder": [{ maximumBytes: 0 }, nothing],
    };
  for (const [why, [options, prepare]] of Object.entries(cases)) {
    const { cache, folder } = await openCache(t, options);
    await prepare(folder);
    const { seen, makeWhole } = fakeRenderer([Buffer.alloc(1000, 1)]);
    const ask = () => cache.getOrRender(nameOf(1), makeWhole, neverAborted());
    await ask();
    await until(() => cache.bytes().memory > 0);
    t.equal((await bytesOf(await ask())).length, 1000, why);
    t.equal(seen.made, 1, why);
  }
});

t.test("streams a picture to many readers at their own speed", async (t) => {
  const { cache, folder } = await openCache(t);
  const pieces = Array.from({ length: 12 }, () => randomBytes(MIB));
  const picture = Buffer.concat(pieces);
  const go = Promise.withResolvers<void>();
  const { seen, make } = fakeRenderer(pieces, go.promise);
  const first = await cache.getOrStream(nameOf(1), make, reading());
  t.equal(first.digest, null, "it is given before it is whole");
  const reader = first.read(0, Number.POSITIVE_INFINITY)[Symbol.asyncIterator]();
  t.notOk((await reader.next()).done);
  const second = await cache.getOrStream(nameOf(1), make, reading());
  const early = bytesOf(second);
  go.resolve();
  t.ok((await early).equals(picture));
  // The first reader stalls, and still it is made and stored.
  await until(async () => (await cache.find(nameOf(1))) !== null);
  const rest: Uint8Array[] = [];
  for (let next = await reader.next(); !next.done; next = await reader.next())
    rest.push(next.value);
  t.ok(Buffer.concat(rest).equals(picture.subarray(picture.length - Buffer.concat(rest).length)));
  const later = await cache.getOrStream(nameOf(1), make, reading());
  t.match(later, { digest: { length: picture.length }, bytes: null, timings: null });
  t.ok((await bytesOf(later, MIB - 3, MIB + 3)).equals(picture.subarray(MIB - 3, MIB + 4)));
  t.equal(seen.made, 1);
  t.equal((await filesIn(folder)).length, 1, "no draft is left");
});

t.test("cancels the render when the last reader leaves, not before", async (t) => {
  const { cache, folder } = await openCache(t);
  const leaving = () => {
    const stop = new AbortController();
    return { stop, signal: stop.signal, wait: stop.signal };
  };
  const forWhole = Promise.withResolvers<void>();
  const one = fakeRenderer([randomBytes(10), randomBytes(10)], forWhole.promise);
  const [a, b] = [leaving(), leaving()];
  const waiting = [a, b].map((who) => cache.getOrRender(nameOf(1), one.makeWhole, who.wait));
  await until(() => one.seen.made === 1);
  a.stop.abort(new Error("a left"));
  await t.rejects(waiting[0], { message: "a left" });
  t.equal(one.seen.stopped, 0);
  b.stop.abort(new Error("b left"));
  await t.rejects(waiting[1], { message: "b left" });
  t.equal(one.seen.stopped, 1);
  const again = cache.getOrRender(nameOf(1), one.makeWhole, neverAborted());
  forWhole.resolve();
  t.equal((await again).bytes?.length, 20, "later readers do not get the error");
  t.equal(one.seen.made, 2);

  const forGrowth = Promise.withResolvers<void>();
  const two = fakeRenderer([randomBytes(10), randomBytes(10)], forGrowth.promise);
  const [c, d] = [leaving(), leaving()];
  const seats = [
    await cache.getOrStream(nameOf(2), two.make, c),
    await cache.getOrStream(nameOf(2), two.make, d),
  ];
  const reading = seats[1]?.read(0, 99)[Symbol.asyncIterator]();
  await reading?.next();
  c.stop.abort();
  t.equal(two.seen.stopped, 0);
  await reading?.return?.();
  t.equal(two.seen.stopped, 1);
  forGrowth.resolve();
  await untilKept(folder, 1);
  t.equal(await cache.find(nameOf(2)), null, "an incomplete picture is not cached");
});

t.test("a reader after a cancellation gets a new render", async (t) => {
  const { cache, folder } = await openCache(t);
  const never = new Promise<void>(() => undefined);
  const slow = fakeRenderer([randomBytes(10), randomBytes(10)], never);
  const stop = new AbortController();
  const asked = { signal: stop.signal, wait: stop.signal };
  const left = await cache.getOrStream(nameOf(1), slow.make, asked);
  stop.abort(new Error("left"));
  t.equal(slow.seen.stopped, 1);
  await t.rejects(bytesOf(left), { message: "left" });
  const quick = fakeRenderer([randomBytes(10), randomBytes(10)]);
  t.equal((await bytesOf(await cache.getOrStream(nameOf(1), quick.make, reading()))).length, 20);
  t.equal(quick.seen.made, 1);
  const gone = { signal: stop.signal, wait: stop.signal };
  await t.rejects(cache.getOrStream(nameOf(2), quick.make, gone), { message: "left" });
  t.equal(quick.seen.made, 1, "who has left already makes nothing");
  await until(async () => (await filesIn(folder)).some((file) => file.endsWith(nameOf(1))));
});

t.test("a reader that starts late, or never, does not block others", async (t) => {
  const { cache } = await openCache(t);
  const bytes = randomBytes(3 * MIB);
  const { make } = fakeRenderer([bytes.subarray(0, MIB), bytes.subarray(MIB)]);
  const stop = new AbortController();
  const first = await cache.getOrStream(nameOf(1), make, reading());
  const late = await cache.getOrStream(nameOf(1), make, reading());
  const never = { signal: stop.signal, wait: stop.signal };
  await cache.getOrStream(nameOf(1), make, never);
  t.ok((await bytesOf(first)).equals(bytes));
  await cache.close();
  t.ok((await bytesOf(late)).equals(bytes), "it was seated before the end");
  const begunAndLeft = (await cache.getOrStream(nameOf(1), make, reading())).read(0, 9);
  await begunAndLeft[Symbol.asyncIterator]().return?.();
  stop.abort();
});

t.test("readers get the render's error, and nothing is cached", async (t) => {
  const { cache, folder, failures } = await openCache(t);
  const broken = new Error("broken");
  const make = async (): Promise<StreamedPicture<string>> => ({
    strain: 0,
    backend: "cpu",
    timings: Promise.resolve(""),
    body: (async function* () {
      yield randomBytes(10);
      await delay(10);
      throw broken;
    })(),
  });
  await t.rejects(
    cache.getOrRender(nameOf(1), async () => collectPicture(await make()), neverAborted()),
    broken,
  );
  const picture = await cache.getOrStream(nameOf(1), make, reading());
  await t.rejects(bytesOf(picture), broken);
  await untilKept(folder, 0);
  const good = fakeRenderer([randomBytes(10)]);
  t.equal((await cache.getOrRender(nameOf(1), good.makeWhole, neverAborted())).bytes?.length, 10);
  t.same(failures, []);
});

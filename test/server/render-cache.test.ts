/** Kept pictures: made once, shared while they are made, bounded, safe against half-written files. */
import { randomBytes } from "node:crypto";
import { chmod, readdir, readFile, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import t, { type Test } from "tap";
import {
  type Making,
  openRenderCache,
  type Picture,
  type RenderCacheOptions,
} from "../../server/render-cache/index.ts";
import { temporaryFolder } from "../helpers/database.ts";
import { until } from "../helpers/jobs.ts";

const MIB = 1024 * 1024;
const nameOf = (number: number) => number.toString(16).padStart(64, "0");

async function open(t: Test, options: Partial<RenderCacheOptions> = {}) {
  const folder = options.folder ?? (await temporaryFolder(t));
  const failures: unknown[] = [];
  const cache = await openRenderCache<string>({
    maximumBytes: 64 * MIB,
    memoryBytes: MIB,
    failed: (error) => failures.push(error),
    ...options,
    folder,
  });
  t.teardown(() => cache.close());
  return { cache, folder, failures };
}

/** Pictures that are made piece by piece, when `go` says so; counts how many were begun and stopped. */
function painter(pieces: readonly Uint8Array[], go: Promise<unknown> = Promise.resolve()) {
  const seen = { made: 0, stopped: 0 };
  const make = async (signal: AbortSignal): Promise<Making<string>> => {
    seen.made++;
    signal.addEventListener("abort", () => seen.stopped++, { once: true });
    async function* body() {
      const [first, ...rest] = pieces;
      if (first) yield first;
      await go;
      for (const piece of rest) {
        signal.throwIfAborted();
        yield piece;
      }
    }
    return { strain: 0.01, backend: "webasm", body: body(), timings: Promise.resolve("fast") };
  };
  return { seen, make };
}

const staying = () => {
  const { signal } = new AbortController();
  return { signal, wait: signal };
};
const whole = () => ({ isWhole: true, ...staying() });
const growing = () => ({ isWhole: false, ...staying() });

async function bytesOf(picture: Picture<string>, start = 0, end = Number.POSITIVE_INFINITY) {
  return Buffer.concat(await Array.fromAsync(picture.read(start, end)));
}

async function filesIn(folder: string) {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map((one) => join(one.parentPath, one.name));
}

/** Waits until so many pictures lie there, and no draft. */
const untilKept = (folder: string, count: number) =>
  until(async () => {
    const files = await filesIn(folder);
    return files.length === count && files.every((file) => !file.includes("drafts"));
  });

t.test("a picture is made once for all who ask, now and later", async (t) => {
  const { cache, folder, failures } = await open(t);
  const bytes = randomBytes(5000);
  const go = Promise.withResolvers<void>();
  const { seen, make } = painter([bytes.subarray(0, 100), bytes.subarray(100)], go.promise);
  const all = Array.from({ length: 20 }, () => cache.picture(nameOf(1), make, whole()));
  go.resolve();
  for (const picture of await Promise.all(all)) {
    t.same(picture.bytes, bytes);
    t.match(picture, { strain: 0.01, backend: "webasm", whole: { length: 5000 } });
  }
  const later = await cache.picture(nameOf(1), make, whole());
  t.same([later.bytes, later.timings], [bytes, null]);
  t.equal(seen.made, 1);
  const other = painter([bytes]);
  await cache.picture(nameOf(2), other.make, whole());
  t.equal(other.seen.made, 1, "another name is another picture");

  await untilKept(folder, 2);
  const elsewhere = await open(t, { folder });
  const kept = await elsewhere.cache.picture(nameOf(1), make, whole());
  t.same(kept.bytes, bytes, "another process finds it, too");
  t.equal(kept.whole?.sha256, later.whole?.sha256);
  t.equal(seen.made, 1);
  t.equal(await elsewhere.cache.find(nameOf(3)), null);
  t.same(failures, []);
});

t.test("a picture that is being made is read by all who come, at their own speed", async (t) => {
  const { cache, folder } = await open(t);
  const pieces = Array.from({ length: 12 }, () => randomBytes(MIB));
  const picture = Buffer.concat(pieces);
  const go = Promise.withResolvers<void>();
  const { seen, make } = painter(pieces, go.promise);
  const first = await cache.picture(nameOf(1), make, growing());
  t.equal(first.whole, null, "it is given before it is whole");
  const reader = first.read(0, Number.POSITIVE_INFINITY)[Symbol.asyncIterator]();
  t.notOk((await reader.next()).done);
  const second = await cache.picture(nameOf(1), make, growing());
  const early = bytesOf(second);
  go.resolve();
  t.ok((await early).equals(picture));
  // The first reader stands still, and still it is made and kept.
  await until(async () => (await cache.find(nameOf(1))) !== null);
  const rest: Uint8Array[] = [];
  for (let next = await reader.next(); !next.done; next = await reader.next())
    rest.push(next.value);
  t.ok(Buffer.concat(rest).equals(picture.subarray(picture.length - Buffer.concat(rest).length)));
  const later = await cache.picture(nameOf(1), make, growing());
  t.match(later, { whole: { length: picture.length }, bytes: null, timings: null });
  t.ok((await bytesOf(later, MIB - 3, MIB + 3)).equals(picture.subarray(MIB - 3, MIB + 4)));
  t.equal(seen.made, 1);
  t.equal((await filesIn(folder)).length, 1, "no draft is left");
});

t.test("the making ends when all have left, and not before", async (t) => {
  const { cache, folder } = await open(t);
  const leaving = () => {
    const stop = new AbortController();
    return { stop, signal: stop.signal, wait: stop.signal };
  };
  const forWhole = Promise.withResolvers<void>();
  const one = painter([randomBytes(10), randomBytes(10)], forWhole.promise);
  const [a, b] = [leaving(), leaving()];
  const waiting = [a, b].map((who) =>
    cache.picture(nameOf(1), one.make, { isWhole: true, ...who }),
  );
  await until(() => one.seen.made === 1);
  a.stop.abort(new Error("a left"));
  await t.rejects(waiting[0] as Promise<unknown>, { message: "a left" });
  t.equal(one.seen.stopped, 0);
  b.stop.abort(new Error("b left"));
  await t.rejects(waiting[1] as Promise<unknown>, { message: "b left" });
  t.equal(one.seen.stopped, 1);
  const again = cache.picture(nameOf(1), one.make, whole());
  forWhole.resolve();
  t.equal((await again).bytes?.length, 20, "who comes then is not told of it");
  t.equal(one.seen.made, 2);

  const forGrowth = Promise.withResolvers<void>();
  const two = painter([randomBytes(10), randomBytes(10)], forGrowth.promise);
  const [c, d] = [leaving(), leaving()];
  const seats = [
    await cache.picture(nameOf(2), two.make, { isWhole: false, ...c }),
    await cache.picture(nameOf(2), two.make, { isWhole: false, ...d }),
  ];
  const reading = seats[1]?.read(0, 99)[Symbol.asyncIterator]();
  await reading?.next();
  c.stop.abort();
  t.equal(two.seen.stopped, 0);
  await reading?.return?.();
  t.equal(two.seen.stopped, 1);
  forGrowth.resolve();
  await untilKept(folder, 1);
  t.equal(await cache.find(nameOf(2)), null, "what was not finished is not kept");
});

t.test("what breaks a picture is told to its readers, and nothing of it is kept", async (t) => {
  const { cache, folder, failures } = await open(t);
  const broken = new Error("broken");
  const make = async (): Promise<Making<string>> => ({
    strain: 0,
    backend: "cpu",
    timings: Promise.resolve(""),
    body: (async function* () {
      yield randomBytes(10);
      await delay(10);
      throw broken;
    })(),
  });
  await t.rejects(cache.picture(nameOf(1), make, whole()), broken);
  const picture = await cache.picture(nameOf(1), make, growing());
  await t.rejects(bytesOf(picture), broken);
  await untilKept(folder, 0);
  const good = painter([randomBytes(10)]);
  t.equal((await cache.picture(nameOf(1), good.make, whole())).bytes?.length, 10);
  t.same(failures, []);
});

t.test("a file that is cut off or changed is no picture", async (t) => {
  const { cache, folder } = await open(t);
  const { make } = painter([randomBytes(9000)]);
  for (let number = 0; number < 4; number++) await cache.picture(nameOf(number), make, whole());
  await untilKept(folder, 4);
  const files = (await filesIn(folder)).toSorted();
  const [cut, empty, changed, changedFacts] = files as [string, string, string, string];
  await truncate(cut, 8000);
  await truncate(empty, 0);
  const content = await readFile(changed);
  content[5000] = (content[5000] ?? 0) ^ 1;
  await writeFile(changed, content);
  const facts = await readFile(changedFacts);
  facts.writeUInt32BE(2 ** 31, facts.length - 21);
  await writeFile(changedFacts, facts);
  const { cache: fresh } = await open(t, { folder });
  const again = painter([randomBytes(9000)]);
  for (let number = 0; number < 4; number++) {
    t.equal(await fresh.find(nameOf(number)), null);
    await fresh.picture(nameOf(number), again.make, whole());
  }
  t.equal(again.seen.made, 4);
});

t.test("the folder stays within its bound, and what was used last stays", async (t) => {
  const { cache, folder } = await open(t, { maximumBytes: 10 * MIB, memoryBytes: 1 });
  const { make } = painter([randomBytes(MIB)]);
  for (let number = 0; number < 30; number++) {
    await cache.picture(nameOf(number), make, whole());
    await until(async () => (await cache.find(nameOf(number))) !== null);
    // A file system may not tell the order of what was written within a moment.
    for (const file of await filesIn(folder)) {
      const age = file.endsWith(nameOf(3)) ? 0 : 1000 - Number.parseInt(file.slice(-3), 16);
      await utimes(file, Date.now() / 1000 - age, Date.now() / 1000 - age).catch(() => undefined);
    }
  }
  const bytes = (await filesIn(folder)).length;
  t.ok(bytes >= 8 && bytes <= 11, `${bytes} files of a MiB`);
  t.ok(await cache.find(nameOf(29)));
  t.ok(await cache.find(nameOf(3)), "it was in use all the time");
  t.equal(await cache.find(nameOf(10)), null);
});

t.test("drafts of processes that died go; those of the living stay", async (t) => {
  const { folder } = await open(t);
  const [old, young] = [join(folder, "drafts", "old"), join(folder, "drafts", "young")];
  await writeFile(old, "half");
  await writeFile(young, "half");
  await utimes(old, Date.now() / 1000 - 7200, Date.now() / 1000 - 7200);
  await open(t, { folder });
  t.same(await filesIn(folder), [young]);
});

const skip = process.getuid?.() === 0 && "root may write everywhere";

t.test("without its folder pictures are made all the same", { skip }, async (t) => {
  const { cache, folder, failures } = await open(t, { memoryBytes: 0 });
  await chmod(join(folder, "drafts"), 0o500);
  const { seen, make } = painter([randomBytes(10), randomBytes(10)]);
  t.equal((await cache.picture(nameOf(1), make, whole())).bytes?.length, 20);
  const pictures = [
    cache.picture(nameOf(2), make, growing()),
    cache.picture(nameOf(2), make, growing()),
  ];
  for (const picture of await Promise.all(pictures)) t.equal((await bytesOf(picture)).length, 20);
  t.ok(seen.made >= 3);
  t.not(failures.length, 0);
});

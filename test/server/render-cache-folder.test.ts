/** The folder of the render cache: bounded, safe against partial files, and dispensable. */
import { randomBytes } from "node:crypto";
import { readdir, readFile, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import type { StreamedPicture } from "../../server/render-cache/index.ts";
import { temporaryFolder } from "../helpers/database.ts";
import { until } from "../helpers/jobs.ts";
import {
  bytesOf,
  fakeRenderer,
  filesIn,
  MIB,
  nameOf,
  neverAborted,
  openCache,
  reading,
  untilKept,
} from "../helpers/render-cache.ts";

t.test("reads only the requested bytes of a large picture", async (t) => {
  const { cache } = await openCache(t);
  const bytes = randomBytes(9 * MIB);
  const { make } = fakeRenderer([bytes]);
  await bytesOf(await cache.getOrStream(nameOf(1), make, reading()));
  // Not by `stream`, whose pictures can be read once while they are still being written.
  await until(async () => (await cache.find(nameOf(1)))?.digest != null);
  const cached = await cache.find(nameOf(1));
  if (cached === null) throw new Error("is no longer there");
  t.ok((await bytesOf(cached)).equals(bytes));
  t.ok((await bytesOf(cached, 9 * MIB - 2, 9 * MIB - 1)).equals(bytes.subarray(-2)));
});

t.test("a picture too large for the folder evicts nothing", async (t) => {
  const { cache, folder } = await openCache(t, { maximumBytes: 4 * MIB, memoryBytes: 1 });
  const small = fakeRenderer([randomBytes(1000)]);
  for (let number = 0; number < 8; number++)
    await cache.getOrRender(nameOf(number), small.makeWhole, neverAborted());
  const large = fakeRenderer([randomBytes(3 * MIB)]);
  t.equal(
    (await bytesOf(await cache.getOrStream(nameOf(99), large.make, reading()))).length,
    3 * MIB,
  );
  await cache.getOrRender(nameOf(98), large.makeWhole, neverAborted());
  await cache.close();
  t.equal((await filesIn(folder)).length, 8);
});

t.test("renders without a folder if the limit is 0", async (t) => {
  const folder = join(await temporaryFolder(t), "none");
  const { cache } = await openCache(t, { folder, maximumBytes: 0, memoryBytes: 0 });
  const { seen, make, makeWhole } = fakeRenderer([randomBytes(10), randomBytes(10)]);
  for (let count = 0; count < 2; count++) {
    t.equal((await cache.getOrRender(nameOf(1), makeWhole, neverAborted())).bytes?.length, 20);
    t.equal((await bytesOf(await cache.getOrStream(nameOf(2), make, reading()))).length, 20);
  }
  t.equal(seen.made, 4);
  await t.rejects(readdir(folder), { code: "ENOENT" });
});

t.test("suspends a folder that fails; waiting callers can time out", async (t) => {
  const { cache, folder, failures } = await openCache(t);
  await rm(folder, { recursive: true });
  await writeFile(folder, "no folder any more");
  t.teardown(() => rm(folder));
  const { make, makeWhole } = fakeRenderer([randomBytes(10), randomBytes(10)]);
  t.equal((await bytesOf(await cache.getOrStream(nameOf(1), make, reading()))).length, 20);
  t.equal(failures.length, 1);
  t.equal((await bytesOf(await cache.getOrStream(nameOf(1), make, reading()))).length, 20);
  t.equal((await cache.getOrRender(nameOf(2), makeWhole, neverAborted())).bytes?.length, 20);
  await cache.close();
  t.equal(failures.length, 1, "it is not tried again at once");
  const late = new AbortController();
  const hung = (signal: AbortSignal) =>
    new Promise<StreamedPicture<string>>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      setTimeout(() => late.abort(new Error("late")), 20);
    });
  const asked = { ...reading(), wait: late.signal };
  await t.rejects(cache.getOrStream(nameOf(3), hung, asked), { message: "late" });
});

t.test("rejects truncated and modified files", async (t) => {
  const { cache, folder } = await openCache(t);
  const { makeWhole } = fakeRenderer([randomBytes(9000)]);
  for (let number = 0; number < 4; number++)
    await cache.getOrRender(nameOf(number), makeWhole, neverAborted());
  await untilKept(folder, 4);
  const files = (await filesIn(folder)).toSorted();
  const [cut, empty, changed, changedFacts] = files;
  await truncate(cut, 8000);
  await truncate(empty, 0);
  const content = await readFile(changed);
  content[5000] = (content[5000] ?? 0) ^ 1;
  await writeFile(changed, content);
  const facts = await readFile(changedFacts);
  facts.writeUInt32BE(2 ** 31, facts.length - 21);
  await writeFile(changedFacts, facts);
  const { cache: fresh } = await openCache(t, { folder });
  const again = fakeRenderer([randomBytes(9000)]);
  for (let number = 0; number < 4; number++) {
    t.equal(await fresh.find(nameOf(number)), null);
    await fresh.getOrRender(nameOf(number), again.makeWhole, neverAborted());
  }
  t.equal(again.seen.made, 4);
});

t.test("evicts the least recently used pictures above the limit", async (t) => {
  const { cache, folder } = await openCache(t, { maximumBytes: 10 * MIB, memoryBytes: 1 });
  const { makeWhole } = fakeRenderer([randomBytes(MIB)]);
  for (let number = 0; number < 30; number++) {
    await cache.getOrRender(nameOf(number), makeWhole, neverAborted());
    const liesThere = (file: string) => file.endsWith(join("/", nameOf(number)));
    await until(async () => (await filesIn(folder)).some(liesThere));
    // A file system may not order writes within a moment.
    for (const file of await filesIn(folder)) {
      // An old file would count as that of a process that died.
      if (file.includes("drafts")) continue;
      const age = file.endsWith(nameOf(3)) ? 0 : 1000 - Number.parseInt(file.slice(-3), 16);
      await utimes(file, Date.now() / 1000 - age, Date.now() / 1000 - age).catch(() => undefined);
    }
  }
  await cache.close();
  const count = (await filesIn(folder)).length;
  // Each is a MiB and some metadata, and a tenth is freed.
  t.ok(count >= 8 && count <= 9, `${count} files of a MiB`);
  t.ok(await cache.find(nameOf(29)));
  t.ok(await cache.find(nameOf(3)), "it was in use all the time");
  t.equal(await cache.find(nameOf(10)), null);
});

t.test("deletes drafts of dead processes only", async (t) => {
  const { folder } = await openCache(t);
  const [old, young] = [join(folder, "drafts", "old"), join(folder, "drafts", "young")];
  await writeFile(old, "half");
  await writeFile(young, "half");
  await utimes(old, Date.now() / 1000 - 7200, Date.now() / 1000 - 7200);
  await openCache(t, { folder });
  t.same(await filesIn(folder), [young]);
});

t.test("recreates a deleted folder", async (t) => {
  const { cache, folder, failures } = await openCache(t);
  await rm(folder, { recursive: true });
  const { make, makeWhole } = fakeRenderer([randomBytes(10), randomBytes(10)]);
  await bytesOf(await cache.getOrStream(nameOf(1), make, reading()));
  await cache.getOrRender(nameOf(2), makeWhole, neverAborted());
  await cache.close();
  t.equal((await filesIn(folder)).length, 2);
  t.same(failures, []);
});

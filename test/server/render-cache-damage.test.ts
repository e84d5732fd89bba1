/** The render cache on a damaged or full disk: it serves nothing damaged, and no request fails. */
import { randomBytes } from "node:crypto";
import { copyFile, open, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { UnreadableEntry } from "../../server/render-cache/index.ts";
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
import { sequence } from "../helpers/sequence.ts";
import { smallDisk } from "../helpers/small-disk.ts";

const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);
t.comment(`SEED=${SEED}`);

async function flipBit(path: string, at: number): Promise<void> {
  await using file = await open(path, "r+");
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at);
  await file.write(Buffer.of((buffer[0] ?? 0) ^ 4), 0, 1, at);
}

const LARGE = 9 * MIB + 1234;
const SMALL = 700_000;

for (const [kind, bytes] of [
  ["large", randomBytes(LARGE)],
  ["small", randomBytes(SMALL)],
] as const) {
  t.test(`never serves damaged bytes of a ${kind} picture, which is rendered again`, async (t) => {
    const random = sequence(SEED);
    const { cache, folder, failures } = await openCache(t, { memoryBytes: 0 });
    const { seen, make } = fakeRenderer([bytes]);
    const name = nameOf(1);
    const path = join(folder, name.slice(0, 2), name);
    const makeAgain = async () => {
      const made = await bytesOf(await cache.getOrStream(name, make, reading()));
      t.ok(made.equals(bytes));
      // The file alone may be there while the cache still closes it, and has it read.
      await cache.close();
      t.equal((await filesIn(folder)).length, 1);
    };
    await makeAgain();
    const { size } = await stat(path);
    // In the picture, and in all of the metadata.
    const places = [0, bytes.length - 1, bytes.length, size - 1];
    for (let count = 0; count < 6; count++) places.push(Math.floor(random() * size));
    for (let count = 0; count < 6; count++) {
      places.push(bytes.length + Math.floor(random() * (size - bytes.length)));
    }
    for (const place of places) {
      const [before, told] = [seen.made, failures.length];
      await flipBit(path, place);
      const found = await cache.find(name);
      const given: Uint8Array[] = [];
      const read = async () => {
        for await (const chunk of found?.read(0, Number.POSITIVE_INFINITY) ?? []) given.push(chunk);
      };
      if (found) await t.rejects(read(), UnreadableEntry, `damaged at ${place}`);
      const sent = Buffer.concat(given);
      t.ok(sent.equals(bytes.subarray(0, sent.length)), "what came before that is right");
      t.ok(sent.length <= place);
      t.equal(failures.length, told + 1, "and it is reported");
      t.equal(await cache.find(name), null, "it is no longer cached");
      await makeAgain();
      t.equal(seen.made, before + 1);
    }
  });
}

t.test("verifies ranges like whole pictures", async (t) => {
  const { cache, folder } = await openCache(t);
  const bytes = randomBytes(LARGE);
  await bytesOf(await cache.getOrStream(nameOf(1), fakeRenderer([bytes]).make, reading()));
  await untilKept(folder, 1);
  const [path = ""] = await filesIn(folder);
  await flipBit(path, 5 * MIB);
  const cached = await cache.find(nameOf(1));
  if (!cached) throw new Error("expected it to be cached");
  t.ok((await bytesOf(cached, 10, 2 * MIB)).equals(bytes.subarray(10, 2 * MIB + 1)));
  await t.rejects(bytesOf(cached, 5 * MIB + 3, 5 * MIB + 4), UnreadableEntry);
});

t.test("rejects a file under another name", async (t) => {
  const { cache, folder, failures } = await openCache(t, { memoryBytes: 0 });
  for (const number of [1, 2]) {
    await cache.getOrRender(
      nameOf(number),
      fakeRenderer([randomBytes(5000)]).makeWhole,
      neverAborted(),
    );
  }
  await untilKept(folder, 2);
  const [one = "", two = ""] = (await filesIn(folder)).toSorted();
  await copyFile(one, two);
  t.equal(await cache.find(nameOf(2)), null);
  t.ok(await cache.find(nameOf(1)));
  t.equal(failures.length, 1);
});

t.test("a picture that is damaged while it is streamed ends with an error", async (t) => {
  const { cache, folder } = await openCache(t);
  const bytes = randomBytes(LARGE);
  const go = Promise.withResolvers<void>();
  const { make } = fakeRenderer([bytes.subarray(0, 4 * MIB), bytes.subarray(4 * MIB)], go.promise);
  const picture = await cache.getOrStream(nameOf(1), make, reading());
  await until(async () => {
    const [draft = ""] = await filesIn(folder);
    return draft !== "" && (await stat(draft)).size === 4 * MIB;
  });
  const [draft = ""] = await filesIn(folder);
  await flipBit(draft, 3 * MIB);
  go.resolve();
  await t.rejects(bytesOf(picture), /SHA-256/);
});

t.test("readers get the whole picture despite a full disk", async (t) => {
  const folder = await smallDisk(t, 4);
  if (folder === null) return;
  const { cache, failures } = await openCache(t, { folder });
  const bytes = randomBytes(LARGE);
  const pieces = Array.from({ length: 10 }, (_, piece) =>
    bytes.subarray(piece * MIB, (piece + 1) * MIB),
  );
  const go = Promise.withResolvers<void>();
  const { seen, make } = fakeRenderer(pieces, go.promise);
  const readers = await Promise.all([
    cache.getOrStream(nameOf(1), make, reading()),
    cache.getOrStream(nameOf(1), make, reading()),
  ]);
  const all = Promise.all(readers.map((picture) => bytesOf(picture)));
  go.resolve();
  for (const read of await all) t.ok(read.equals(bytes));
  t.equal(seen.made, 1, "rendered once for both");
  t.match(failures, [{ code: "ENOSPC" }]);
  t.ok((await bytesOf(await cache.getOrStream(nameOf(1), make, reading()))).equals(bytes));
  const small = await cache.getOrRender(nameOf(2), fakeRenderer([bytes]).makeWhole, neverAborted());
  t.ok(small.bytes && Buffer.from(small.bytes).equals(bytes), "nor one that is given whole");
  await cache.close();
  t.same(await filesIn(folder), [], "nothing half-written is left");
});

t.test("returns a whole picture despite a full disk", async (t) => {
  const folder = await smallDisk(t, 1);
  if (folder === null) return;
  const { cache, failures } = await openCache(t, { folder, memoryBytes: 0 });
  await writeFile(join(folder, "ballast"), Buffer.alloc(MIB)).catch(() => undefined);
  const bytes = randomBytes(SMALL);
  const { makeWhole } = fakeRenderer([bytes]);
  const picture = await cache.getOrRender(nameOf(1), makeWhole, neverAborted());
  t.ok(picture.bytes && Buffer.from(picture.bytes).equals(bytes));
  await cache.close();
  t.match(failures, [{ code: "ENOSPC" }]);
});

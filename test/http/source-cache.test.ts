import t from "tap";
import { createSourceCache } from "../../server/actions/source-cache.ts";

/** A store of sources whose names are their sizes; it logs what is read. */
function storeOf() {
  const reads: string[] = [];
  const bytes = async (sha256: string) => {
    reads.push(sha256);
    return sha256 === "none" ? null : new Uint8Array(Number.parseInt(sha256, 10));
  };
  return { reads, bytes };
}

t.test("caches a source that was read", async (t) => {
  const store = storeOf();
  const cache = createSourceCache(store, 100);
  t.equal((await cache.read("40"))?.byteLength, 40);
  t.equal((await cache.read("40"))?.byteLength, 40);
  t.same(store.reads, ["40"]);
});

t.test("a source that has just been stored is not read", async (t) => {
  const store = storeOf();
  const cache = createSourceCache(store, 2 ** 24);
  cache.keep("40", Uint8Array.of(1, 2, 3));
  const copied = await cache.read("40");
  t.same([...(copied ?? [])], [1, 2, 3]);
  t.ok(copied?.buffer instanceof SharedArrayBuffer, "threads share it");
  const shared = new Uint8Array(new SharedArrayBuffer(5 * 2 ** 20));
  cache.keep("50", shared);
  t.equal(await cache.read("50"), shared);
  t.same(store.reads, []);
  cache.keep("60", new Uint8Array(5 * 2 ** 20));
  t.equal((await cache.read("60"))?.byteLength, 60, "large ones are not copied, but read");
});

t.test("concurrent callers share one read", async (t) => {
  const store = storeOf();
  const cache = createSourceCache(store, 100);
  const read = await Promise.all(["40", "101", "none", "40", "101", "none"].map(cache.read));
  t.same(store.reads, ["40", "101", "none"]);
  t.same(
    read.map((bytes) => bytes?.byteLength),
    [40, 101, undefined, 40, 101, undefined],
  );
});

t.test("does not cache failures", async (t) => {
  let tries = 0;
  const bytes = async () => {
    if (tries++ === 0) throw new Error("away");
    return new Uint8Array(1);
  };
  const cache = createSourceCache({ bytes }, 100);
  await t.rejects(cache.read("1"), { message: "away" });
  t.equal((await cache.read("1"))?.byteLength, 1);
});

t.test("evicts the least recently used", async (t) => {
  const store = storeOf();
  const cache = createSourceCache(store, 100);
  for (const name of ["40a", "50b", "40a", "30c"]) await cache.read(name);
  t.same(store.reads, ["40a", "50b", "30c"]);
  await cache.read("40a");
  t.equal(store.reads.length, 3, "used again a moment ago, it stayed");
  await cache.read("50b");
  t.equal(store.reads.length, 4, "this one had to go");
});

t.test("does not cache sources larger than the cache; missing ones are null", async (t) => {
  const store = storeOf();
  const cache = createSourceCache(store, 100);
  await cache.read("60");
  t.equal((await cache.read("101"))?.byteLength, 101);
  await cache.read("60");
  t.same(store.reads, ["60", "101"]);
  t.equal(await cache.read("none"), null);
});

import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import t from "tap";
import { ShortLivedMap } from "../../server/short-lived-map.ts";

t.test("a value is found until it is deleted or replaced", async (t) => {
  const map = new ShortLivedMap<string, { n: number }>();
  t.equal(map.get("a"), undefined);
  t.equal(map.has("a"), false);
  map.set("a", { n: 1 });
  map.set("b", { n: 2 });
  t.strictSame(map.get("a"), { n: 1 });
  map.set("a", { n: 3 });
  t.strictSame(map.get("a"), { n: 3 });
  t.equal(map.has("a"), true);
  map.delete("a");
  map.delete("none");
  t.equal(map.get("a"), undefined);
  t.equal(map.has("a"), false);
  t.strictSame(map.get("b"), { n: 2 });
});

t.test("deleted values are freed with new objects", async (t) => {
  // Old garbage waits for longer than this test takes.
  setFlagsFromString("--heap-growing-percent=2000");
  const map = new ShortLivedMap<string, { bytes: Uint8Array }>();
  const before = process.memoryUsage().arrayBuffers;
  for (let n = 0; n < 300; n++) {
    map.set(`key ${n}`, { bytes: new Uint8Array(BYTES) });
    map.delete(`key ${n - 3}`);
    t.equal(garbage(), 20_000);
    await setTimeout(1);
  }
  const kept = (process.memoryUsage().arrayBuffers - before) / BYTES;
  t.ok(kept < 75, `${Math.round(kept)} of 300 values are kept`);
});

const BYTES = 100_000;

const garbage = () => Array.from({ length: 20_000 }, (_, n) => ({ n, list: [n] })).length;

import { setImmediate } from "node:timers/promises";
import t from "tap";
import { createOrderedConcurrency } from "../../engine/encoders/ordered-concurrency.ts";
import { sequence } from "../helpers/sequence.ts";

const MEBIBYTE = 1 << 20;

t.test("results are in order, whichever is done first", async (t) => {
  const next = sequence(5);
  for (let round = 0; round < 50; round++) {
    const pieces = createOrderedConcurrency<number>();
    const given: number[] = [];
    const count = Math.floor(next() * 30);
    for (let number = 0; number < count; number++) {
      const turns = Math.floor(next() * 6);
      const made = async () => {
        for (let turn = 0; turn < turns; turn++) await setImmediate();
        return number;
      };
      const bytes = Math.floor(next() * 3 * MEBIBYTE);
      given.push(...(await pieces.push(turns === 0 ? number : made(), bytes)));
    }
    given.push(...(await pieces.flush()));
    t.strictSame(given, [...Array(count).keys()]);
    t.strictSame(await pieces.flush(), []);
  }
});

t.test("runs up to four mebibytes at once, and a larger piece alone", async (t) => {
  const pieces = createOrderedConcurrency<string>();
  const slow = Promise.withResolvers<string>();
  t.strictSame(await pieces.push(slow.promise, MEBIBYTE), []);
  for (const name of ["b", "c", "d"]) t.strictSame(await pieces.push(name, MEBIBYTE), []);
  let waits = true;
  const fifth = pieces.push("e", 1).finally(() => {
    waits = false;
  });
  await setImmediate();
  t.ok(waits);
  slow.resolve("a");
  t.strictSame(await fifth, ["a"]);
  t.strictSame(await pieces.push("f", 9 * MEBIBYTE), ["b", "c", "d", "e", "f"]);
});

t.test("reports a failure when its piece is due, unless the reader has left", async (t) => {
  const unheard: unknown[] = [];
  const hear = (reason: unknown) => unheard.push(reason);
  process.on("unhandledRejection", hear);
  t.teardown(() => process.off("unhandledRejection", hear));
  const pieces = createOrderedConcurrency<string>();
  t.strictSame(await pieces.push(Promise.reject(new Error("out of memory")), 1), []);
  for (let turn = 0; turn < 3; turn++) await setImmediate();
  t.strictSame(unheard, []);
  await t.rejects(pieces.flush(), { message: "out of memory" });
});

/** The queue's reserve threads. */
import t from "tap";
import { RESERVE_THREADS } from "../../engine/pool/queue.ts";
import { staged } from "./controlled-queue.ts";

/** Resolves once everything that waits with this delay is overdue. */
const overdue = (reserveDelayMs: number) =>
  new Promise((resolve) => setTimeout(resolve, 5 * reserveDelayMs));

t.test("long jobs do not block an owner with no running job", async (t) => {
  const { begun, ask, end, endAll } = staged(2, 100, { reserveDelayMs: 1 });
  for (let count = 0; count < 4; count++) ask(`a ${count}`, { owner: "a" });
  ask("b 0", { owner: "b" });
  ask("b 1", { owner: "b" });
  ask("c 0", { owner: "c" });
  t.same(begun, ["a 0", "a 1"]);
  await overdue(1);
  t.same(begun.slice(2), ["b 0", "c 0"], "one of each, in reserve");
  await end("b 0");
  await overdue(1);
  t.same(begun.slice(4), ["b 1"]);
  await endAll();
  const long = staged(2, 100, { reserveDelayMs: 1 });
  long.ask("a 0", { owner: "a", cost: 400 });
  long.ask("b 0", { owner: "b", cost: 400 });
  long.ask("b 1", { owner: "b", cost: 400 });
  await overdue(1);
  t.same(long.begun, ["a 0", "b 0"], "nor does a long job wait for another's");
  await long.endAll();
});

t.test("the number of reserve threads is bounded", async (t) => {
  const { begun, ask, endAll } = staged(1, 100, { reserveDelayMs: 1 });
  for (let owner = 0; owner < 20; owner++) ask(`${owner}`, { owner: `${owner}` });
  await overdue(1);
  t.equal(begun.length, 1 + RESERVE_THREADS);
  await endAll();
  t.equal(begun.length, 20);
});

t.test("large jobs leave reserve threads to small ones", async (t) => {
  const { begun, ask, endAll } = staged(1, 100, { reserveDelayMs: 1 });
  ask("a", { owner: "a", cost: 400 });
  ask("b", { owner: "b", cost: 10 });
  ask("c", { owner: "c", cost: 10 });
  ask("d", { owner: "d", cost: 1 });
  await overdue(1);
  t.same(begun, ["a", "b", "d"]);
  await endAll();
  t.same(begun.at(-1), "c");
});

t.test("an owner with more than its share uses no reserve thread", async (t) => {
  let now = 0;
  const { begun, ask, end, endAll } = staged(1, 100, { reserveDelayMs: 10, clock: () => now });
  ask("a 0", { owner: "a" });
  now = 60_000;
  await end("a 0");
  // The queue is idle, and its counts are reset.
  ask("b 0", { owner: "b" });
  ask("a 1", { owner: "a" });
  now = 120_000;
  await end("b 0");
  ask("c 0", { owner: "c" });
  ask("b 1", { owner: "b" });
  ask("d 0", { owner: "d" });
  now = 120_020;
  await overdue(10);
  t.same(begun, ["a 0", "b 0", "a 1", "c 0", "d 0"], "b had a minute");
  await endAll();
});

t.test("no reserve thread runs while places are freed", async (t) => {
  let now = 0;
  const { begun, ask, end, endAll } = staged(1, 100, { reserveDelayMs: 10, clock: () => now });
  ask("a", { owner: "a" });
  now = 1;
  ask("b", { owner: "b" });
  now = 10;
  await overdue(10);
  t.same(begun, ["a"], "b has not waited for long");
  await end("a");
  ask("c", { owner: "c" });
  now = 19;
  await overdue(10);
  t.same(begun, ["a", "b"]);
  now = 20;
  await overdue(10);
  t.same(begun, ["a", "b", "c"]);
  await endAll();
});

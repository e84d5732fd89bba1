/** The queue before the threads: bounded, fair, and cancellable. */
import t from "tap";
import { Overloaded } from "../../engine/errors.ts";
import { until } from "../helpers/jobs.ts";
import { settled, staged } from "./controlled-queue.ts";

t.test("runs as many jobs as there are places, and queues up to its length", async (t) => {
  const { begun, ask, end, endAll } = staged(2, 2);
  const [a] = [ask("a"), ask("b"), ask("c"), ask("d")];
  await t.rejects(ask("e"), Overloaded);
  t.same(begun, ["a", "b"]);
  await end("a");
  t.equal(await a, "a");
  t.same(begun, ["a", "b", "c"]);
  ask("f");
  await endAll();
  t.same(begun, ["a", "b", "c", "d", "f"]);
});

t.test("help is run at once in a free place, or not at all", async (t) => {
  const { queue, begun, ask, end, endAll } = staged(2, 2);
  const helping = Promise.withResolvers<string>();
  const help = () => queue.runIfIdle(() => helping.promise, { owner: "anybody", cost: 0 });
  ask("a");
  t.ok(queue.hasIdlePlace());
  const helped = help();
  t.equal(queue.progress().running, 2);
  ask("b");
  t.same(begun, ["a"], "it takes a place");
  t.equal(help(), null);
  helping.resolve("done");
  t.equal(await helped, "done");
  await settled();
  t.same(begun, ["a", "b"], "which others get afterwards");
  ask("c");
  t.notOk(queue.hasIdlePlace());
  await end("a");
  t.same(begun, ["a", "b", "c"]);
  t.equal(help(), null, "none is free");
  await endAll();
  const closing = queue.close(1000);
  t.equal(help(), null, "closed");
  await closing;
});

t.test("an owner with many jobs does not block others", async (t) => {
  const { begun, ask, endAll } = staged(1, 1000);
  for (let count = 0; count < 200; count++) ask(`sheet ${count}`, { owner: "big", cost: 20 });
  ask("tile 0", { owner: "small" });
  ask("tile 1", { owner: "small" });
  await endAll();
  t.same(begun.slice(0, 4), ["sheet 0", "tile 0", "tile 1", "sheet 1"]);
  t.equal(begun.length, 202);
});

t.test("owners share work equally, however many jobs each has", async (t) => {
  const { begun, ask, end } = staged(1, 1000);
  for (let count = 0; count < 300; count++) ask("many", { owner: "many", cost: 1 });
  // These send their next job after a response, four at a time.
  const running = ["w", "x", "y", "z"];
  for (const name of running) ask(name, { owner: name, cost: 1 });
  for (let count = 0; count < 200; count++) {
    const now = begun.at(-1) as string;
    await end(now);
    if (now !== "many") ask(now, { owner: now, cost: 1 });
  }
  for (const name of ["many", ...running]) {
    const share = begun.filter((one) => one === name).length / begun.length;
    t.ok(Math.abs(share - 0.2) < 0.03, `${name} had ${share}`);
  }
});

t.test("work done without competition is not charged later", async (t) => {
  const { begun, ask, endAll } = staged(1, 1000);
  ask("by night", { owner: "nightly", cost: 400 });
  await endAll();
  for (let count = 0; count < 20; count++) ask(`b ${count}`, { owner: "b", cost: 1 });
  ask("by day", { owner: "nightly", cost: 1 });
  await endAll();
  t.ok(begun.indexOf("by day") <= 3, `it was ${begun.indexOf("by day")}th`);
});

t.test("long jobs leave one place to short ones, unless there is only one", async (t) => {
  const { begun, ask, end, endAll } = staged(2, 10);
  ask("long a", { cost: 100 });
  ask("long b", { cost: 100 });
  t.same(begun, ["long a"]);
  ask("short");
  t.same(begun, ["long a", "short"]);
  await end("short");
  t.same(begun, ["long a", "short"], "its place stays free");
  await end("long a");
  t.same(begun, ["long a", "short", "long b"]);
  await endAll();
  const single = staged(1, 10);
  single.ask("long", { cost: 400 });
  t.same(single.begun, ["long"]);
});

t.test("a full queue rejects a job of the owner with the most jobs", async (t) => {
  const { begun, ask, endAll } = staged(1, 4);
  const big = ["a", "b", "c", "d", "e"].map((name) => ask(name, { owner: "big" }));
  await t.rejects(ask("f", { owner: "big" }), Overloaded);
  ask("x", { owner: "small" });
  await t.rejects(big[4], Overloaded, "its last one is refused");
  ask("y", { owner: "other" });
  await t.rejects(big[3], Overloaded);
  await t.rejects(ask("z", { owner: "other" }), Overloaded, "alike is not more");
  await endAll();
  t.same(begun.toSorted(), ["a", "b", "c", "x", "y"]);
});

t.test("an aborted waiting job leaves at once and frees its place", async (t) => {
  const { begun, ask, endAll } = staged(1, 1);
  ask("a");
  const stop = new AbortController();
  const left = ask("b", { signal: stop.signal });
  stop.abort(new Error("left"));
  await t.rejects(left, { message: "left" });
  await t.rejects(ask("c", { signal: stop.signal }), { message: "left" });
  ask("d");
  await endAll();
  t.same(begun, ["a", "d"]);
});

t.test("a closed queue finishes its jobs and accepts no more", async (t) => {
  const { queue, begun, ask, endAll } = staged(1, 4);
  ask("a");
  ask("b");
  const closed = queue.close(60_000);
  await t.rejects(ask("c"), Overloaded);
  await endAll();
  await closed;
  t.same(begun, ["a", "b"]);
  await queue.close(0);
});

t.test("later parts are admitted, however full the queue is", async (t) => {
  const { begun, ask, endAll } = staged(1, 1);
  ask("sheet 0", { position: "first" });
  ask("tile", { owner: "other" });
  const rest = [1, 2, 3].map((part) => ask(`sheet ${part}`, { position: "later" }));
  await t.rejects(ask("one too many"), Overloaded);
  await t.rejects(ask("third", { owner: "third" }), Overloaded);
  await endAll();
  t.same(await Promise.all(rest), ["sheet 1", "sheet 2", "sheet 3"]);
  t.equal(begun.indexOf("tile"), 1, "the owner with less work comes between");
});

t.test("an owner's sheets run one after the other, with tiles between their parts", async (t) => {
  const { begun, ask, endAll } = staged(1, 10);
  ask("a0", { position: "first" });
  ask("b0", { position: "first" });
  ask("tile");
  for (const part of ["a1", "a2"]) ask(part, { position: "later" });
  await endAll();
  t.same(begun, ["a0", "tile", "a1", "a2", "b0"]);
});

t.test("a sheet without a reader still occupies the queue", async (t) => {
  const { queue, ask, endAll } = staged(1, 1);
  const release = [queue.registerSplitRender(), queue.registerSplitRender()];
  ask("a");
  await t.rejects(ask("b"), Overloaded, "there are two sheets in one place");
  release[0]?.();
  ask("c");
  await endAll();
  let isClosed = false;
  const closed = queue.close(60_000).then(() => {
    isClosed = true;
  });
  await settled();
  t.notOk(isClosed);
  t.resolves(ask("d", { position: "later" }), "its rest is still made");
  await endAll();
  release[1]?.();
  await closed;
});

t.test("forgets outdated finish tags", async (t) => {
  const { begun, ask, endAll } = staged(1, 10_000);
  for (let count = 0; count < 5000; count++) ask(`${count}`, { owner: `${count}`, cost: 0 });
  await endAll();
  t.equal(begun.length, 5000);
  t.same(begun.slice(-2), ["4998", "4999"]);
});

t.test("a reservation is rejected if its job would be, and takes a slot", async (t) => {
  const { queue, ask, endAll } = staged(1, 3);
  ask("running");
  ask("waiting");
  const [arrive, leave] = [queue.reserveSlot("anybody"), queue.reserveSlot("anybody")];
  t.throws(() => queue.reserveSlot("anybody"), Overloaded);
  leave();
  const again = queue.reserveSlot("anybody");
  again();
  arrive();
  ask("came as reserved");
  ask("came unreserved");
  t.throws(() => queue.reserveSlot("anybody"), Overloaded);
  const other = queue.reserveSlot("another who has nothing in it");
  other();
  ask("the other", { owner: "another who has nothing in it" });
  await endAll();
  queue.reserveSlot("anybody")();
  await queue.close(0);
  t.throws(() => queue.reserveSlot("anybody"), Overloaded, "closed");
});

t.test("background jobs leave one place to others while these come", async (t) => {
  let now = 0;
  const { begun, ask, end, endAll } = staged(2, 8, { reserveDelayMs: 20, clock: () => now });
  const isBackground = true;
  ask("strip 0", { isBackground });
  ask("strip 1", { isBackground });
  ask("strip 2", { isBackground });
  t.same(begun, ["strip 0", "strip 1"], "all places while nothing else comes");
  ask("tile");
  await end("strip 0");
  t.same(begun.slice(2), ["strip 2"], "the one that came first");
  await end("strip 1");
  t.same(begun.slice(3), ["tile"]);
  ask("strip 3", { isBackground });
  await end("tile");
  t.same(begun.slice(4), [], "one place is left");
  ask("tile 2");
  t.same(begun.slice(4), ["tile 2"]);
  await end("tile 2");
  now += 1000;
  await until(() => begun.includes("strip 3"));
  t.same(begun.slice(5), ["strip 3"]);
  await endAll();
});

t.test("background jobs of an owner get their share while others' jobs wait", async (t) => {
  const { begun, ask, end, endAll } = staged(2, 20, { clock: () => 0 });
  for (let n = 0; n < 8; n++) ask(`tile ${n}`, { owner: "tiles" });
  for (let n = 0; n < 4; n++) ask(`strip ${n}`, { owner: "print", isBackground: true });
  for (const name of ["tile 0", "tile 1", "strip 0", "tile 2", "strip 1"]) await end(name);
  t.same(begun.slice(2, 6), ["strip 0", "tile 2", "strip 1", "tile 3"], "in turn");
  await endAll();
});

t.test("a sheet does not wait for the strips of its owner's print", async (t) => {
  const { begun, ask, endAll } = staged(2, 20, { clock: () => 0 });
  ask("tile");
  for (let n = 0; n < 3; n++) ask(`strip ${n}`, { position: "later", isBackground: true });
  ask("sheet", { position: "first" });
  t.same(begun, ["tile", "strip 0"]);
  await endAll();
  t.ok(begun.indexOf("sheet") < begun.indexOf("strip 2"), `${begun}`);
});

t.test("background jobs take the only place", async (t) => {
  const { begun, ask, end, endAll } = staged(1, 8, { clock: () => 0 });
  ask("tile");
  ask("strip", { isBackground: true });
  await end("tile");
  t.same(begun, ["tile", "strip"]);
  await endAll();
});

t.test("charges an owner for time beyond the estimate", async (t) => {
  let now = 0;
  const { begun, ask, end, endAll } = staged(1, 100, { clock: () => now });
  for (let count = 0; count < 4; count++) ask(`slow ${count}`, { owner: "slow" });
  for (let count = 0; count < 8; count++) ask(`tile ${count}`, { owner: "small" });
  // Both have the same estimate; one of the jobs takes as long as six.
  now += 600;
  await end("slow 0");
  await endAll();
  const second = begun.indexOf("slow 1");
  t.ok(second > 4 && second < 8, `${begun}`);
});

t.test("reports for how long waiting jobs have made no progress", async (t) => {
  let now = 0;
  const { queue, ask, end, endAll } = staged(1, 8, { clock: () => now });
  t.same(queue.progress(), { running: 0, waiting: 0, stalledMs: 0 });
  ask("a");
  now = 50;
  t.same(queue.progress(), { running: 1, waiting: 0, stalledMs: 0 });
  ask("b");
  ask("c");
  now = 80;
  t.same(queue.progress(), { running: 1, waiting: 2, stalledMs: 30 });
  await end("a");
  t.same(queue.progress(), { running: 1, waiting: 1, stalledMs: 0 });
  now = 100;
  t.same(queue.progress(), { running: 1, waiting: 1, stalledMs: 20 });
  await endAll();
  t.same(queue.progress(), { running: 0, waiting: 0, stalledMs: 0 });
});

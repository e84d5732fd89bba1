/** The queue before the threads: bounded, fair, and cancellable. */
import t from "tap";
import { Overloaded } from "../../engine/errors.ts";
import { settled, staged } from "./staged-queue.ts";

t.test("so many run as there are places, and so many wait as there is room", async (t) => {
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

t.test("one who has asked for much does not hold up the others", async (t) => {
  const { begun, ask, endAll } = staged(1, 1000);
  for (let count = 0; count < 200; count++) ask(`sheet ${count}`, { owner: "big", work: 20 });
  ask("tile 0", { owner: "small" });
  ask("tile 1", { owner: "small" });
  await endAll();
  t.same(begun.slice(0, 4), ["sheet 0", "tile 0", "tile 1", "sheet 1"]);
  t.equal(begun.length, 202);
});

t.test("work is shared alike, however often each one asks", async (t) => {
  const { begun, ask, end } = staged(1, 1000);
  for (let count = 0; count < 300; count++) ask("many", { owner: "many", work: 1 });
  // These send their next job after a response, four at a time.
  const running = ["w", "x", "y", "z"];
  for (const name of running) ask(name, { owner: name, work: 1 });
  for (let count = 0; count < 200; count++) {
    const now = begun.at(-1) as string;
    await end(now);
    if (now !== "many") ask(now, { owner: now, work: 1 });
  }
  for (const name of ["many", ...running]) {
    const share = begun.filter((one) => one === name).length / begun.length;
    t.ok(Math.abs(share - 0.2) < 0.03, `${name} had ${share}`);
  }
});

t.test("what was had while nobody waited is not held against anybody", async (t) => {
  const { begun, ask, endAll } = staged(1, 1000);
  ask("by night", { owner: "nightly", work: 400 });
  await endAll();
  for (let count = 0; count < 20; count++) ask(`b ${count}`, { owner: "b", work: 1 });
  ask("by day", { owner: "nightly", work: 1 });
  await endAll();
  t.ok(begun.indexOf("by day") <= 3, `it was ${begun.indexOf("by day")}th`);
});

t.test("long jobs leave a place to short ones, and a single place is not left empty", async (t) => {
  const { begun, ask, end, endAll } = staged(2, 10);
  ask("long a", { work: 100 });
  ask("long b", { work: 100 });
  t.same(begun, ["long a"]);
  ask("short");
  t.same(begun, ["long a", "short"]);
  await end("short");
  t.same(begun, ["long a", "short"], "its place stays free");
  await end("long a");
  t.same(begun, ["long a", "short", "long b"]);
  await endAll();
  const single = staged(1, 10);
  single.ask("long", { work: 400 });
  t.same(single.begun, ["long"]);
});

t.test("when it is full, whoever has most in it makes room for others", async (t) => {
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

t.test("who leaves while waiting leaves at once, and its place is free", async (t) => {
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

t.test("a closed queue ends what it has and takes no more", async (t) => {
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

t.test("what was let in with its first part goes on, however full it is", async (t) => {
  const { begun, ask, endAll } = staged(1, 1);
  ask("sheet 0", { part: "first" });
  ask("tile", { owner: "other" });
  const rest = [1, 2, 3].map((part) => ask(`sheet ${part}`, { part: "later" }));
  await t.rejects(ask("one too many"), Overloaded);
  await t.rejects(ask("third", { owner: "third" }), Overloaded);
  await endAll();
  t.same(await Promise.all(rest), ["sheet 1", "sheet 2", "sheet 3"]);
  t.equal(begun.indexOf("tile"), 1, "whoever has had less comes between");
});

t.test("an owner's sheets are made one after the other, tiles between their parts", async (t) => {
  const { begun, ask, endAll } = staged(1, 10);
  ask("a0", { part: "first" });
  ask("b0", { part: "first" });
  ask("tile");
  for (const part of ["a1", "a2"]) ask(part, { part: "later" });
  await endAll();
  t.same(begun, ["a0", "tile", "a1", "a2", "b0"]);
});

t.test("a sheet that nobody reads on takes up room all the same, and is waited for", async (t) => {
  const { queue, ask, endAll } = staged(1, 1);
  const release = [queue.hold(), queue.hold()];
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
  t.resolves(ask("d", { part: "later" }), "its rest is still made");
  await endAll();
  release[1]?.();
  await closed;
});

t.test("owners who have been served long ago are not remembered", async (t) => {
  const { begun, ask, endAll } = staged(1, 10_000);
  for (let count = 0; count < 5000; count++) ask(`${count}`, { owner: `${count}`, work: 0 });
  await endAll();
  t.equal(begun.length, 5000);
  t.same(begun.slice(-2), ["4998", "4999"]);
});

t.test(
  "who would be refused is told so before coming, and who announces has a place",
  async (t) => {
    const { queue, ask, endAll } = staged(1, 3);
    ask("running");
    ask("waiting");
    const [arrive, leave] = [queue.announce("anybody"), queue.announce("anybody")];
    t.throws(() => queue.announce("anybody"), Overloaded);
    leave();
    const again = queue.announce("anybody");
    again();
    arrive();
    ask("came as announced");
    ask("came unannounced");
    t.throws(() => queue.announce("anybody"), Overloaded);
    const other = queue.announce("another who has nothing in it");
    other();
    ask("the other", { owner: "another who has nothing in it" });
    await endAll();
    queue.announce("anybody")();
    await queue.close(0);
    t.throws(() => queue.announce("anybody"), Overloaded, "closed");
  },
);

t.test(
  "an owner is charged for the time that jobs take beyond what they seemed to be",
  async (t) => {
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
  },
);

t.test("a queue says for how long nothing has moved while jobs wait", async (t) => {
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

/** Jobs: requested in a transaction, run later by any node, together with their writes. */
import { randomUUID } from "node:crypto";
import t, { type Test } from "tap";
import { openPool } from "../../db/connection/pool.ts";
import { type Database, openDatabase } from "../../db/index.ts";
import { openJobs } from "../../db/jobs/index.ts";
import { requestJob } from "../../db/queries/outbox.ts";
import { testDatabaseUrl } from "../helpers/database.ts";
import { openTestJobs, TestClock, until } from "../helpers/jobs.ts";

const PLACES = { total: 4, perGroup: 4 };

async function open(t: Test) {
  const url = await testDatabaseUrl();
  const [db, pool] = [await openDatabase({ url, dataDir: "" }), await openPool(url)];
  t.teardown(async () => {
    await pool.end();
    await db.close();
  });
  /** Requests a job and returns its name. */
  const ask = async (options: { group?: string; startAfter?: Date } = {}, connection = pool) => {
    const data = { delivery_id: randomUUID(), attempt: 1 };
    await requestJob(connection, "deliver_webhook", {
      data,
      group: "any",
      ...options,
    });
    return data.delivery_id;
  };
  return { url, db, pool, ask };
}

const makeAccount = (db: Database, name: string) =>
  db.accounts.create({ email: `${name}@example.org`, plan: "pro", credits: 0 });

t.test("runs a job only if its transaction commits", async (t) => {
  const { db, pool, ask } = await open(t);
  const jobs = await openTestJobs(t, db);
  const done: string[] = [];
  await jobs.work("deliver_webhook", PLACES, async ({ data }) => void done.push(data.delivery_id));
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const undone = pool.transaction(async (transaction) => {
    await ask({}, transaction as unknown as typeof pool);
    throw new Error("undone");
  });
  await t.rejects(undone, { message: "undone" });
  const committed = pool.transaction(async (transaction) => {
    const name = await ask({}, transaction as unknown as typeof pool);
    begun.resolve();
    await end.promise;
    return name;
  });
  await begun.promise;
  const other = await ask();
  await until(() => done.length > 0);
  t.same(done, [other]);
  end.resolve();
  const name = await committed;
  await until(() => done.length > 1);
  t.same(done, [other, name]);
  t.same(jobs.failures, []);
});

t.test("the first node runs jobs that were requested while no node ran", async (t) => {
  const { db, ask } = await open(t);
  const asked = await Promise.all(Array.from({ length: 250 }, () => ask()));
  const jobs = await openTestJobs(t, db);
  const done: string[] = [];
  await jobs.work("deliver_webhook", PLACES, async ({ data }) => void done.push(data.delivery_id));
  await until(() => done.length >= asked.length);
  t.same(done.toSorted(), asked.toSorted());
});

t.test("a job's writes are atomic, and it is retried until it succeeds", async (t) => {
  const { db, ask } = await open(t);
  const clock = new TestClock();
  const jobs = await openTestJobs(t, db, { clock });
  let attempts = 0;
  let isDone = false;
  await jobs.work("deliver_webhook", PLACES, async ({ database }) => {
    attempts += 1;
    await makeAccount(database, `attempt-${attempts}`);
    if (attempts < 3) throw new Error(`attempt ${attempts}`);
    isDone = true;
  });
  await ask();
  await until(async () => {
    await clock.tick(2000);
    return isDone;
  });
  await until(async () => (await db.accounts.list()).length > 0);
  t.same(
    (await db.accounts.list()).map(({ email }) => email),
    ["attempt-3@example.org"],
  );
  t.same(
    jobs.failures.map(({ message }) => message),
    ["attempt 1", "attempt 2"],
  );
});

t.test("a delayed job starts by the clock of the queue", async (t) => {
  const { db, ask } = await open(t);
  const clock = new TestClock("2030-01-01T00:00:00Z");
  const jobs = await openTestJobs(t, db, { clock });
  const times: number[] = [];
  await jobs.work("deliver_webhook", PLACES, async ({ now }) => void times.push(now()));
  await ask({ startAfter: new Date("2030-01-01T01:00:00Z") });
  const first = await ask({ startAfter: new Date("2030-01-01T00:00:01Z") });
  t.ok(first);
  await until(async () => {
    await clock.tick(1000);
    return times.length > 0;
  });
  await clock.setTime("2030-01-01T00:59:59Z");
  await clock.tick(900);
  t.equal(times.length, 1);
  await clock.tick(3000);
  await until(() => times.length > 1);
  t.ok((times[1] ?? 0) >= Date.parse("2030-01-01T01:00:00Z"));
});

t.test("two nodes share the jobs, each of which runs once", async (t) => {
  const { url, db, ask } = await open(t);
  const other = await openDatabase({ url, dataDir: "" });
  t.teardown(() => other.close());
  const done: (readonly [node: number, name: string])[] = [];
  for (const [node, database] of [db, other].entries()) {
    const jobs = await openTestJobs(t, database);
    await jobs.work("deliver_webhook", { total: 2, perGroup: 2 }, async ({ data }) => {
      done.push([node, data.delivery_id]);
      // Until the other node has run some.
      await until(() => new Set(done.map(([one]) => one)).size === 2);
    });
  }
  const asked = await Promise.all(Array.from({ length: 60 }, () => ask()));
  await until(() => done.length >= asked.length);
  t.same(done.map(([, name]) => name).toSorted(), asked.toSorted());
});

t.test("a hanging group occupies only its share of the workers", async (t) => {
  const { db, ask } = await open(t);
  const jobs = await openTestJobs(t, db);
  const released = Promise.withResolvers<void>();
  const hanging = new Set<string>();
  const stuck = new Set<string>();
  const done: string[] = [];
  await jobs.work("deliver_webhook", { total: 4, perGroup: 2 }, async ({ data }) => {
    if (hanging.has(data.delivery_id)) {
      stuck.add(data.delivery_id);
      await released.promise;
    }
    done.push(data.delivery_id);
  });
  for (let count = 0; count < 20; count++) hanging.add(await ask({ group: "hangs" }));
  await until(() => stuck.size === 2);
  const others = await Promise.all(Array.from({ length: 30 }, () => ask({ group: "works" })));
  await until(() => done.length === others.length);
  t.same(done.toSorted(), others.toSorted());
  t.equal(stuck.size, 2);
  released.resolve();
  await until(() => done.length === 50);
});

t.test("a job that times out is aborted, rolled back and retried", async (t) => {
  const { db, ask } = await open(t);
  const clock = new TestClock();
  const jobs = await openTestJobs(t, db, { clock });
  const signals: AbortSignal[] = [];
  let isDone = false;
  await jobs.work("deliver_webhook", PLACES, async ({ database, signal }) => {
    signals.push(signal);
    await makeAccount(database, `attempt-${signals.length}`);
    if (signals.length === 1) await new Promise(() => undefined);
    isDone = true;
  });
  await ask();
  await until(() => signals.length === 1);
  t.notOk(signals[0]?.aborted);
  await until(async () => {
    await clock.tick(5000);
    return isDone;
  });
  t.ok(signals[0]?.aborted);
  await until(async () => (await db.accounts.list()).length > 0);
  t.same(
    (await db.accounts.list()).map(({ email }) => email),
    ["attempt-2@example.org"],
  );
});

t.test("a stopping node finishes its jobs and takes no more", async (t) => {
  const { db, ask } = await open(t);
  const jobs = await openTestJobs(t, db);
  const released = Promise.withResolvers<void>();
  let begun = 0;
  await jobs.work("deliver_webhook", { total: 1, perGroup: 1 }, async ({ database }) => {
    begun += 1;
    await released.promise;
    await makeAccount(database, `job-${begun}`);
  });
  await ask();
  await until(() => begun === 1);
  const stopped = jobs.stop(60_000);
  await ask();
  released.resolve();
  await stopped;
  t.equal(begun, 1);
  t.equal((await db.accounts.list()).length, 1);
});

t.test("a node without a grace period aborts its jobs, and another one runs them", async (t) => {
  const { url, db, ask } = await open(t);
  const other = await openDatabase({ url, dataDir: "" });
  t.teardown(() => other.close());
  const [first, second] = [await openTestJobs(t, db), await openTestJobs(t, other)];
  const aborted = Promise.withResolvers<void>();
  let isBegun = false;
  await first.work("deliver_webhook", PLACES, ({ signal }) => {
    isBegun = true;
    signal.addEventListener("abort", () => aborted.resolve());
    return new Promise(() => undefined);
  });
  const name = await ask();
  await until(() => isBegun);
  const done: string[] = [];
  await second.work(
    "deliver_webhook",
    PLACES,
    async ({ data }) => void done.push(data.delivery_id),
  );
  await first.stop(0);
  await aborted.promise;
  await until(() => done.length > 0);
  t.same(done, [name]);
});

t.test("work of every process may begin soon after its start", async (t) => {
  const { db, url } = await open(t);
  const done: string[] = [];
  const chore = (name: string) => ({ run: async () => done.push(name), everyMs: 60_000 });
  const jobs = await openJobs(url, { onError: (error) => t.error(error) }, () => db, [
    chore("later"),
    { ...chore("soon"), firstMs: 10 },
  ]);
  t.teardown(() => jobs.stop(0));
  await until(async () => done.length > 0);
  t.same(done, ["soon"]);
});

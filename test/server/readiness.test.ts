/** Readiness: each check fails for its own reason and reports it. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import { openDatabase } from "../../db/index.ts";
import { createEngine } from "../../engine/index.ts";
import {
  createReadiness,
  failingChecks,
  type ReadinessParts,
} from "../../server/actions/readiness.ts";
import { makeAccount } from "../db/contract/fixtures.ts";
import { FAULTS } from "../engine/fault-codes.ts";
import {
  temporaryFolder,
  testDatabase,
  testDatabases,
  testDatabaseUrl,
} from "../helpers/database.ts";
import { processEngine, request } from "../helpers/engine.ts";
import { testLog } from "../helpers/log.ts";
import { objectServer } from "../helpers/object-store.ts";
import { smallDisk } from "../helpers/small-disk.ts";

/** Runs the checks once, with these parts replaced. */
async function check(t: Test, parts: Partial<ReadinessParts> = {}) {
  const { log, entries } = testLog();
  const readiness = createReadiness({
    db: parts.db ?? (await testDatabase(t)),
    engine: parts.engine ?? (await processEngine()),
    objectStore: null,
    renderNodes: null,
    dataDir: await temporaryFolder(t),
    minimumFreeBytes: 1,
    lagMs: () => 0,
    log,
    ...parts,
  });
  return { readiness, checks: await readiness.check(), entries };
}

t.test("all checks pass", async (t) => {
  const { readiness, checks, entries } = await check(t);
  t.same(failingChecks(checks), []);
  t.same(entries, []);
  t.equal((await readiness.check()).disk.free_bytes, checks.disk.free_bytes, "cached for a second");
});

t.test("reports a closed database", async (t) => {
  const db = await openDatabase({ url: await testDatabaseUrl(), dataDir: "" });
  await db.close();
  const { checks } = await check(t, { db });
  t.same(failingChecks(checks), ["database"]);
});

t.test("says when the object store is away, which does not make the process unready", async (t) => {
  const server = await objectServer(t);
  t.notOk("object_store" in (await check(t)).checks);
  const before = await check(t, { objectStore: server.store });
  t.match(before.checks, { object_store: { status: "ok" } });
  await server.stop();
  const { checks, entries } = await check(t, { objectStore: server.store });
  t.match(checks, { object_store: { status: "away" } });
  t.same(failingChecks(checks), []);
  t.match(entries, [{ level: "warn", msg: "readiness: object_store away" }]);
});

t.test("reports a disk below the required space", async (t) => {
  const dataDir = await smallDisk(t, 2);
  if (dataDir === null) return;
  const minimumFreeBytes = 1024 * 1024;
  const before = await check(t, { dataDir, minimumFreeBytes });
  t.same(failingChecks(before.checks), []);
  const ballast = join(dataDir, "ballast");
  await writeFile(ballast, Buffer.alloc(1.5 * 1024 * 1024));
  const full = await check(t, { dataDir, minimumFreeBytes });
  t.same(failingChecks(full.checks), ["disk"]);
  t.ok((full.checks.disk.free_bytes ?? 0) < minimumFreeBytes);
  await rm(ballast);
  t.same(failingChecks((await check(t, { dataDir, minimumFreeBytes })).checks), []);
});

t.test("reports a write to a full disk", async (t) => {
  const { readiness, entries } = await check(t);
  readiness.reportError(new Error("something else"));
  t.same(failingChecks(await readiness.check()), []);
  const cause = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  readiness.reportError(new Error("it could not be stored", { cause }));
  const { disk } = await readiness.check();
  t.match(disk, { status: "failing", full_seconds_ago: 0 });
  readiness.reportError(cause);
  await readiness.check();
  const warning = { msg: "readiness: disk failing", checks: { disk: { free_bytes: Number } } };
  t.match(entries, [warning], "the log has the figures, once");
  t.equal(entries.length, 1);
});

t.test("reports hanging threads", async (t) => {
  const folder = await temporaryFolder(t);
  process.env.FAILING_WORKER_FOLDER = folder;
  const engine = await createEngine(
    { backend: "cpu", threads: 1, queueMax: 8 },
    new URL("../engine/crashing-worker.ts", import.meta.url),
  );
  t.teardown(() => engine.close(0));
  const gone = new AbortController();
  const hung = engine.render(request({ render: { dpi: FAULTS.hangs } }), gone.signal, "a");
  const waiting = engine.render(request({}), gone.signal, "a");
  const { progress } = engine;
  t.match(progress(), { running: 1, waiting: 1 });
  // The same queue half a minute later.
  const later = {
    ...engine,
    progress: () => ({ ...progress(), stalledMs: progress().stalledMs + 30_000 }),
  };
  t.same(failingChecks((await check(t, { engine })).checks), []);
  const { checks } = await check(t, { engine: later });
  t.same(failingChecks(checks), ["pool"]);
  t.match(checks.pool, { running: 1, waiting: 1 });
  gone.abort();
  await t.rejects(waiting);
  await t.rejects(hung);
  await engine.close(0);
  t.same(failingChecks((await check(t, { engine })).checks), ["pool"], "no thread answers");
});

t.test("reports a blocked event loop", async (t) => {
  t.same(failingChecks((await check(t, { lagMs: () => 2500 })).checks), ["event_loop"]);
});

t.test("reports old jobs without failing readiness", async (t) => {
  const { db, look } = await testDatabases(t);
  await makeAccount(db);
  const waits = (since: string) =>
    look(`
      insert into outbox (id, queue, "group", data, created_at, start_after)
      values (gen_random_uuid(), 'make_export', 'account 1', '{}', now() - interval '${since}',
        null), (gen_random_uuid(), 'make_export', 'account 1', '{}', now() - interval '1 day',
        now() + interval '1 hour')`);
  await waits("40 s");
  const soon = await check(t, { db });
  t.equal(soon.checks.jobs.status, "ok");
  t.ok((soon.checks.jobs.oldest_seconds ?? 0) >= 40);
  await waits("20 min");
  const { checks } = await check(t, { db });
  t.equal(checks.jobs.status, "late");
  t.same(failingChecks(checks), []);
  const jobs = await db.openJobs({ onError: (failure) => t.error(failure) });
  // The engine has them now, with their time of arrival.
  while ((await look("select from outbox")).length > 0);
  t.ok((await db.oldestJobSeconds()) >= 0);
  await jobs.stop(0);
});

t.test("reports a stopping process", async (t) => {
  const { readiness } = await check(t);
  readiness.stop();
  t.same(failingChecks(await readiness.check()), ["stopping"]);
});

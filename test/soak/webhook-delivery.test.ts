/** Deliveries: attempts, times and results. The test controls the clock; sockets are real. */
import t, { type Test } from "tap";
import { openDatabase } from "../../db/index.ts";
import { createAccount } from "../../server/actions/accounts.ts";
import { redeliver, testWebhook } from "../../server/actions/deliveries.ts";
import type { Services } from "../../server/actions/services.ts";
import { createWebhook } from "../../server/actions/webhooks.ts";
import { startDeliveries } from "../../server/jobs/index.ts";
import { createWebhookClient } from "../../server/outbound/index.ts";
import { testDatabaseUrl } from "../helpers/database.ts";
import { openTestJobs, TestClock, until } from "../helpers/jobs.ts";
import { testLog } from "../helpers/log.ts";
import { startService } from "../helpers/service.ts";
import { deliver, receiver } from "../helpers/webhooks.ts";
import { httpServer } from "../outbound/test-servers.ts";
import { failingReceivers } from "./failing-receivers.ts";

const MINUTE = 60_000;
const WAITS = [1, 5, 30, 60];

async function open(t: Test) {
  const url = await testDatabaseUrl();
  const db = await openDatabase({ url, dataDir: "" });
  t.teardown(() => db.close());
  const webhookClient = createWebhookClient({ allow: ["127.0.0.1/32"], allowHttp: true });
  const services = { db, webhookClient } as Services;
  const { id: accountId } = await createAccount(db, { email: "a@example.org", plan: "pro" });
  const subscribe = async (target: string) => {
    const fields = { url: target, events: ["pattern.created" as const] };
    return (await createWebhook(services, accountId, fields)).webhook.id;
  };
  const ping = async (webhook: number) =>
    (await testWebhook(services, accountId, webhook, { event: "ping" })).id;
  /** The only delivery to a webhook, or the last one. */
  const last = async (webhook: number) => {
    const { rows } = await db.deliveries.list(accountId, webhook, { limit: 1 });
    if (!rows[0]) throw new Error("nothing was sent");
    return rows[0];
  };
  return { url, db, services, accountId, subscribe, ping, last };
}

t.test("makes five attempts on schedule, however the receiver fails", async (t) => {
  const { db, accountId, subscribe, ping, last } = await open(t);
  const { ways, names, elsewhere, moving } = await failingReceivers(t);
  const clock = new TestClock("2030-01-01T00:00:00Z");
  const jobs = await deliver(t, db, { clock, resolve: names.resolve, totalMs: 300 });

  const webhooks = new Map<string, number>();
  for (const [way, { url }] of Object.entries(ways)) webhooks.set(way, await subscribe(url));
  const moved = webhooks.get("moved to a private address") ?? 0;
  await ping(moved);
  await until(async () => (await last(moved)).status === "delivered");
  names.set("moves.test", ["127.0.0.2"]);

  for (const webhook of webhooks.values()) await ping(webhook);
  const all = () =>
    Promise.all(
      Object.entries(ways).map(async ([way, expected]) => {
        return { way, expected, row: await last(webhooks.get(way) ?? 0) };
      }),
    );
  const isGone = (way: string) => way === "answers 410";

  for (let attempt = 1; attempt <= 5; attempt++) {
    await until(async () =>
      (await all()).every(({ way, row }) => row.attempts === (isGone(way) ? 1 : attempt)),
    );
    const rows = await all();
    for (const { way, expected, row } of rows) {
      const what = `${way}, attempt ${attempt}`;
      const isLast = attempt === 5 || isGone(way);
      t.equal(row.status, isLast ? "failed" : "retrying", what);
      t.equal(row.response_status, expected.status, what);
      // How much drips in time varies.
      if (way === "drips its answer") t.match(row.response_body, /^dr*$/, what);
      else t.equal(row.response_body, expected.body, what);
      t.match(row.error, expected.error, what);
      t.ok((row.response_ms ?? -1) >= 0, what);
      if (isLast) {
        t.equal(row.next_attempt_at, null, what);
        continue;
      }
      const waited = (row.next_attempt_at?.getTime() ?? 0) - (row.attempted_at?.getTime() ?? 0);
      const [wait = 0] = WAITS.slice(attempt - 1);
      t.ok(waited >= wait * MINUTE && waited <= wait * MINUTE * 1.1, `${what}: ${waited} ms`);
    }
    if (attempt === 5) break;
    const times = rows.flatMap(({ row }) => row.next_attempt_at?.getTime() ?? []);
    await clock.setTime(Math.min(...times) - 1000);
    await clock.tick(999);
    for (const { way, row } of await all()) {
      t.equal(row.attempts, isGone(way) ? 1 : attempt, `${way}: not before its time`);
    }
    await clock.setTime(Math.max(...times));
    await clock.tick(3000);
  }

  await clock.setTime(clock.now() + 24 * 60 * MINUTE);
  await clock.tick(10_000);
  for (const { way, row } of await all()) t.equal(row.attempts, isGone(way) ? 1 : 5, way);
  t.equal(elsewhere.connections(), 0, "no redirect is followed");
  t.equal(moving.connections(), 1, "the moved one was reached before it moved");
  const gone = await db.webhooks.get(accountId, webhooks.get("answers 410") ?? 0);
  t.equal(gone?.disabled_reason, "gone");
  t.same(jobs.failures, [], "none of it is a fault of ours");
});

t.test("a receiver that recovers gets the same bytes", async (t) => {
  const { db, subscribe, ping, last } = await open(t);
  const clock = new TestClock();
  await deliver(t, db, { clock });
  const target = await receiver(t, (response, count) => {
    response.writeHead(count < 4 ? 503 : 200).end(`answer ${count} – ${"ä".repeat(3000)}`);
  });
  const webhook = await subscribe(target.url);
  const id = await ping(webhook);
  await until(async () => {
    const { next_attempt_at } = await last(webhook);
    if (next_attempt_at && next_attempt_at.getTime() > clock.now()) {
      await clock.setTime(next_attempt_at);
    }
    await clock.tick(3000);
    return target.received.length === 4;
  });
  await until(async () => (await last(webhook)).status === "delivered");
  const row = await last(webhook);
  t.match(row, { attempts: 4, error: null, response_status: 200, next_attempt_at: null });
  t.ok(row.response_body?.startsWith("answer 4 – ää"));
  t.equal(Buffer.byteLength(row.response_body ?? ""), 4095, "and not half a character");
  t.equal(new Set(target.received.map(({ body }) => body)).size, 1);
  t.same(new Set(target.received.map(({ headers }) => headers["webhook-id"])), new Set([id]));
  const times = target.received.map(({ headers }) => headers["webhook-timestamp"]);
  t.equal(new Set(times).size, 4, "each attempt has its time");
});

t.test("an endless 2xx response counts, and is not read to its end", async (t) => {
  const { db, subscribe, ping, last } = await open(t);
  await deliver(t, db);
  const target = await receiver(t, (response) => {
    const write = () => {
      while (!response.destroyed && response.write("x".repeat(10_000)));
    };
    response.on("drain", write);
    write();
  });
  const webhook = await subscribe(target.url);
  await ping(webhook);
  await until(async () => (await last(webhook)).status === "delivered");
  t.equal((await last(webhook)).response_body, "x".repeat(4096));
});

t.test("a redelivery restarts the schedule of attempts", async (t) => {
  const { db, services, accountId, subscribe, ping, last } = await open(t);
  const clock = new TestClock();
  await deliver(t, db, { clock });
  const target = await receiver(t, (response) => void response.writeHead(500).end());
  const webhook = await subscribe(target.url);
  const id = await ping(webhook);
  await until(async () => (await last(webhook)).attempts === 1);
  const planned = (await last(webhook)).next_attempt_at?.getTime() ?? 0;
  t.equal((await redeliver(services, accountId, id)).status, "pending");
  await clock.tick(2000);
  await until(async () => (await last(webhook)).attempts === 2);
  const next = (await last(webhook)).next_attempt_at?.getTime() ?? 0;
  t.ok(next >= clock.now() + MINUTE - 2000, "a minute from now, as after a first attempt");
  await clock.setTime(Math.min(next, planned + 5000) - 1);
  await clock.tick(0);
  for (let attempt = 3; attempt <= 6; attempt++) {
    const { next_attempt_at } = await last(webhook);
    await clock.setTime(next_attempt_at ?? 0);
    await clock.tick(3000);
    await until(async () => (await last(webhook)).attempts === attempt);
  }
  t.equal((await last(webhook)).status, "failed", "after five more");
  t.equal(target.received.length, 6);
  t.same(new Set(target.received.map(({ json }) => json.data.delivery_id)), new Set([id]));
});

t.test("a hanging receiver does not delay others", async (t) => {
  const { db, subscribe, ping, last } = await open(t);
  const hanging = await httpServer(t, () => undefined);
  const good = await receiver(t);
  await deliver(t, db);
  const [stuck, webhook] = [await subscribe(hanging.url), await subscribe(good.url)];
  for (let count = 0; count < 12; count++) await ping(stuck);
  await until(() => hanging.connections() > 0);
  for (let count = 0; count < 30; count++) await ping(webhook);
  await until(() => good.received.length === 30);
  t.ok(hanging.connections() <= 2);
  t.equal((await last(stuck)).attempts, 0);
});

t.test("two nodes deliver each event once", async (t) => {
  const { url, db, subscribe, ping } = await open(t);
  const other = await openDatabase({ url, dataDir: "" });
  t.teardown(() => other.close());
  const delivered = [0, 0];
  for (const [node, database] of [db, other].entries()) {
    const jobs = await openTestJobs(t, database);
    const webhookClient = createWebhookClient({ allow: ["127.0.0.1/32"] });
    const counting: typeof webhookClient = {
      ...webhookClient,
      post(target, post) {
        delivered[node] = (delivered[node] ?? 0) + 1;
        return webhookClient.post(target, post);
      },
    };
    await startDeliveries(jobs, { webhookClient: counting }, testLog().log);
  }
  const target = await receiver(t);
  const webhooks = [await subscribe(target.url), await subscribe(target.url)];
  const ids: string[] = [];
  await until(async () => {
    for (const webhook of webhooks) ids.push(await ping(webhook));
    return ids.length >= 40 && delivered.every((count) => count > 0);
  });
  await until(() => target.received.length >= ids.length);
  const told = target.received.map(({ json }) => json.data.delivery_id);
  t.same(told.toSorted(), ids.toSorted());
});

t.test("another node takes over the attempts of a killed one", async (t) => {
  const { url, db, subscribe, ping, last } = await open(t);
  let isKilled = false;
  const target = await receiver(t, (response) => {
    if (isKilled) response.end("there it is");
  });
  const webhook = await subscribe(target.url);
  const service = await startService(t, { DATABASE_URL: url, OUTBOUND_ALLOW: "127.0.0.1/32" });
  await service.url();
  const id = await ping(webhook);
  await until(() => target.received.length === 1);
  service.process.kill("SIGKILL");
  await service.ended;
  isKilled = true;
  t.match(await last(webhook), { status: "pending", attempts: 0 }, "as if it had not begun");

  const clock = new TestClock();
  await deliver(t, db, { clock });
  await until(async () => {
    await clock.tick(5000);
    return (await last(webhook)).status === "delivered";
  });
  t.match(await last(webhook), { attempts: 1, response_body: "there it is" });
  t.same(
    target.received.map(({ json }) => json.data.delivery_id),
    [id, id],
  );
});

/**
 * The service is killed at random while it creates patterns and delivers their events: every
 * pattern is announced, and nothing else. `KILLS=200` for a long run.
 */
import { setTimeout as delay } from "node:timers/promises";
import t from "tap";
import { openSession } from "../../db/connection/pool.ts";
import { openDatabase } from "../../db/index.ts";
import { createAccount } from "../../server/actions/accounts.ts";
import { createApiKey } from "../../server/actions/api-keys.ts";
import { createWebhook } from "../../server/actions/webhooks.ts";
import { createWebhookClient } from "../../server/outbound/index.ts";
import { picture } from "../db/contract/fixtures.ts";
import { testDatabaseUrl } from "../helpers/database.ts";
import { hash } from "../helpers/pictures.ts";
import { seed } from "../helpers/random-subset.ts";
import { startService } from "../helpers/service.ts";
import { deliverAll, receiver } from "../helpers/webhooks.ts";

const KILLS = Number(process.env.KILLS ?? 4);
const WRITERS = 4;

/** The longest life of a listening service, in milliseconds. */
const LIFE_MS = 900;

/** A life takes some seconds; the rest is for slow machines. */
const TIMEOUT_MS = 120_000 + KILLS * 15_000;

t.test("delivers the event of every pattern despite kills", { timeout: TIMEOUT_MS }, async (t) => {
  const url = await testDatabaseUrl();
  const db = await openDatabase({ url, dataDir: "" });
  const session = await openSession(url);
  t.teardown(async () => {
    await session.end();
    await db.close();
  });
  const fields = { email: "a@example.org", plan: "agency", credits: 1_000_000 } as const;
  const { id: accountId } = await createAccount(db, fields);
  const { fields: source, bytes } = picture("never looked at");
  const { id: sourceId } = await db.sources.create(accountId, source, bytes, 0);
  let deliveries = 0;
  const target = await receiver(t, (response) => {
    setTimeout(() => response.writeHead(204).end(), hash(seed, deliveries++) * 30);
  });
  const events = ["pattern.created" as const];
  const webhookClient = createWebhookClient({ allow: ["127.0.0.1/32"] });
  await createWebhook({ db, webhookClient }, accountId, { url: target.url, events });

  /** Patterns by the Idempotency-Key of their request. */
  const answered = new Map<string, number>();
  const unanswered: string[] = [];
  let asked = 0;
  const write = async (api: string, key: string, signal: AbortSignal) => {
    const name = unanswered.shift() ?? `order-${++asked}`;
    try {
      const response = await fetch(`${api}/api/v1/patterns`, {
        method: "POST",
        headers: { "X-API-Key": key, "Content-Type": "application/json", "Idempotency-Key": name },
        body: JSON.stringify({ source_id: sourceId, group: "p4", name }),
        signal,
      });
      const { id } = await response.json();
      if (response.status === 201) answered.set(name, id);
      else unanswered.push(name);
      return true;
    } catch {
      unanswered.push(name);
      return false;
    }
  };

  for (let kill = 0; kill < KILLS; kill++) {
    // A new key, to stay below the limit of requests in a minute.
    const { key, secret } = await createApiKey(db, accountId, `life ${kill}`);
    const service = await startService(t, { DATABASE_URL: url, OUTBOUND_ALLOW: "127.0.0.1/32" });
    const api = await service.url();
    const gone = new AbortController();
    const writers = Array.from({ length: WRITERS }, async () => {
      while (await write(api, secret, gone.signal));
    });
    await delay(hash(seed + 1, kill) * LIFE_MS);
    service.process.kill("SIGKILL");
    await service.ended;
    gone.abort();
    await Promise.all(writers);
    // An account has at most 20.
    await db.apiKeys.revoke(accountId, key.id);
  }

  const patterns = async () => {
    const { rows } = await session.query("select id, name from patterns order by id");
    return rows.map(({ id, name }) => ({ id: Number(id), name: String(name) }));
  };
  const told = () => new Set(target.received.map(({ json }): number => json.data.pattern_id));
  const made = await patterns();
  const before = told().size;
  const jobs = await deliverAll(t, db, session);

  t.same(
    [...told()].toSorted((a, b) => a - b),
    made.map(({ id }) => id),
    "each that there is, and no other",
  );
  const names = new Map(made.map(({ id, name }) => [id, name]));
  for (const { json } of target.received) {
    if (json.data.name !== names.get(json.data.pattern_id)) t.fail(JSON.stringify(json));
  }
  t.equal(new Set(names.values()).size, made.length, "no order was carried out twice");
  for (const [name, id] of answered) if (names.get(id) !== name) t.fail(`${name} is not ${id}`);
  t.same(jobs.failures, []);
  t.comment(
    `${KILLS} kills: ${asked} orders, ${made.length} patterns, ${target.received.length} deliveries, ${made.length - before} patterns told of only after the last kill`,
  );
});

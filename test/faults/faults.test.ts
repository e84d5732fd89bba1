/**
 * Nodes, their database, object store and disk have faults at random while clients write and read:
 * nothing that was acknowledged is lost, nothing is done twice, and all of it works again without
 * help. `FAULTS=500` for a long run.
 */
import { setTimeout as delay } from "node:timers/promises";
import t from "tap";
import { createAccount } from "../../server/actions/accounts.ts";
import { createApiKey } from "../../server/actions/api-keys.ts";
import { createWebhook } from "../../server/actions/webhooks.ts";
import { createWebhookClient } from "../../server/outbound/index.ts";
import { until } from "../helpers/jobs.ts";
import { seed } from "../helpers/random-subset.ts";
import { receiver } from "../helpers/webhooks.ts";
import { allBatchesEnd, allEventsAreTold, allExportsEnd, nothingIsLost } from "./checks.ts";
import { drawFault, faultsOf } from "./faults.ts";
import { startInstallation } from "./installation.ts";
import { startLoad } from "./load.ts";
import { randomNumbers } from "./random-numbers.ts";

const FAULTS = Number(process.env.FAULTS ?? 8);
const NODES = 3;
const CLIENTS = 6;
const KEYS = 60;

/** The longest time between two faults, in milliseconds. */
const CALM_MS = 1500;

/** The longest pause, in milliseconds. */
const PAUSE_MS = Number(process.env.PAUSE_MS ?? 4000);

/** Exports of a killed node are taken over after some time; the rest is for slow machines. */
const TIMEOUT_MS = 300_000 + FAULTS * 20_000;

t.test("keeps what it acknowledged", { timeout: TIMEOUT_MS }, async (t) => {
  const installation = await startInstallation(t, {
    nodes: NODES,
    keys: KEYS,
    hasObjectStore: true,
    hasSmallDisk: true,
    hasRoles: true,
  });
  const { db, databaseUrl, nodes } = installation;

  const plan = { email: "a@example.org", plan: "agency", credits: 1_000_000 } as const;
  const { id: accountId } = await createAccount(db, plan);
  const keys = await Promise.all(
    Array.from({ length: KEYS }, (_, n) => createApiKey(db, accountId, `key ${n}`)),
  );
  const random = randomNumbers(1);
  const delays = randomNumbers(3);
  const target = await receiver(t, (response) => {
    setTimeout(() => response.writeHead(204).end(), 30 * delays());
  });
  const webhookClient = createWebhookClient({ allow: ["127.0.0.1/32"] });
  const { secret } = await createWebhook({ db, webhookClient }, accountId, {
    url: target.url,
    events: ["pattern.created", "batch.ready"],
  });

  const load = await startLoad({
    clients: CLIENTS,
    keys: keys.map(({ secret }) => secret),
    urls: nodes.urls,
    random: randomNumbers(2),
  });
  t.teardown(() => load.abort());
  const { acknowledged, journal } = load;
  const faults = faultsOf(installation);
  const counts = new Map<string, number>();
  for (let fault = 0; fault < FAULTS; fault++) {
    const { name, run } = drawFault(faults, random);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    await run(Math.floor(random() * NODES), PAUSE_MS * random());
    await delay(CALM_MS * random());
  }
  await load.stop();

  for (const url of nodes.urls()) {
    await until(async () => (await fetch(`${url}/readyz`)).status === 200);
    t.equal(await load.createAt(url), 201, "every node writes again");
  }
  await allExportsEnd(t, db, accountId, acknowledged);
  await allBatchesEnd(t, db, accountId, acknowledged);
  await load.readAll();
  const { violations, outcomes } = journal;
  if (violations.length > 0)
    t.fail(`violations with SEED=${seed}`, { violations, errors: nodes.errors() });
  const hadFull = outcomes.has("507 insufficient_storage");
  t.ok(counts.has("disk full") || !hadFull, "only a full disk is reported as one");
  t.same(await nodes.stop(), Array(NODES).fill(0), "each node ends by itself");
  await nothingIsLost(t, databaseUrl, acknowledged);
  await allEventsAreTold(t, db, databaseUrl, { received: target.received, secret });
  const { patterns, sources, exports, batches } = acknowledged;
  const listed = (numbers: ReadonlyMap<string, number>) =>
    [...numbers].map(([name, count]) => `${count} × ${name}`).join(", ");
  t.comment(
    `SEED=${seed}, ${FAULTS} faults: ${listed(counts)}; ${patterns.size} patterns, ` +
      `${sources.size} sources, ${exports.size} exports, ${batches.size} batches, ` +
      `${nodes.exhaustedThreads()} threads lost; ${target.received.length} deliveries; ${journal.succeeded} requests answered, ${listed(outcomes)}`,
  );
});

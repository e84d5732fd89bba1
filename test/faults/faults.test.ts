/**
 * Nodes and their database have faults at random while clients write: nothing that was acknowledged
 * is lost, nothing is done twice, and all of it works again without help. `FAULTS=500` for a long run.
 */
import { setTimeout as delay } from "node:timers/promises";
import t, { type Test } from "tap";
import { openSession } from "../../db/connection/pool.ts";
import { type Database, openDatabase } from "../../db/index.ts";
import { DEFAULT_QUOTAS } from "../../db/quotas.ts";
import { createAccount } from "../../server/actions/accounts.ts";
import { createApiKey } from "../../server/actions/api-keys.ts";
import { createWebhook } from "../../server/actions/webhooks.ts";
import { createWebhookClient } from "../../server/outbound/index.ts";
import { until } from "../helpers/jobs.ts";
import { hash } from "../helpers/pictures.ts";
import { seed } from "../helpers/random-subset.ts";
import { deliverAll, type Received, receiver } from "../helpers/webhooks.ts";
import { type FaultyDatabase, startFaultyDatabase } from "./database.ts";
import { type Acknowledged, BATCH_SIZES, startLoad } from "./load.ts";
import { type Nodes, startNodes } from "./nodes.ts";

const FAULTS = Number(process.env.FAULTS ?? 8);
const NODES = 3;
const CLIENTS = 6;
const KEYS = 60;
const AGENCY = { ...DEFAULT_QUOTAS.agency, api_keys: KEYS };

/** The longest time between two faults, in milliseconds. */
const CALM_MS = 1500;

/** The longest pause, in milliseconds. */
const PAUSE_MS = Number(process.env.PAUSE_MS ?? 4000);

/** Exports of a killed node are taken over after some time; the rest is for slow machines. */
const TIMEOUT_MS = 300_000 + FAULTS * 20_000;

/** Numbers of 0…1, other ones for each salt. */
function randomNumbers(salt: number): () => number {
  let drawn = 0;
  return () => hash(seed + salt, drawn++);
}

interface Fault {
  readonly name: string;
  /** How often it is drawn, relative to the others. */
  readonly weight: number;
  run(node: number, milliseconds: number): Promise<void>;
}

const faultsOf = (nodes: Nodes, database: FaultyDatabase): readonly Fault[] => [
  { name: "node killed", weight: 8, run: (node) => nodes.kill(node) },
  { name: "node terminated", weight: 3, run: (node) => nodes.terminate(node) },
  { name: "node paused", weight: 2, run: (node, pause) => nodes.pause(node, pause) },
  { name: "database killed", weight: 1, run: () => database.kill() },
  { name: "database restarted", weight: 1, run: () => database.restart() },
  { name: "database paused", weight: 1, run: (_, pause) => database.pause(pause) },
  { name: "connections ended", weight: 2, run: () => database.disconnect() },
  { name: "connections exhausted", weight: 1, run: (_, pause) => database.exhaust(pause / 2) },
];

/** Draws a fault by its weight. */
function drawFault(faults: readonly Fault[], random: () => number): Fault {
  const lots = faults.flatMap((fault) => Array<Fault>(fault.weight).fill(fault));
  return lots[Math.floor(random() * lots.length)];
}

t.test("keeps what it acknowledged", { timeout: TIMEOUT_MS }, async (t) => {
  const database = await startFaultyDatabase(t);
  const db = await openDatabase({
    url: database.url,
    dataDir: "",
    quotas: { ...DEFAULT_QUOTAS, agency: AGENCY },
  });
  t.teardown(() => db.close());
  const shared = {
    DATABASE_URL: database.url,
    OUTBOUND_ALLOW: "127.0.0.1/32",
    QUOTAS: JSON.stringify({ agency: AGENCY }),
  };
  const nodes = await startNodes(t, NODES, shared);

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
  await createWebhook({ db, webhookClient }, accountId, {
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
  const faults = faultsOf(nodes, database);
  const counts = new Map<string, number>();
  for (let fault = 0; fault < FAULTS; fault++) {
    const { name, run } = drawFault(faults, random);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    await run(Math.floor(random() * NODES), PAUSE_MS * random());
    await delay(CALM_MS * random());
  }
  await load.stop();
  if (load.violations.length > 0)
    t.fail("violations", { violations: load.violations, errors: nodes.errors() });

  for (const url of nodes.urls()) {
    await until(async () => (await fetch(`${url}/readyz`)).status === 200);
    t.equal(await load.createAt(url), 201, "every node writes again");
  }
  await allExportsEnd(t, db, accountId, load.acknowledged);
  await allBatchesEnd(t, db, accountId, load.acknowledged);
  t.same(await nodes.stop(), Array(NODES).fill(0), "each node ends by itself");
  await nothingIsLost(t, database.url, load.acknowledged);
  await allEventsAreTold(t, db, database.url, target.received);
  t.comment(
    `${FAULTS} faults: ${[...counts].map(([name, count]) => `${count} × ${name}`).join(", ")}; ` +
      `${load.acknowledged.patterns.size} patterns, ${load.acknowledged.exports.size} exports, ${load.acknowledged.batches.size} batches, ` +
      [...load.outcomes].map(([outcome, count]) => `${count} × ${outcome}`).join(", "),
  );
});

/** Every export that was acknowledged is made, and all have the same bytes. */
async function allExportsEnd(
  t: Test,
  db: Database,
  accountId: number,
  { exports }: Acknowledged,
): Promise<void> {
  const hashes = new Set<string>();
  for (const id of new Set(exports.values())) {
    const look = () => db.exports.get(accountId, id);
    await until(async () => (await look())?.finished_at != null);
    const made = await look();
    if (made?.status !== "done") t.fail(`export ${id}: ${JSON.stringify(made)}`);
    hashes.add(String(made?.sha256));
  }
  t.ok(hashes.size <= 1, "all exports have the same bytes");
  t.equal(new Set(exports.values()).size, exports.size, "no order was carried out twice");
}

/** Every item of every batch that was acknowledged has its picture, and all have the same bytes. */
async function allBatchesEnd(
  t: Test,
  db: Database,
  accountId: number,
  { batches }: Acknowledged,
): Promise<void> {
  const hashes = new Set<string>();
  for (const id of new Set(batches.values())) {
    await until(async () => (await db.batches.get(accountId, id))?.finished_at != null);
    const items = await db.batches.subjects(accountId, id, BATCH_SIZES.length);
    hashes.add(items.map(({ sha256 }) => sha256).join());
  }
  t.notMatch([...hashes].join(), "null");
  t.ok(hashes.size <= 1, "all batches have the same bytes");
  t.equal(new Set(batches.values()).size, batches.size, "no batch was created twice");
}

/** Every acknowledged pattern is there, once, and was paid for once. */
async function nothingIsLost(t: Test, url: string, { patterns }: Acknowledged): Promise<void> {
  const session = await openSession(url);
  t.teardown(() => session.end());
  const made = await session.query("select id::int, name from patterns order by id");
  const names = new Map(made.rows.map(({ id, name }) => [id, name]));
  for (const [name, id] of patterns) if (names.get(id) !== name) t.fail(`${name} is not ${id}`);
  t.equal(new Set(names.values()).size, made.rows.length, "no pattern was made twice");
  const { rows: entries } = await session.query(
    "select reference, count(*)::int from credit_entries where reason = 'pattern' group by reference",
  );
  t.same(
    new Map(entries.map(({ reference, count }) => [reference, count])),
    new Map(made.rows.map(({ id }) => [`pattern:${id}`, 1])),
    "each was paid for once",
  );
  const { rows: sums } = await session.query(
    "select (select sum(amount)::int from credit_entries) = credits as adds_up from accounts",
  );
  t.same(sums, [{ adds_up: true }], "the ledger adds up");
}

/** There is exactly one event for each pattern and each batch, and no other event. */
async function allEventsAreTold(
  t: Test,
  db: Database,
  url: string,
  received: readonly Received[],
): Promise<void> {
  const session = await openSession(url);
  t.teardown(() => session.end());
  const jobs = await deliverAll(t, db, session);
  const told = new Map(received.map(({ headers, json }) => [headers["webhook-id"], json]));
  const subjectsOf = (event: string, field: string): number[] =>
    [...told.values()]
      .filter((json) => json.event === event)
      .map(({ data }) => data[field])
      .toSorted((a, b) => a - b);
  const idsIn = async (table: string) => {
    const { rows } = await session.query(`select id::int from ${table} order by id`);
    return rows.map(({ id }) => id);
  };
  const once = "one event for each that there is, and no other";
  t.same(subjectsOf("pattern.created", "pattern_id"), await idsIn("patterns"), once);
  t.same(subjectsOf("batch.ready", "batch_id"), await idsIn("batches"), once);
  t.same(jobs.failures, []);
}

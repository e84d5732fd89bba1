/** What holds after all faults. */
import type { Test } from "tap";
import { openSession } from "../../db/connection/pool.ts";
import type { Database } from "../../db/index.ts";
import { until } from "../helpers/jobs.ts";
import {
  deliverAll,
  isServiceSigned,
  placeOfSignature,
  type Received,
} from "../helpers/webhooks.ts";
import { type Acknowledged, BATCH_SIZES } from "./load.ts";

/** Every export that was acknowledged is made, and all have the same bytes. */
export async function allExportsEnd(
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
export async function allBatchesEnd(
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
export async function nothingIsLost(
  t: Test,
  url: string,
  { patterns, sources }: Acknowledged,
): Promise<void> {
  const session = await openSession(url);
  t.teardown(() => session.end());
  const made = await session.query("select id::int, name from patterns order by id");
  const names = new Map(made.rows.map(({ id, name }) => [id, name]));
  for (const [name, id] of patterns) if (names.get(id) !== name) t.fail(`${name} is not ${id}`);
  t.equal(new Set(names.values()).size, made.rows.length, "no pattern was made twice");
  const { rows: uploads } = await session.query("select count(*)::int from sources");
  // The one more is drawn from a preset.
  t.same(uploads, [{ count: sources.size + 1 }], "no source was made twice");
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

/**
 * There is exactly one event for each pattern and each batch, and no other event. Every delivery of
 * it has the same id and body, and is signed.
 */
export async function allEventsAreTold(
  t: Test,
  db: Database,
  url: string,
  { received, secret }: { readonly received: readonly Received[]; readonly secret: string },
): Promise<void> {
  const session = await openSession(url);
  t.teardown(() => session.end());
  const jobs = await deliverAll(t, db, session);
  const told = new Map<string, Received>();
  for (const one of received) {
    const id = String(one.headers["webhook-id"]);
    const isSigned =
      (await isServiceSigned(one, secret)) && (await placeOfSignature(one, secret)) === 0;
    if (!isSigned) t.fail(`delivery ${id} is not signed`);
    const before = told.get(id) ?? one;
    if (one.body !== before.body) t.fail(`delivery ${id} has two bodies`, { one, before });
    told.set(id, before);
  }
  const subjectsOf = (event: string, field: string): number[] =>
    [...told.values()]
      .filter(({ json }) => json.event === event)
      .map(({ json }) => json.data[field])
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

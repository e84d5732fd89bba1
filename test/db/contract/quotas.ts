/** Contract: usage is counted, and concurrent nodes cannot exceed an account's quotas. */
import type { Test } from "tap";
import {
  type Database,
  DEFAULT_QUOTAS,
  openDatabase,
  type QUOTAS,
  QuotaExceeded,
  type Quotas,
} from "../../../db/index.ts";
import type { DatabasePool, OpenedDatabase } from "../../helpers/database.ts";
import { design, makeAccount, picture } from "./fixtures.ts";

type Quota = (typeof QUOTAS)[number];

const quotasOfPro = (limits: Partial<Record<Quota, number>>): Quotas => ({
  ...DEFAULT_QUOTAS,
  pro: { ...DEFAULT_QUOTAS.pro, ...limits },
});

const KEY = { name: "shop", prefix: "pf_abcd", last_four: "wxyz" };
const ORDER = {
  design: {},
  source_sha256: "ab",
  fields: {},
  preflight: {},
  media_type: "application/pdf",
};
const LIMITS = { estimatedBytes: 400, unfinishedAtMost: 50 };

let made = 0;
const makeSource = (db: Database, accountId: number, length = 100) => {
  const { fields, bytes } = picture(String(made++).padStart(length, " "));
  return db.sources.create(accountId, fields, bytes, 0);
};
const makePattern = async (db: Database, accountId: number, sourceId: number) =>
  (await db.patterns.create(accountId, design(sourceId), 0))?.id ?? 0;
const makeKey = (db: Database, accountId: number) => {
  const sha256 = String(made++).padStart(64, "0");
  return db.apiKeys.create(accountId, { ...KEY, sha256 });
};

const pin = (db: Database, accountId: number) => {
  const id = String(made++).padStart(32, "0");
  const [fingerprint, source_sha256] = ["ab".repeat(32), "cd".repeat(32)];
  const recipe = { fingerprint, source_sha256, design: {}, fields: {} };
  const render = { account_id: accountId, pattern_id: 1, name: null, ...recipe };
  return db.pinnedRenders.pin(id, render, new Date(Date.now() + 3_600_000));
};

/** The counters, and the same counted from the tables. */
async function usageOf({ db, look }: OpenedDatabase, id: number) {
  const [row = {}] = await look(`select
    (select count(*) from sources where account_id = ${id}) as sources,
    (select coalesce(sum(octet_length(b.bytes)), 0) from sources s join source_bytes b using (sha256)
      where account_id = ${id}) as source_bytes,
    (select count(*) from patterns where account_id = ${id}) as patterns,
    (select count(*) from api_keys where account_id = ${id} and revoked_at is null) as api_keys,
    (select coalesce(sum(coalesce(bytes, 400)), 0) from exports
      where account_id = ${id} and status <> 'failed')
    + (select coalesce(sum(coalesce(octet_length(image), 100)), 0) from mockups
      where account_id = ${id} and status <> 'failed') as output_bytes,
    (select count(*) from pinned_renders where account_id = ${id}) as pinned_renders,
    (select count(*) from batch_items i join batches b on b.id = i.batch_id
      where account_id = ${id}) as batch_items,
    (select count(*) from batches where account_id = ${id}
      and status in ('queued', 'running')) as open_batches`);
  const counted = Object.fromEntries(Object.entries(row).map(([name, of]) => [name, Number(of)]));
  return { counted, usage: await db.accounts.usage(id) };
}

export function quotaContract(t: Test, open: DatabasePool): void {
  t.test("concurrent creations on two nodes never exceed a quota", async (t) => {
    const quotas = quotasOfPro({
      sources: 7,
      patterns: 9,
      api_keys: 5,
      output_bytes: 2400,
      pinned_renders: 6,
      open_batches: 3,
    });
    const opened = await open(t, quotas);
    const other = await openDatabase({ url: opened.url, dataDir: "", quotas });
    t.teardown(() => other.close());
    const { id } = await makeAccount(opened.db);
    const stranger = await makeAccount(opened.db, 100, "b@example.org");
    const { id: source } = await makeSource(opened.db, id);
    const pattern = await makePattern(opened.db, id, source);
    const mockups = [{ product: "mug", cell_mm: 80 }];
    const makers = {
      sources: (db: Database) => makeSource(db, id),
      patterns: (db: Database) => makePattern(db, id, source),
      api_keys: (db: Database) => makeKey(db, id),
      output_bytes: (db: Database) =>
        db.exports.create(id, { pattern_id: pattern, ...ORDER }, LIMITS),
      pinned_renders: (db: Database) => pin(db, id),
      open_batches: (db: Database) => db.batches.create(id, null, [{ pattern_id: pattern }]),
    };
    for (const [quota, make] of Object.entries(makers)) {
      const attempts = Array.from({ length: 40 }, (_, at) => make(at % 2 ? other : opened.db));
      const settled = await Promise.allSettled(attempts);
      const errors = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
      const limit = quotas.pro[quota as Quota];
      const used = (await opened.db.accounts.usage(id))[quota as keyof typeof makers];
      t.equal(used, limit, `${quota} is used up to its limit`);
      t.ok(errors.length > 0, `${quota} was exceeded`);
      for (const error of errors) t.match(error, { name: "QuotaExceeded", quota, limit, used });
      await t.rejects(async () => make(other), QuotaExceeded);
    }
    const order = () => opened.db.mockups.order(id, pattern, mockups, 100);
    await t.rejects(order(), QuotaExceeded, "mockups count with exports");
    const { usage, counted } = await usageOf(opened, id);
    t.same(usage, counted);
    await makeSource(opened.db, stranger.id);

    const { rows } = await opened.db.exports.list(id, { limit: 50 });
    await opened.db.exports.delete(id, rows[0]?.id ?? 0);
    await order();
    const [batch] = (await opened.db.batches.list(id, { limit: 1 })).rows;
    await opened.db.batches.cancel(id, batch?.id ?? 0);
    await makers.open_batches(other);
    await opened.db.patterns.delete(id, pattern);
    await makers.patterns(other);
    const [key] = await opened.db.apiKeys.list(id);
    await opened.db.apiKeys.revoke(id, key?.id ?? 0);
    await makers.api_keys(other);
  });

  t.test("guests leave a tenth of each quota to the account", async (t) => {
    const limits = { sources: 21, source_bytes: 2_100, patterns: 11, output_bytes: 5_000 };
    const { db } = await open(t, quotasOfPro(limits));
    const { id } = await makeAccount(db);
    const handoff = await db.handoffs.create(id, {
      tokenHash: new Uint8Array(32),
      product_id: 1,
      product: null,
      max_patterns: 1000,
      return_url: "https://shop.example/",
      cancel_url: null,
      locale: null,
      metadata: null,
      state: null,
      lifetimeSeconds: 60,
    });
    const exceeded = { name: "QuotaExceeded" };
    const guest = db.forGuest(handoff.id);
    const source = await makeSource(guest, id);
    const pattern = await makePattern(guest, id, source.id);
    const products = Array.from({ length: 50 }, (_, at) => `product ${at}`);
    const order = (by: Database, count: number) => {
      const wanted = products.slice(0, count).map((product) => ({ product, cell_mm: 80 }));
      return by.mockups.order(id, pattern, wanted, 100);
    };
    await t.rejects(order(guest, 46), { ...exceeded, quota: "output_bytes", limit: 4_500 });
    await order(guest, 45);
    await order(db, 50);
    for (let count = 1; count < 10; count++) await makePattern(guest, id, source.id);
    const full = { ...exceeded, quota: "patterns", limit: 10, used: 10 };
    await t.rejects(makePattern(guest, id, source.id), full);
    await makePattern(db, id, source.id);
    await t.rejects(makeSource(guest, id, 1_791), {
      ...exceeded,
      quota: "source_bytes",
      limit: 1_890,
    });
    for (let count = 1; count < 19; count++) await makeSource(guest, id, 20);
    await t.rejects(makeSource(guest, id, 20), {
      ...exceeded,
      quota: "sources",
      limit: 19,
      used: 19,
    });
    await makeSource(db, id, 1_640);
    t.match(await db.accounts.usage(id), {
      sources: 20,
      source_bytes: 2_100,
      patterns: 11,
      output_bytes: 5_000,
    });
  });

  t.test("limits the bytes of sources, counting duplicates twice", async (t) => {
    const opened = await open(t, quotasOfPro({ source_bytes: 1000 }));
    const { db } = opened;
    const { id } = await makeAccount(db);
    const { fields, bytes } = picture("x".repeat(400));
    const first = await db.sources.create(id, fields, bytes, 0);
    await db.sources.create(id, fields, bytes, 0);
    const facts = { name: "QuotaExceeded", quota: "source_bytes", limit: 1000, used: 800 };
    await t.rejects(db.sources.create(id, fields, bytes, 0), facts);
    await t.rejects(db.sources.checkQuotas(id, 201, 0), facts);
    await db.sources.checkQuotas(id, 200, 0);
    await db.sources.delete(id, first.id);
    await db.sources.create(id, fields, bytes, 0);
    const { usage, counted } = await usageOf(opened, id);
    t.same(usage, counted);
  });

  t.test("unfinished outputs count with an estimate, failed ones not at all", async (t) => {
    const opened = await open(t);
    const { db } = opened;
    const { id } = await makeAccount(db);
    const pattern = await makePattern(db, id, (await makeSource(db, id)).id);
    const used = async () => (await db.accounts.usage(id)).output_bytes;
    const order = async () => {
      const ordered = await db.exports.create(id, { pattern_id: pattern, ...ORDER }, LIMITS);
      const run = (await db.exports.begin(ordered?.id ?? 0))?.run ?? 0;
      return { id: ordered?.id ?? 0, run };
    };
    const [done, failed] = [await order(), await order()];
    t.equal(await used(), 800);
    await db.exports.finish(done, { bytes: 1234, sha256: "cd", certificate: null });
    await db.exports.fail(failed, "the source cannot be read");
    t.equal(await used(), 1234);
    const wanted = ["mug", "cushion"].map((product) => ({ product, cell_mm: 80 }));
    const [cushion, mug] = (await db.mockups.order(id, pattern, wanted, 100)) ?? [];
    if (!cushion || !mug) return t.fail("both are ordered");
    t.equal(await used(), 1434);
    await db.mockups.settle(mug.batch, mug.id, { image: new Uint8Array(30) });
    await db.mockups.settle(mug.batch, cushion.id, { error: "the source cannot be read" });
    t.equal(await used(), 1264);
    await db.mockups.order(id, pattern, wanted, 100);
    t.equal(await used(), 1434, "one that is drawn anew counts with the estimate");
    await opened.look(`update exports set expires_at = now() where id = ${done.id}`);
    await order();
    t.equal(await used(), 600, "one that has expired counts no longer");
    await db.patterns.delete(id, pattern);
    const { usage, counted } = await usageOf(opened, id);
    t.same(usage, counted, "they go with their pattern");
    t.equal(usage.output_bytes, 0);
  });

  t.test("a file larger than its estimate is stored only if the quota allows", async (t) => {
    const opened = await open(t, quotasOfPro({ output_bytes: 1000 }));
    const { db } = opened;
    const { id } = await makeAccount(db);
    const pattern_id = await makePattern(db, id, (await makeSource(db, id)).id);
    const begin = async () => {
      const ordered = await db.exports.create(id, { pattern_id, ...ORDER }, LIMITS);
      return { id: ordered?.id ?? 0, run: (await db.exports.begin(ordered?.id ?? 0))?.run ?? 0 };
    };
    const [first, second] = [await begin(), await begin()];
    const finish = (run: typeof first, bytes: number) =>
      db.exports.finish(run, { bytes, sha256: "ab", certificate: null });
    const facts = { name: "QuotaExceeded", quota: "output_bytes", limit: 1000, used: 800 };
    await t.rejects(finish(first, 601), facts);
    t.match(await db.exports.get(id, first.id), { status: "running", bytes: null });
    const settled = await Promise.allSettled([finish(first, 600), finish(second, 600)]);
    t.equal(settled.filter(({ status }) => status === "fulfilled").length, 1, "one of two");
    t.match(
      settled.find(({ status }) => status === "rejected"),
      { reason: { ...facts, used: 1000 } },
    );
    const { usage, counted } = await usageOf(opened, id);
    t.same(usage, counted);
    t.equal(usage.output_bytes, 1000);
  });

  t.test("expired pinned renders free quota", async (t) => {
    const opened = await open(t, quotasOfPro({ pinned_renders: 3 }));
    const { db, look } = opened;
    const { id } = await makeAccount(db);
    for (let at = 0; at < 3; at++) await pin(db, id);
    await t.rejects(pin(db, id), { name: "QuotaExceeded", quota: "pinned_renders", used: 3 });
    await look("update pinned_renders set expires_at = now()");
    // They delete the same rows concurrently with the sweep.
    await Promise.all([...Array.from({ length: 3 }, () => pin(db, id)), db.deleteExpired()]);
    await t.rejects(pin(db, id), { name: "QuotaExceeded", used: 3 });
    const { usage, counted } = await usageOf(opened, id);
    t.same(usage, counted);
  });

  t.test("an account above its quotas can read and delete, but not create", async (t) => {
    const { db, url } = await open(t);
    const { id } = await makeAccount(db);
    const [one, two] = [await makeSource(db, id), await makeSource(db, id)];
    const pattern = await makePattern(db, id, one.id);
    const key = await makeKey(db, id);
    const nothing = {
      sources: 0,
      source_bytes: 0,
      patterns: 0,
      api_keys: 0,
      output_bytes: 0,
      pinned_renders: 0,
    };
    const strict = await openDatabase({ url, dataDir: "", quotas: quotasOfPro(nothing) });
    t.teardown(() => strict.close());
    t.match(await strict.accounts.usage(id), { sources: 2, patterns: 1, api_keys: 1 });
    t.match(await strict.patterns.get(id, pattern), { id: pattern });
    t.match(await strict.patterns.update(id, pattern, { name: "kept" }), { name: "kept" });
    await t.rejects(makePattern(strict, id, one.id), {
      name: "QuotaExceeded",
      quota: "patterns",
      limit: 0,
      used: 1,
    });
    await t.rejects(makeSource(strict, id), {
      name: "QuotaExceeded",
      quota: "sources",
      limit: 0,
      used: 2,
    });
    t.equal(await strict.sources.delete(id, two.id), true);
    t.equal(await strict.patterns.delete(id, pattern), true);
    t.equal(await strict.apiKeys.revoke(id, key.id), true);
    t.match(await strict.accounts.usage(id), { sources: 1, patterns: 0, api_keys: 0 });
  });
}

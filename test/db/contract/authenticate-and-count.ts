import { createHash } from "node:crypto";
import type { Test } from "tap";
import { type Database, openDatabase } from "../../../db/index.ts";
import type { DatabasePool } from "../../helpers/database.ts";
import { design, makeAccount, picture } from "./fixtures.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

const makeKey = (db: Database, accountId: number, name: string) =>
  db.apiKeys.create(accountId, {
    name,
    sha256: sha256(name),
    prefix: "pf_AbCd",
    last_four: "wXyZ",
  });

const quotas = { starter: 0, trial: 5, pro: 20, agency: 40 };
const limits = { quotas, windowSeconds: 60 };

/** An account's pattern. */
async function makePattern(db: Database, accountId: number) {
  const { fields, bytes } = picture(`source of ${accountId}`);
  const source = await db.sources.create(accountId, fields, bytes, 0);
  const pattern = await db.patterns.create(accountId, design(source.id), 0);
  if (!pattern) throw new Error("the source is not there");
  return pattern;
}

export function authenticateAndCountContract(t: Test, open: DatabasePool): void {
  t.test("authenticates a key with the current state of its account", async (t) => {
    const { db } = await open(t);
    const account = await makeAccount(db);
    const key = await makeKey(db, account.id, "one");
    const authenticate = () => db.apiKeys.authenticateAndCount(sha256("one"), limits, null);
    t.match(await authenticate(), {
      account,
      keyId: key.id,
      use: { allowed: true, remaining: 19 },
      patternVersion: null,
    });
    const [{ last_used_at }] = await db.apiKeys.list(account.id);
    t.ok(last_used_at, "its use is noted");
    await db.accounts.update(account.id, { frozen: true, credits: 3, plan: "agency" });
    t.match(await authenticate(), {
      account: { frozen: true, credits: 3, plan: "agency" },
      use: { remaining: 38 },
    });
    await db.apiKeys.revoke(account.id, key.id);
    t.equal(await authenticate(), null);
    t.equal(await db.apiKeys.authenticateAndCount(sha256("nobody's"), limits, null), null);
  });

  t.test("counts uses across nodes and by name", async (t) => {
    const { db, url } = await open(t);
    const other = await openDatabase({ url, dataDir: "" });
    t.teardown(() => other.close());
    const account = await makeAccount(db);
    const [one, two] = [await makeKey(db, account.id, "one"), await makeKey(db, account.id, "two")];
    const results = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        [db, other][at % 2].apiKeys.authenticateAndCount(sha256("one"), limits, null),
      ),
    );
    const allowed = results.flatMap((found) => (found?.use.allowed ? [found.use.remaining] : []));
    t.same(
      allowed.toSorted((a, b) => a - b),
      Array.from({ length: 20 }, (_, left) => left),
    );
    const limit = { quota: 100, windowSeconds: 60 };
    t.match(await db.rateLimits.use(`key:${one.id}`, limit), { remaining: 69 });
    t.match(await db.apiKeys.authenticateAndCount(sha256("two"), limits, null), {
      keyId: two.id,
      use: { remaining: 19 },
    });
  });

  t.test("returns a pattern's version to its own account only", async (t) => {
    const { db } = await open(t);
    const account = await makeAccount(db);
    const other = await makeAccount(db, 0, "other@example.org");
    await makeKey(db, account.id, "one");
    await makeKey(db, other.id, "two");
    const mine = await makePattern(db, account.id);
    const theirs = await makePattern(db, other.id);
    await db.patterns.update(account.id, mine.id, { name: "changed" });
    const versions = await Promise.all(
      ["one", "two"].flatMap((name) =>
        [mine.id, theirs.id, 999, null].map(
          async (id) =>
            (await db.apiKeys.authenticateAndCount(sha256(name), limits, id))?.patternVersion,
        ),
      ),
    );
    t.same(versions, [2, null, null, null, null, 1, null, null]);
    await db.patterns.delete(account.id, mine.id);
    t.match(await db.apiKeys.authenticateAndCount(sha256("one"), limits, mine.id), {
      patternVersion: null,
    });
  });

  t.test("authenticates many keys in one batch", async (t) => {
    const { db } = await open(t);
    const accounts = [await makeAccount(db), await makeAccount(db, 0, "b@example.org")];
    const names = Array.from({ length: 12 }, (_, count) => `key ${count}`);
    for (const [count, name] of names.entries()) {
      if (count % 4 !== 3) await makeKey(db, accounts[count % 2]?.id ?? 0, name);
    }
    // Each twice, and every fourth is unknown.
    const asked = [...names, ...names.toReversed()];
    const found = await Promise.all(
      asked.map((name) => db.apiKeys.authenticateAndCount(sha256(name), limits, null)),
    );
    for (const [place, name] of asked.entries()) {
      const count = names.indexOf(name);
      const remaining = place < names.length ? 19 : 18;
      const expected = { account: accounts[count % 2], use: { remaining } };
      t.match(found[place], count % 4 === 3 ? null : expected);
    }
  });

  t.test("reopens a session that the database ended", async (t) => {
    const { db, look } = await open(t);
    const account = await makeAccount(db);
    await makeKey(db, account.id, "one");
    const authenticate = () => db.apiKeys.authenticateAndCount(sha256("one"), limits, null);
    t.ok(await authenticate());
    const ended = await look(`
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query like '%api_keys%'`);
    t.ok(ended.length > 0);
    // Queries before the loss is detected are rejected.
    const found = await authenticate().catch(authenticate);
    t.match(found, { use: { remaining: 18 } });
  });
}

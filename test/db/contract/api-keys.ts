import { createHash } from "node:crypto";
import type { Test } from "tap";
import type { DatabasePool } from "../../helpers/database.ts";
import { makeAccount } from "./fixtures.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const keyFields = (text: string) => ({
  name: text,
  sha256: sha256(text),
  prefix: "pf_AbCd",
  last_four: "wXyZ",
});

export function apiKeyContract(t: Test, open: DatabasePool): void {
  t.test("authenticates an account by the hash of its key", async (t) => {
    const { db } = await open(t);
    const account = await makeAccount(db);
    const key = await db.apiKeys.create(account.id, keyFields("one"));
    t.match(key, { account_id: account.id, name: "one", prefix: "pf_AbCd", last_used_at: null });
    t.same(await db.apiKeys.authenticate(sha256("one")), { key, account });
    t.equal(await db.apiKeys.authenticate(sha256("other")), null);
  });

  t.test("records the use of a key at most once a minute", async (t) => {
    const { db, look } = await open(t);
    const account = await makeAccount(db);
    await db.apiKeys.create(account.id, keyFields("one"));
    await db.apiKeys.authenticate(sha256("one"));
    const [first] = await db.apiKeys.list(account.id);
    t.ok(first.last_used_at);
    await db.apiKeys.authenticate(sha256("one"));
    t.same(await db.apiKeys.list(account.id), [first]);
    await look("update api_keys set last_used_at = now() - interval '61 seconds'");
    await db.apiKeys.authenticate(sha256("one"));
    const [later] = await db.apiKeys.list(account.id);
    t.ok(Number(later.last_used_at) >= Number(first.last_used_at));
  });

  t.test("a revoked key does not authenticate and is not listed", async (t) => {
    const { db } = await open(t);
    const account = await makeAccount(db);
    const one = await db.apiKeys.create(account.id, keyFields("one"));
    const two = await db.apiKeys.create(account.id, keyFields("two"));
    t.equal(await db.apiKeys.revoke(account.id, one.id), true);
    t.equal(await db.apiKeys.revoke(account.id, one.id), false);
    t.equal(await db.apiKeys.authenticate(sha256("one")), null);
    t.same(await db.apiKeys.list(account.id), [two]);
    t.match(await db.accounts.usage(account.id), { api_keys: 1 });
  });

  t.test("another account's key is neither listed nor revoked", async (t) => {
    const { db } = await open(t);
    const account = await makeAccount(db);
    const other = await makeAccount(db, 0, "other@example.org");
    const key = await db.apiKeys.create(account.id, keyFields("one"));
    t.same(await db.apiKeys.list(other.id), []);
    t.equal(await db.apiKeys.revoke(other.id, key.id), false);
    t.ok(await db.apiKeys.authenticate(sha256("one")));
  });

  t.test("looks up many keys in one batch", async (t) => {
    const { db } = await open(t);
    const accounts = [await makeAccount(db), await makeAccount(db, 0, "b@example.org")];
    const names = Array.from({ length: 12 }, (_, count) => `key ${count}`);
    for (const [count, name] of names.entries()) {
      if (count % 4 !== 3) await db.apiKeys.create(accounts[count % 2]?.id ?? 0, keyFields(name));
    }
    // Each twice, and every fourth is unknown.
    const asked = [...names, ...names.toReversed()];
    const found = await Promise.all(asked.map((name) => db.apiKeys.authenticate(sha256(name))));
    for (const [place, name] of asked.entries()) {
      const count = names.indexOf(name);
      const expected = count % 4 === 3 ? null : { key: { name }, account: accounts[count % 2] };
      t.match(found[place], expected);
    }
  });
}

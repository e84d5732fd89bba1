import type { Test } from "tap";
import { Conflict, openDatabase } from "../../../db/index.ts";
import type { DatabasePool } from "../../helpers/database.ts";
import { makeAccount } from "./fixtures.ts";

export function accountContract(t: Test, open: DatabasePool): void {
  t.test("returns an account as created", async (t) => {
    const { db } = await open(t);
    const made = await db.accounts.create({ email: "Ada@Example.org", plan: "trial", credits: 5 });
    t.match(made, {
      id: Number,
      email: "Ada@Example.org",
      plan: "trial",
      credits: 5,
      frozen: false,
      low_credit_threshold: 10,
      return_origins: [],
      created_at: Date,
    });
    t.same(await db.accounts.byId(made.id), made);
    t.same(await db.accounts.list(), [made]);
    t.equal(await db.accounts.byId(made.id + 1), null);
  });

  t.test("finds whether any account lists a return origin", async (t) => {
    const { db } = await open(t);
    const { id } = await makeAccount(db);
    await makeAccount(db, 100, "b@example.org");
    const shop = "https://shop.example";
    t.equal(await db.accounts.isReturnOrigin(shop), false);
    await db.accounts.update(id, { return_origins: ["https://a.example", shop] });
    t.equal(await db.accounts.isReturnOrigin(shop), true);
    t.equal(await db.accounts.isReturnOrigin(`${shop}:8443`), false);
    await db.accounts.update(id, { return_origins: [] });
    t.equal(await db.accounts.isReturnOrigin(shop), false);
  });

  t.test("finds credentials by e-mail address in any capitalisation", async (t) => {
    const { db } = await open(t);
    const { id } = await db.accounts.create({
      email: "Ada@Example.org",
      plan: "trial",
      credits: 0,
      password_hash: "$argon2id$…",
    });
    t.match(await db.accounts.byEmail("ada@EXAMPLE.org"), { id, password_hash: "$argon2id$…" });
    t.equal(await db.accounts.byEmail("ada@example.com"), null);
  });

  t.test("an e-mail address belongs to one account", async (t) => {
    const { db } = await open(t);
    await makeAccount(db, 1, "ada@example.org");
    await t.rejects(makeAccount(db, 1, "ADA@example.org"), Conflict);
    t.equal((await db.accounts.list()).length, 1);
  });

  t.test("an update leaves other fields unchanged", async (t) => {
    const { db } = await open(t);
    const made = await makeAccount(db);
    const return_origins = ["https://shop.example", "http://localhost:8080"];
    t.same(await db.accounts.update(made.id, { frozen: true, return_origins }), {
      ...made,
      frozen: true,
      return_origins,
    });
    t.match(await db.accounts.update(made.id, { plan: "starter", low_credit_threshold: 0 }), {
      frozen: true,
      plan: "starter",
      low_credit_threshold: 0,
    });
    t.match(await db.accounts.update(made.id, {}), { plan: "starter" });
    t.equal(await db.accounts.update(made.id + 1, { frozen: true }), null);
    t.equal(await db.accounts.update(made.id + 1, {}), null);
  });

  t.test(
    "revoked tokens are refused by every node at once, and the password is kept",
    async (t) => {
      const { db, url } = await open(t);
      const node = await openDatabase({ url, dataDir: "" });
      t.teardown(() => node.close());
      const made = { email: "ada@example.org", plan: "trial", credits: 0 } as const;
      const { id } = await db.accounts.create({ ...made, password_hash: "one" });
      t.match(await node.accounts.byToken(id, 0), { id });
      t.equal(await db.accounts.revokeTokens(id), 1);
      t.equal(await node.accounts.byToken(id, 0), null);
      t.match(await node.accounts.byToken(id, 1), { id });
      t.match(await node.accounts.byToken(id, null), { id }, "an outside issuer's have no version");
      t.match(await node.accounts.credentials(id), { password_hash: "one", token_version: 1 });
      t.equal(await db.accounts.revokeTokens(id, "two"), 2);
      t.match(await node.accounts.byEmail("ada@example.org"), { password_hash: "two" });
      t.equal(await db.accounts.revokeTokens(id + 1), null);
      t.equal(await db.accounts.credentials(id + 1), null);
    },
  );

  t.test("records every manual adjustment in the ledger", async (t) => {
    const { db, look } = await open(t);
    const { id } = await makeAccount(db, 20);
    await db.accounts.update(id, { credits: 50 });
    await db.accounts.update(id, { credits: 50, frozen: true });
    await db.accounts.update(id, { credits: 0 });
    t.same(await look("select amount, balance_after from credit_entries order by id"), [
      { amount: "20", balance_after: "20" },
      { amount: "30", balance_after: "50" },
      { amount: "-50", balance_after: "0" },
    ]);
  });
}

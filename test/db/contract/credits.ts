import type { Test } from "tap";
import { CreditsExhausted } from "../../../db/index.ts";
import type { DatabasePool } from "../../helpers/database.ts";
import { design, makeAccount, picture } from "./fixtures.ts";

export function creditContract(t: Test, open: DatabasePool): void {
  t.test("the ledger explains the balance, newest entries first", async (t) => {
    const { db } = await open(t);
    const { id } = await makeAccount(db, 20);
    const stranger = await makeAccount(db, 20, "b@example.org");
    const { fields, bytes } = picture("a");
    const source = await db.sources.create(id, fields, bytes, 1);
    const pattern = await db.patterns.create(id, design(source.id), 1);
    await db.accounts.update(id, { credits: 50 });
    const { rows, next } = await db.credits.entries(id, { limit: 3 });
    const known = rows.map(({ amount, reason, reference, balance_after }) => [
      amount,
      reason,
      reference,
      balance_after,
    ]);
    t.same(known, [
      [32, "set_by_the_operator", null, 50],
      [-1, "pattern", `pattern:${pattern?.id}`, 18],
      [-1, "source", `source:${source.id}`, 19],
    ]);
    const rest = await db.credits.entries(id, { limit: 3, before: next ?? 0 });
    t.same(
      rest.rows.map(({ reason, balance_after }) => [reason, balance_after]),
      [["opening_balance", 20]],
    );
    t.equal(rest.next, null);
    t.equal((await db.credits.entries(stranger.id, { limit: 9 })).rows.length, 1);
  });

  t.test("sums spent and received credits by day", async (t) => {
    const { db, look } = await open(t);
    const { id } = await makeAccount(db, 20);
    const { fields, bytes } = picture("a");
    const source = await db.sources.create(id, fields, bytes, 1);
    await look(`update credit_entries set created_at =
      date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - interval '1 second'`);
    await db.patterns.create(id, design(source.id), 1);
    await db.accounts.adjustCredits(id, 5);
    const days = await db.credits.daily(id, 3);
    t.same(
      days.map(({ spent, received }) => [spent, received]),
      [
        [0, 0],
        [1, 20],
        [1, 5],
      ],
    );
    t.match(days[0]?.day, /^\d{4}-\d\d-\d\d$/);
  });

  t.test("concurrent charges never exceed the balance", async (t) => {
    const { db, look } = await open(t);
    const { id } = await makeAccount(db, 50);
    const { fields, bytes } = picture("a");
    const source = await db.sources.create(id, fields, bytes, 0);
    const charges = Array.from({ length: 200 }, () => db.patterns.create(id, design(source.id), 1));
    const outcomes = await Promise.allSettled(charges);
    const refused = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    t.equal(refused.length, 150);
    t.ok(refused.every((reason) => reason instanceof CreditsExhausted));
    const [sums] = await look(`
      select (select credits from accounts) as balance,
        (select sum(amount) from credit_entries) as ledger,
        (select min(balance_after) from credit_entries) as lowest,
        (select count(*) from patterns) as patterns,
        (select count(distinct reference) from credit_entries where reason = 'pattern') as paid`);
    t.same(sums, { balance: "0", ledger: "0", lowest: "0", patterns: "50", paid: "50" });
  });

  t.test("falling below the threshold records one event each time", async (t) => {
    const { db, look } = await open(t);
    const { id } = await makeAccount(db, 12);
    const { fields, bytes } = picture("a");
    const spend = () => db.sources.create(id, fields, bytes, 1);
    const events = () => look("select account_id, event, data from events order by id");
    await spend();
    await spend();
    t.same(await events(), [], "10 is not below 10");
    await Promise.all([spend(), spend(), spend()]);
    const low = {
      account_id: String(id),
      event: "credits.low",
      data: { credits: 9, threshold: 10 },
    };
    t.same(await events(), [low]);
    await db.accounts.update(id, { credits: 40 });
    await db.accounts.update(id, { credits: 3 });
    t.same(await events(), [low, { ...low, data: { credits: 3, threshold: 10 } }]);
    await t.rejects(db.sources.create(id, fields, bytes, 4), CreditsExhausted);
    t.equal((await events()).length, 2, "nothing of a charge that failed");
  });
}

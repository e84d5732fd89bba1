import type { Test } from "tap";
import { CreditsExhausted, type Database, type Pattern } from "../../../db/index.ts";
import type { DatabasePool } from "../../helpers/database.ts";
import { design, makeAccount, picture } from "./fixtures.ts";

async function makeSource(db: Database, accountId: number, name = "source"): Promise<number> {
  const { fields, bytes } = picture(name);
  return (await db.sources.create(accountId, fields, bytes, 0)).id;
}

async function makePattern(db: Database, accountId: number, source: number): Promise<Pattern> {
  const pattern = await db.patterns.create(accountId, design(source), 0);
  if (!pattern) throw new Error("the source is not there");
  return pattern;
}

export function patternContract(t: Test, open: DatabasePool): void {
  t.test("returns a pattern as created", async (t) => {
    const { db, look } = await open(t);
    const { id } = await makeAccount(db);
    const fields = design(await makeSource(db, id));
    const pattern = await db.patterns.create(id, fields, 1);
    t.match(pattern, { ...fields, version: 1, created_at: Date, updated_at: Date });
    t.same(await db.patterns.get(id, pattern?.id ?? 0), pattern);
    t.same(await look("select palette is null as empty from patterns"), [{ empty: true }]);
  });

  t.test("a pattern and its charge are committed together", async (t) => {
    const { db, look } = await open(t);
    const { id } = await makeAccount(db, 1);
    const source = await makeSource(db, id);
    const pattern = await db.patterns.create(id, design(source), 1);
    await t.rejects(db.patterns.create(id, design(source), 1), CreditsExhausted);
    t.match(await db.accounts.byId(id), { credits: 0 });
    t.match(await db.accounts.usage(id), { patterns: 1 });
    t.same(await look("select reference, amount, balance_after from credit_entries order by id"), [
      { reference: null, amount: "1", balance_after: "1" },
      { reference: `pattern:${pattern?.id}`, amount: "-1", balance_after: "0" },
    ]);
  });

  t.test("concurrent charges never exceed the balance", async (t) => {
    const { db, look } = await open(t);
    const { id } = await makeAccount(db, 7);
    const source = await makeSource(db, id);
    const attempts = Array.from({ length: 30 }, () => db.patterns.create(id, design(source), 1));
    const outcomes = await Promise.allSettled(attempts);
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    t.equal(outcomes.length - refused.length, 7);
    t.ok(refused.every(({ reason }) => reason instanceof CreditsExhausted));
    t.match(await db.accounts.byId(id), { credits: 0 });
    t.match(await db.accounts.usage(id), { patterns: 7 });
    const [{ sum, lowest }] = await look(
      "select sum(amount)::int as sum, min(balance_after)::int as lowest from credit_entries",
    );
    t.same({ sum, lowest }, { sum: 0, lowest: 0 });
  });

  t.test("filters a list by group and source", async (t) => {
    const { db } = await open(t);
    const { id } = await makeAccount(db);
    const [one, two] = [await makeSource(db, id, "one"), await makeSource(db, id, "two")];
    const first = await makePattern(db, id, one);
    const second = await makePattern(db, id, two);
    await db.patterns.update(id, second.id, { group: "p6m" });
    const ids = async (filter: { group?: string; source_id?: number }) =>
      (await db.patterns.list(id, { limit: 9, ...filter })).rows.map((row) => row.id);
    t.same(await ids({}), [second.id, first.id]);
    t.same(await ids({ group: "p6m" }), [second.id]);
    t.same(await ids({ source_id: one }), [first.id]);
    t.same(await ids({ source_id: one, group: "p6m" }), []);
    t.same(await db.patterns.list(id, { limit: 1, before: second.id }), {
      rows: [first],
      next: null,
    });
  });

  t.test("an update keeps other fields and creates a new version", async (t) => {
    const { db } = await open(t);
    const { id } = await makeAccount(db);
    const pattern = await makePattern(db, id, await makeSource(db, id));
    const palette = ["#000000", "#ffffff"];
    const changed = await db.patterns.update(id, pattern.id, { palette, background: null });
    t.same(changed, {
      ...pattern,
      palette,
      background: null,
      version: 2,
      updated_at: (changed as Pattern).updated_at,
    });
    t.same(await db.patterns.get(id, pattern.id), changed);
  });

  t.test("one of two updates of the same version is stale", async (t) => {
    const { db } = await open(t);
    const { id } = await makeAccount(db);
    const pattern = await makePattern(db, id, await makeSource(db, id));
    const outcomes = await Promise.all(
      ["one", "two"].map((name) => db.patterns.update(id, pattern.id, { name }, 1)),
    );
    t.equal(outcomes.filter((outcome) => outcome === "stale").length, 1);
    t.match(await db.patterns.get(id, pattern.id), { version: 2 });
  });

  t.test("patterns and sources of other accounts are not found", async (t) => {
    const { db } = await open(t);
    const { id } = await makeAccount(db);
    const other = await makeAccount(db, 9, "other@example.org");
    const source = await makeSource(db, id);
    const pattern = await makePattern(db, id, source);
    t.equal(await db.patterns.create(other.id, design(source), 1), null);
    t.match(await db.accounts.byId(other.id), { credits: 9 });
    t.equal(await db.patterns.get(other.id, pattern.id), null);
    t.same(await db.patterns.list(other.id, { limit: 9 }), { rows: [], next: null });
    t.equal(await db.patterns.update(other.id, pattern.id, { name: "stolen" }), null);
    t.equal(await db.patterns.delete(other.id, pattern.id), false);

    const theirs = await makePattern(db, other.id, await makeSource(db, other.id));
    t.equal(await db.patterns.update(other.id, theirs.id, { source_id: source }), null);
    t.same(await db.patterns.get(other.id, theirs.id), theirs);
    t.same(await db.patterns.get(id, pattern.id), pattern);
  });

  t.test("a deleted pattern is not found", async (t) => {
    const { db } = await open(t);
    const { id } = await makeAccount(db);
    const pattern = await makePattern(db, id, await makeSource(db, id));
    t.equal(await db.patterns.delete(id, pattern.id, pattern.version + 1), false, "another one");
    t.equal(await db.patterns.delete(id, pattern.id), true);
    t.equal(await db.patterns.get(id, pattern.id), null);
    t.equal(await db.patterns.update(id, pattern.id, { name: "ghost" }), null);
    t.equal(await db.patterns.delete(id, pattern.id), false);
  });

  t.test("finds many patterns in one batch, each by its own account only", async (t) => {
    const { db } = await open(t);
    const accounts = [
      await makeAccount(db),
      await makeAccount(db, 0, "b@example.org"),
      await makeAccount(db, 0, "c@example.org"),
    ];
    const made: Pattern[] = [];
    for (const { id } of accounts) {
      const source = await makeSource(db, id, `source of ${id}`);
      for (let count = 0; count < 4; count++) made.push(await makePattern(db, id, source));
    }
    const asked = accounts.flatMap(({ id }) => made.map((pattern) => ({ id, pattern })));
    const found = await Promise.all(
      asked.map(({ id, pattern }) => db.patterns.get(id, pattern.id)),
    );
    for (const [place, { id, pattern }] of asked.entries()) {
      t.same(found[place], pattern.account_id === id ? pattern : null);
    }
  });
}

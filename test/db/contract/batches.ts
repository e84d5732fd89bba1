/** Contract: batches keep their patterns, one run at a time writes their items, and they are kept for a time. */
import type { Test } from "tap";
import { Superseded } from "../../../db/index.ts";
import type { DatabasePool } from "../../helpers/database.ts";
import { design, makeAccount, picture } from "./fixtures.ts";

const PICTURE = {
  fingerprint: "ab".repeat(32),
  sha256: "cd".repeat(32),
  bytes: 99,
  media_type: "image/png",
  width: 16,
  height: 12,
};
const ERROR = { error: { code: "not_found", detail: "there is no such pattern" } };

const MANIFEST = "https://patterns.example/manifest";

async function withPattern(t: Test, open: DatabasePool) {
  const { db, look } = await open(t);
  const { id: account } = await makeAccount(db);
  const { fields, bytes } = picture("a");
  const source = await db.sources.create(account, fields, bytes, 0);
  const pattern = (await db.patterns.create(account, design(source.id), 0))?.id ?? 0;
  const create = async (...patterns: number[]) =>
    (
      await db.batches.create(
        account,
        null,
        patterns.map((pattern_id) => ({ pattern_id })),
      )
    ).id;
  const begin = async (id: number) => {
    const begun = await db.batches.begin(id);
    if (!begun) throw new Error("the batch has not ended");
    return begun.run;
  };
  return { db, look, account, pattern, source, create, begin };
}

export function batchContract(t: Test, open: DatabasePool): void {
  t.test("a batch keeps its patterns as they were, and waits for its job", async (t) => {
    const { db, look, account, pattern, source, create, begin } = await withPattern(t, open);
    const id = await create(pattern, pattern + 1);
    t.same(await look('select queue, data, "group" from outbox'), [
      { queue: "render_batch", data: { batch_id: id }, group: `account ${account}` },
    ]);
    await db.patterns.update(account, pattern, { group: "p6m" }, 1);
    const run = await begin(id);
    const [known, unknown] = await db.batches.waiting(run, 0, 9);
    const { source_id: _, name: __, ...fields } = design(source.id);
    t.match(known, { index: 0, design: fields, source_sha256: source.sha256, has_source: true });
    t.match(unknown, { index: 1, design: null, source_sha256: null, has_source: false });
    await db.patterns.delete(account, pattern);
    await db.sources.delete(account, source.id);
    t.match(await db.batches.waiting(run, 0, 1), [{ design: fields, has_source: false }]);
  });

  t.test("only the latest run writes, and none after the batch ended", async (t) => {
    const { db, look, account, pattern, create, begin } = await withPattern(t, open);
    const id = await create(pattern, pattern, pattern);
    const first = await begin(id);
    await db.batches.settleItem(first, 0, PICTURE);
    const second = await begin(id);
    const late = (run: typeof first): (() => Promise<unknown>)[] => [
      () => db.batches.requireRun(run),
      () => db.batches.beginItem(run, 1),
      () => db.batches.settleItem(run, 1, PICTURE),
      () => db.batches.finish(run, MANIFEST),
    ];
    for (const write of late(first)) await t.rejects(write, Superseded);
    await db.batches.requireRun(second);
    t.same(
      (await db.batches.waiting(second, 0, 9)).map(({ index }) => index),
      [1, 2],
      "what is done is not done again",
    );
    t.equal(await db.batches.beginItem(second, 1), 1);
    await db.batches.releaseItem(second, 1);
    t.equal(await db.batches.beginItem(second, 1), 1);
    await db.batches.settleItem(second, 1, ERROR);
    await t.rejects(db.batches.settleItem(second, 1, PICTURE), Superseded, "each item once");
    t.match(await db.batches.get(account, id), { total: 3, done: 1, failed: 1, status: "running" });
    const { rows } = await db.batches.items(account, id, { from: 0, limit: 2 });
    const { fingerprint: _, ...shown } = PICTURE;
    t.match(rows, [
      { status: "done", ...shown },
      { status: "failed", ...ERROR },
    ]);
    await db.batches.cancel(account, id);
    for (const write of late(second)) await t.rejects(write, Superseded);
    t.equal(await db.batches.begin(id), null);
    t.same(await look("select from events where event = 'batch.ready'"), []);
  });

  t.test("a batch that is finished records its event, and is deleted in time", async (t) => {
    const { db, look, account, pattern, create, begin } = await withPattern(t, open);
    const id = await create(pattern);
    const run = await begin(id);
    await db.batches.settleItem(run, 0, PICTURE);
    await db.batches.finish(run, MANIFEST);
    await t.rejects(db.batches.finish(run, MANIFEST), Superseded);
    const facts = { batch_id: id, name: null, total: 1, done: 1, failed: 0 };
    t.same(await look("select data from events where event = 'batch.ready'"), [
      { data: { ...facts, manifest_url: MANIFEST } },
    ]);
    const ended = await db.batches.cancel(account, id);
    t.match(ended, { status: "finished" });
    t.equal((Number(ended?.expires_at) - Number(ended?.finished_at)) / 86_400_000, 7);
    const younger = await create(pattern);
    await db.deleteExpired();
    t.equal((await db.batches.list(account, { limit: 9 })).rows.length, 2);
    await look(`update batches set expires_at = now() where id = ${id}`);
    t.equal(await db.batches.get(account, id), null, "it is gone for callers at once");
    await db.deleteExpired();
    const rows = await look("select distinct batch_id::int as id from batch_items");
    t.same(rows, [{ id: younger }]);
    t.same(await look("select batch_id::int as id from batch_patterns"), rows);
  });
}
